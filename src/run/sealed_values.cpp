// SPDX-License-Identifier: MIT
#include "run/sealed_values.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/atomic_file.hpp"
#include "core/text.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

fs::path checked_directory(const fs::path& output) {
  check_target(output, true);
  return run_directory_for(output);
}

/// What a run computes, for a person.
std::string subject_of(const RunRecord& run) {
  if (!run.lattice) return run.rule;
  return fmt::format("{} on {}{} positions in {}", run.rule, run.lattice->shape,
                     run.lattice->sorted ? " sorted" : "", run.lattice->order);
}

/// The options that give the order of an old run, if only the order differs; else empty.
std::string how_it_was_begun(const RunRecord& old, RunRecord wanted) {
  if (!old.lattice || !wanted.lattice) return {};
  wanted.lattice->order = old.lattice->order;
  if (wanted.identity() != old.identity()) return {};
  return fmt::format(
      "it goes on with the engine {} and {}", old.engine,
      old.lattice->tile ? fmt::format("the block size {}", *old.lattice->tile) : "no block size");
}

}  // namespace

SealedValues::SealedValues(RunTerms terms, const NumberedGame& game, CheckpointControl* control,
                           const std::function<void(const std::string&)>& narrate)
    : terms_(std::move(terms)),
      game_(game),
      narrate_(narrate),
      directory_(checked_directory(terms_.output), terms_.force, &terms_.record) {
  const bool overwrite = terms_.record.overwrite;
  if (!directory_.stale_holder().empty()) {
    say(fmt::format("taking over from {}, which ended without finishing",
                    directory_.stale_holder()));
  }
  if (directory_.record()) check_record();
  if (directory_.record() && !directory_.has_record()) {
    say(
        fmt::format("run.json of '{}' was damaged or missing; what is sealed there is of this run, "
                    "and it is written anew",
                    path().string()));
  }
  const bool had_begun = directory_.record() || directory_.was_finished();
  if (had_begun && !overwrite && terms_.is_the_table(terms_.output)) {
    say(fmt::format("'{}' had been finished", terms_.output.string()));
    finished_ = true;
    return;
  }
  check_target(terms_.output, overwrite);
  if (!directory_.has_record()) directory_.write_record(terms_.record);
  log_.emplace(directory_, terms_.checkpoint, *terms_.executor, terms_.engine, terms_.kernel,
               control);

  look_at_earlier_lives();
  // A run that turns out to be damaged stays what it was.
  if (directory_.record()->count != terms_.record.count) {
    RunRecord record = *directory_.record();
    record.count = terms_.record.count;
    directory_.write_record(record);
  }
}

void SealedValues::say(const std::string& sentence) const {
  if (narrate_) narrate_(sentence);
}

void SealedValues::check_record() const {
  const RunRecord& record = *directory_.record();
  const auto refuse = [&](ErrorCode code, const std::string& difference,
                          const std::string& advice) {
    throw Error(code, fmt::format("'{}' holds a run {}; {}", path().string(), difference, advice));
  };
  if (record.identity() != terms_.record.identity()) {
    if (const std::string how = how_it_was_begun(record, terms_.record); !how.empty()) {
      refuse(ErrorCode::kCorrupt,
             fmt::format("whose values come in {}, not in {}", record.lattice->order,
                         terms_.record.lattice->order),
             how);
    }
    refuse(ErrorCode::kCorrupt,
           fmt::format("of {}, not of {}", subject_of(record), subject_of(terms_.record)),
           "choose another output or remove the directory");
  }
  if (record.stats_only != terms_.record.stats_only) {
    refuse(ErrorCode::kUsage,
           record.stats_only ? "that keeps statistics only" : "that makes a table",
           record.stats_only ? "compute statistics only, or choose another output"
                             : "compute a table, or choose another output");
  }
  if (terms_.count < directory_.frontier() && !directory_.segments().back().header.has_values()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' has statistics of {} and all before; those of fewer heaps need a "
                            "run of their own",
                            path().string(), game_.name(directory_.frontier() - 1)));
  }
  if (terms_.count < directory_.frontier() && record.lattice) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' holds {} values of a table of {}", path().string(),
                            directory_.frontier(), terms_.count));
  }
  if (terms_.count < directory_.frontier() && !terms_.force) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' has sealed {} and all before; a table up to {} would drop some of them "
                    "unless it is forced to",
                    path().string(), game_.name(directory_.frontier() - 1),
                    game_.name(terms_.count - 1)));
  }
  if (record.count != terms_.record.count && !terms_.change_range) {
    refuse(ErrorCode::kUsage,
           fmt::format("up to {}, not {}", game_.name(record.count - 1),
                       game_.name(terms_.record.count - 1)),
           fmt::format("choose another output or {}", kResumeToAnotherHeap));
  }
}

