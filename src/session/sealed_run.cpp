// SPDX-License-Identifier: MIT
#include "session/sealed_run.hpp"

#include <algorithm>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/table.hpp>

#include "core/text.hpp"
#include "session/build_info.hpp"
#include "session/provenance.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

RunRecord record_of(const HeapSetup& setup) {
  const Request& request = setup.request;
  return {.rule = setup.game.rule.canonical(),
          .count = setup.count,
          .game = request.about.game,
          .title = request.about.title,
          .engine = request.machine.engine,
          .kernel = request.machine.kernel,
          .chunk = request.output.chunk,
          .extend = setup.game.extend,
          .overwrite = request.output.overwrite || request.force,
          .reproducible = request.output.reproducible,
          .version = std::string(build_info::kVersion),
          .created = utc_now()};
}

/// Whether the file is the complete table of the request.
bool is_the_table(const fs::path& file, const HeapSetup& setup) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  try {
    const TableInfo info = TableReader::open(file)->info();
    return info.canonical == setup.game.rule.canonical() && info.stats.count == setup.count;
  } catch (const Error&) {
    return false;
  }
}

/// Keeps the values of heaps from `begin` on.
class Collector final : public BlockSink {
 public:
  Collector(ValueBuffer& values, HeapSize begin) : values_(values), begin_(begin) {}
  Flow put(const Block& block) override {
    const HeapSize skip =
        std::min<HeapSize>(begin_ - std::min(begin_, block.begin), block.values.size());
    values_.append(block.values.subspan(skip, block.values.size() - skip));
    return Flow::kContinue;
  }

 private:
  ValueBuffer& values_;
  HeapSize begin_;
};

fs::path checked_directory(const Request& request) {
  check_target(request.output.path, true);
  return run_directory_for(request.output.path);
}

}  // namespace

SealedRun::SealedRun(const HeapSetup& setup, CheckpointControl* control,
                     const std::function<void(const std::string&)>& narrate)
    : directory_(checked_directory(setup.request), setup.request.force) {
  const Request& request = setup.request;
  const bool overwrite = request.output.overwrite || request.force;
  const auto say = [&](const std::string& sentence) {
    if (narrate) narrate(sentence);
  };
  if (!directory_.stale_holder().empty()) {
    say(fmt::format("taking over from {}, which ended without finishing",
                    directory_.stale_holder()));
  }
  if (directory_.record()) check_record(setup);
  const bool had_begun = directory_.record() || directory_.was_finished();
  if (had_begun && !overwrite && is_the_table(request.output.path, setup)) {
    say(fmt::format("'{}' had been finished", request.output.path.string()));
    finished_ = true;
    return;
  }
  check_target(request.output.path, overwrite);
  if (!directory_.record()) {
    directory_.write_record(record_of(setup));
  } else if (directory_.record()->count != setup.count) {
    RunRecord record = *directory_.record();
    record.count = setup.count;
    directory_.write_record(record);
  }
  log_.emplace(directory_, request.output.checkpoint, std::string(setup.engine.name()),
               std::string(setup.kernels.name), control);
  if (directory_.frontier() == 0 && !request.output.base.empty()) import_base(setup);

  frontier_ = std::min(directory_.frontier(), setup.count);
  if (frontier_ == 0) return;
  say(frontier_ < setup.count ? fmt::format("continuing {} at heap {} of {}", path().string(),
                                            format_count(frontier_), format_count(setup.count - 1))
                              : fmt::format("{} holds heaps below {}: all that is wanted is there",
                                            path().string(), format_count(directory_.frontier())));
  known_ = frontier_ - std::min(frontier_, kWindow);
  known_ -= known_ % kUnit;
}

void SealedRun::check_record(const HeapSetup& setup) const {
  const Request& request = setup.request;
  const RunRecord& record = *directory_.record();
  const auto refuse = [&](const std::string& difference, const char* advice) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' holds a run {}; {}", path().string(), difference, advice));
  };
  if (record.rule != setup.game.rule.canonical()) {
    refuse(fmt::format("of {}, not of {}", record.rule, setup.game.rule.canonical()),
           "choose another output or remove the directory");
  }
  if (setup.count < directory_.frontier() && !request.force) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' has sealed heaps up to {}; a table up to heap {} would drop some of "
                    "them (add --force if it may)",
                    path().string(), directory_.frontier() - 1, setup.game.last));
  }
  if (record.count != setup.count && !request.output.change_range) {
    refuse(fmt::format("up to heap {}, not {}", record.count - 1, setup.game.last),
           "`grundy resume DIRECTORY --to N` goes on to another heap");
  }
}

void SealedRun::import_base(const HeapSetup& setup) {
  const fs::path& base = setup.request.output.base;
  const auto table = TableReader::open(base);
  const TableInfo& info = table->info();
  if (info.canonical != setup.game.rule.canonical()) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is a table of {}, not of {}", base.string(),
                                                 info.canonical, setup.game.rule.canonical()));
  }
  std::vector<Nimber> values;
  for (HeapSize begin = 0; begin < info.computed; begin += values.size()) {
    values.resize(std::min(table->chunk_size(), info.computed - begin));
    table->read(begin, values);
    log_->put({begin, Values(std::span<const Nimber>(values)), {}});
  }
  log_->seal();
}

void SealedRun::replay(BlockSink& sink) const {
  grundy::replay(directory_.segments(), 0, known_, sink);
}

void SealedRun::load_window(HeapSize first) {
  // An engine that has begun before the window has not read, and so not checked, what is sealed.
  Collector collector(window_, known_);
  grundy::replay(directory_.segments(), first < known_ ? 0 : known_, frontier_, collector);
}

void SealedRun::put(const Block& block) {
  if (window_.size() == 0 && frontier_ > 0) load_window(block.begin);
  const HeapSize end = block.begin + block.values.size();
  const Values window = window_.values();
  for (HeapSize n = std::max(block.begin, known_); n < std::min(end, frontier_); ++n) {
    const Nimber computed = block.values[n - block.begin];
    const Nimber sealed = window[n - known_];
    if (computed == sealed) continue;
    throw Error(
        ErrorCode::kMismatch,
        fmt::format("heap {} has value {} now and was sealed with value {} in '{}'; do not "
                    "trust this machine or build before `grundy selftest`",
                    n, computed, sealed, segment_of(directory_.segments(), n).path.string()));
  }
  if (end <= frontier_) return;
  const HeapSize skip = frontier_ > block.begin ? frontier_ - block.begin : 0;
  log_->put({block.begin + skip, block.values.subspan(skip, block.values.size() - skip), {}});
}

void SealedRun::scrub(SelfCheck& check, Values table) {
  const auto trusted = check.scrub(table, log_->sealed());
  if (!trusted) return;
  log_->set_aside(*trusted);
  throw Error(ErrorCode::kMismatch,
              fmt::format("sealed values have changed in the memory of this process; heaps from {} "
                          "on, which may depend on them, are set aside as .suspect in '{}'; do not "
                          "trust this machine before `grundy selftest --soak 60min`",
                          directory_.frontier(), path().string()));
}

void SealedRun::finish() {
  log_.reset();
  if (directory_.record()) directory_.finish();
}

}  // namespace grundy
