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

RunRecord record_of(const Setup& setup) {
  const ComputeRequest& request = setup.request;
  return {.rule = request.rule.canonical(),
          .count = setup.count,
          .game = request.game,
          .title = request.title,
          .engine = request.engine,
          .kernel = request.kernel,
          .chunk = request.chunk,
          .extend = request.extend,
          .overwrite = request.overwrite || request.force,
          .reproducible = request.reproducible,
          .version = std::string(build_info::kVersion),
          .created = utc_now()};
}

/// Whether the file is the complete table of the request.
bool is_the_table(const fs::path& file, const Setup& setup) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  try {
    const TableInfo info = TableReader::open(file)->info();
    return info.canonical == setup.request.rule.canonical() && info.stats.count == setup.count;
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

fs::path checked_directory(const ComputeRequest& request) {
  check_target(request.output, true);
  return run_directory_for(request.output);
}

}  // namespace

SealedRun::SealedRun(const Setup& setup, CheckpointControl* control,
                     const std::function<void(const std::string&)>& narrate)
    : directory_(checked_directory(setup.request), setup.request.force) {
  const ComputeRequest& request = setup.request;
  const bool overwrite = request.overwrite || request.force;
  const auto say = [&](const std::string& sentence) {
    if (narrate) narrate(sentence);
  };
  if (!directory_.stale_holder().empty()) {
    say(fmt::format("taking over from {}, which ended without finishing",
                    directory_.stale_holder()));
  }
  if (directory_.record()) check_record(setup);
  const bool had_begun = directory_.record() || directory_.was_finished();
  if (had_begun && !overwrite && is_the_table(request.output, setup)) {
    say(fmt::format("'{}' had been finished", request.output.string()));
    finished_ = true;
    return;
  }
  check_target(request.output, overwrite);
  if (!directory_.record()) {
    directory_.write_record(record_of(setup));
  } else if (directory_.record()->count != setup.count) {
    RunRecord record = *directory_.record();
    record.count = setup.count;
    directory_.write_record(record);
  }
  log_.emplace(directory_, request.checkpoint, std::string(setup.engine.name()),
               std::string(setup.kernels.name), control);
  if (directory_.frontier() == 0 && !request.base.empty()) import_base(request);

  frontier_ = std::min(directory_.frontier(), setup.count);
  if (frontier_ == 0) return;
  say(frontier_ < setup.count ? fmt::format("continuing {} at heap {} of {}", path().string(),
                                            format_count(frontier_), format_count(setup.count - 1))
                              : fmt::format("{} holds heaps below {}: all that is wanted is there",
                                            path().string(), format_count(directory_.frontier())));
  known_ = frontier_ - std::min(frontier_, kWindow);
  known_ -= known_ % kUnit;
}

void SealedRun::check_record(const Setup& setup) const {
  const ComputeRequest& request = setup.request;
  const RunRecord& record = *directory_.record();
  const auto refuse = [&](const std::string& difference, const char* advice) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' holds a run {}; {}", path().string(), difference, advice));
  };
  if (record.rule != request.rule.canonical()) {
    refuse(fmt::format("of {}, not of {}", record.rule, request.rule.canonical()),
           "choose another output or remove the directory");
  }
  if (setup.count < directory_.frontier() && !request.force) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' has sealed heaps up to {}; a table up to heap {} would drop some of "
                    "them (add --force if it may)",
                    path().string(), directory_.frontier() - 1, request.last));
  }
  if (record.count != setup.count && !request.change_range) {
    refuse(fmt::format("up to heap {}, not {}", record.count - 1, request.last),
           "`grundy resume DIRECTORY --to N` goes on to another heap");
  }
}

void SealedRun::import_base(const ComputeRequest& request) {
  const auto table = TableReader::open(request.base);
  const TableInfo& info = table->info();
  if (info.canonical != request.rule.canonical()) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' is a table of {}, not of {}", request.base.string(),
                            info.canonical, request.rule.canonical()));
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

ComputeRequest request_of_run(const fs::path& directory) {
  const fs::path output = output_of(directory);
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("there is no directory '{}'{}", directory.string(),
                            fs::exists(output, error)
                                ? fmt::format(", but '{}' is there: perhaps the run is finished",
                                              output.string())
                                : ""));
  }
  const RunContents contents = read_run(directory);
  if (!contents.record) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' holds nothing to resume; begin anew with `grundy compute`",
                            directory.string()));
  }
  const RunRecord& record = *contents.record;
  const auto refuse = [&directory](const std::string& what) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' does not describe a run of one heap: {}",
                                                 directory.string(), what));
  };
  const auto rule = [&] {
    try {
      return HeapRule::parse(record.rule);
    } catch (const Error& bad) {
      refuse(fmt::format("{} is no rule: {}", in_quotes(record.rule), bad.what()));
      throw;
    }
  };
  if (const auto clause = size_refusal(record.count - 1, record.chunk); !clause.empty()) {
    refuse(clause);
  }
  ComputeRequest request{.rule = rule()};
  request.last = record.count - 1;
  request.output = output;
  request.game = record.game;
  request.title = record.title;
  request.engine = record.engine;
  request.kernel = record.kernel;
  request.chunk = record.chunk;
  request.extend = record.extend;
  request.overwrite = record.overwrite;
  request.reproducible = record.reproducible;
  return request;
}

}  // namespace grundy