void SealedValues::set_engine(const std::string& engine, const EngineSlowness& slowness) {
  log_->set_engine(engine);
  if (directory_.record()->slowness == slowness) return;
  log_->seal();  // no other process looks at the record
  RunRecord record = *directory_.record();
  record.slowness = slowness;
  directory_.write_record(record);
}

void SealedValues::begin_with(const std::string& engine, const std::string& kernel,
                              const std::function<void(SegmentLog&)>& fill) {
  log_->set_engine(engine);
  log_->set_kernel(kernel);
  fill(*log_);
  log_->seal();
  log_->set_engine(terms_.engine);
  log_->set_kernel(terms_.kernel);
  look_at_earlier_lives();
}

void SealedValues::look_at_earlier_lives() {
  const HeapSize sealed = directory_.frontier();
  earlier_ = SealedHeaps(directory_.segments(), std::min(sealed, terms_.count));
  earlier_.set_slowness(directory_.record()->slowness);
  if (sealed == 0) return;
  say(frontier() < terms_.count
          ? fmt::format("continuing {} at {}; {} of {} values are sealed", path().string(),
                        game_.name(frontier()), format_count(frontier()),
                        format_count(terms_.count))
          : fmt::format("{} holds {} values: all that is wanted is there", path().string(),
                        format_count(directory_.frontier())));
}

std::span<const Nimber> SealedValues::next(std::uint64_t count) {
  gives_ = gives_ && given_ + count + SealedHeaps::kWindow <= frontier();
  if (!gives_) return {};
  piece_.resize(count);
  if (!giving_) giving_.emplace(directory_.segments());
  // Piece by piece: a segment may be larger than the memory.
  for (std::span<Nimber> rest = piece_; !rest.empty();) {
    const Segment& segment = earlier_.segment(given_);
    if (given_ == segment.header.begin && segment.header.is_raw()) check_segment(segment);
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(rest.size(), segment.header.end() - given_));
    giving_->read(given_, rest.first(size));
    rest = rest.subspan(size);
    given_ += size;
  }
  return piece_;
}

void SealedValues::compare_with_window(HeapSize begin, Values values) {
  const HeapSize first = earlier_.count();
  const HeapSize end = std::min(begin + values.size(), frontier());
  if (end <= first) return;
  if (window_.size() == 0) earlier_.read_window(window_);
  const Values window = window_.values();
  for (HeapSize n = std::max(begin, first); n < end; ++n) {
    const Nimber computed = values[n - begin];
    const Nimber sealed = window[n - first];
    if (computed == sealed) continue;
    throw Error(ErrorCode::kMismatch,
                fmt::format("{} (value {} of the run) has the value {} now and was sealed with {} "
                            "in '{}'; do not trust this machine or build before {}",
                            game_.name(n), n, computed, sealed, earlier_.segment(n).path.string(),
                            kLongTest));
  }
}

