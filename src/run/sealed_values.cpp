// SPDX-License-Identifier: MIT
#include "run/sealed_values.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"

namespace grundy {
SealedValues::SealedValues(RunTerms terms, const NumberedGame& game, CheckpointControl* control,
                           const std::function<void(const std::string&)>& narrate)
    : RunAtWork(std::move(terms), game, narrate) {
  if (finished()) return;
  log_.emplace(directory_, terms_.checkpoint, *terms_.executor, terms_.engine, terms_.kernel,
               control, terms_.matches);

  look_at_earlier_lives();
  // A run that turns out to be damaged stays what it was.
  if (directory_.record()->count != terms_.record.count) {
    RunRecord record = *directory_.record();
    record.count = terms_.record.count;
    directory_.write_record(record);
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
  say_frontier();
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
  remove();
}

}  // namespace grundy