void SealedValues::compare_with_digests(HeapSize begin, Values values) {
  if (begin != handed_) return;  // the engine began after the known values: the window is compared
  while (!values.empty() && handed_ < frontier()) {
    const Segment& segment = earlier_.segment(handed_);
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(values.size(), segment.header.end() - handed_));
    if (!digest_) digest_.emplace(segment.header);
    digest_->update(values.subspan(0, size));
    handed_ += size;
    values = values.subspan(size);
    if (handed_ < segment.header.end()) return;
    if (digest_->value() != segment.header.values) {
      throw Error(
          ErrorCode::kMismatch,
          fmt::format("values of '{}' ({} to {} of the run) have changed in the memory of this "
                      "process, or are computed differently now; do not trust this machine or "
                      "build before {}",
                      segment.path.string(), segment.header.begin, segment.header.end() - 1,
                      kLongTest));
    }
    digest_.reset();
  }
}

void SealedValues::compare_with_earlier(HeapSize begin, Values values) {
  if (begin >= frontier()) return;
  compare_with_window(begin, values);
  compare_with_digests(begin, values);
}

void SealedValues::put(const Stretch& block) {
  put(block, false, {});
}

void SealedValues::put(const Stretch& block, bool now, const SegmentLog::StateText& text) {
  compare_with_earlier(block.begin, block.values);
  if (block.end() > frontier()) log_->put(block.from(frontier()), now, text);
}

void SealedValues::put_state(const Stretch& block, bool now, const SegmentLog::StateText& text) {
  compare_with_earlier(block.begin, block.values);
  const HeapSize begin = std::max(block.begin, frontier());
  if (block.end() > begin) log_->put_state(begin, block.end(), block.newest, now, text);
}

std::optional<bool> SealedValues::compare_with_file(const SegmentHeader& segment, HeapSize begin,
                                                    Values kept) const {
  constexpr HeapSize kPiece = HeapSize{1} << 16;
  HeapSize at = std::max(segment.first(), begin);
  const HeapSize end = std::min(segment.end(), begin + kept.size());
  if (at >= end) return std::nullopt;
  SegmentReader file({path() / segment_name(segment.index), segment, {}});
  std::vector<Nimber> sealed;
  for (; at < end; at += sealed.size()) {
    sealed.resize(std::min(kPiece, end - at));
    file.read(at, sealed);
    const bool same = kept.subspan(at - begin, sealed.size()).visit([&](auto values) {
      return std::ranges::equal(values, sealed);
    });
    if (!same) return false;
  }
  return true;
}

void SealedValues::scrub(SelfCheck& check, const Stretch& stretch) {
  std::optional<std::size_t> trusted;
  if (!stretch.table.empty()) {
    trusted = check.scrub(stretch.table, log_->sealed());
  } else if (!stretch.newest.empty()) {
    const HeapSize newest = stretch.end() - stretch.newest.size();
    trusted = check.scrub(log_->sealed().size(), [&](std::size_t i) {
      const SegmentHeader& segment = log_->sealed()[i];
      const std::optional<bool> first = compare_with_file(segment, 0, stretch.first);
      if (first == false) return first;
      const std::optional<bool> last = compare_with_file(segment, newest, stretch.newest);
      return last ? last : first;
    });
  }
  if (!trusted) return;
  log_->set_aside(*trusted);
  throw Error(ErrorCode::kMismatch,
              fmt::format("sealed values have changed in the memory of this process; {} and all "
                          "after it, which may depend on them, are set aside as .suspect in '{}'; "
                          "do not trust this machine before {}",
                          game_.name(directory_.frontier()), path().string(), kLongTest));
}

ValueOf SealedValues::earlier() {
  if (!looked_up_) looked_up_.emplace(std::vector<Segment>());
  looked_up_->renew(log_->segments());
  return [this](HeapSize n) { return looked_up_->at(n); };
}

void SealedValues::finish() {
  log_.reset();
  if (directory_.record()) directory_.finish();
}

}  // namespace grundy
