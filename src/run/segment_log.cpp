// SPDX-License-Identifier: MIT
#include "run/segment_log.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"

namespace grundy {
namespace {

/// Values of a chunk of a run whose table has other chunks.
constexpr HeapSize kChunkOfTiles = HeapSize{1} << 13;

/// From one state that stays to the next, the heaps grow by at least one in kGrowth, and by at
/// least kHeapsPerValue for each value of the state. The preperiod of a period is found from these
/// states, at the cost of the distance between two of them.
constexpr HeapSize kGrowth = 16;
constexpr HeapSize kHeapsPerValue = 32;

/// Whether a state of the heaps begin .. end - 1 stays.
bool stays(HeapSize begin, HeapSize end, HeapSize values) noexcept {
  return end - begin >= std::max(end / kGrowth, kHeapsPerValue * values);
}

/// This number of values is read several times while it stays in the second-level cache.
constexpr std::size_t kPiece = std::size_t{1} << 16;

}  // namespace

SegmentLog::SegmentLog(RunDirectory& directory, const CheckpointInterval& interval,
                       Executor& executor, std::string engine, std::string kernel,
                       CheckpointControl* control, Matches matches)
    : directory_(directory),
      interval_(interval),
      executor_(executor),
      control_(control),
      end_(directory.frontier()),
      covered_(end_),
      matches_(matches),
      seal_(directory, control) {
  for (const Segment& segment : directory_.segments()) sealed_.push_back(segment.header);
  next_.index = sealed_.size();
  if (!sealed_.empty()) {
    const SegmentHeader& last = sealed_.back();
    next_.width = last.width;
    if (!last.has_values() && !stays(last.begin, last.end(), last.newest)) covered_ = last.begin;
  }
  const RunRecord& record = *directory_.record();
  next_.fingerprint = fingerprint_of(record.identity());
  next_.chunk = record.chunk > 0 ? record.chunk : kChunkOfTiles;
  next_.plain = record.lattice.has_value();  // the check looks up single values of tiles
  next_.engine = std::move(engine);
  next_.kernel = std::move(kernel);
  if (control_ != nullptr) control_->set_sealed(end_);
}

bool SegmentLog::due() const {
  return unsealed_time() >= interval_.time || (control_ != nullptr && control_->take_request());
}

void SegmentLog::expect(HeapSize begin) const {
  if (begin == end_) return;
  throw Error(ErrorCode::kFailure,
              fmt::format("value {} was handed to a run that goes on at value {}", begin, end_));
}

Flow SegmentLog::put(const Stretch& block) {
  put(block, false, {});
  return Flow::kContinue;
}

void SegmentLog::put(const Stretch& block, bool now, const StateText& text) {
  expect(block.begin);
  if (block.values.empty()) return;
  if (!sealing()) wait_for_seal();
  for (Values rest = block.values; !rest.empty();) {
    const Values piece = rest.subspan(0, std::min(rest.size(), kPiece));
    open_segment_for(least_width(piece));
    chunks_->put(piece);
    covered_ = end_ += piece.size();
    rest = rest.subspan(piece.size());
  }
  end_segment_in_time(now, text);
}

void SegmentLog::put_chunk(HeapSize begin, const ValueChunk& chunk, ValueWidth width) {
  expect(begin);
  if (!sealing()) wait_for_seal();
  open_segment_for(width);
  chunks_->put_chunk(chunk);
  covered_ = end_ += chunk.count;
  end_segment_in_time(false, {});
}

void SegmentLog::put_state(HeapSize begin, HeapSize end, Values newest, bool now,
                           const StateText& text) {
  expect(begin);
  if (!sealing()) wait_for_seal();  // a seal that failed ends the run now, not at the next one
  if (open_ != nullptr) end_segment();
  end_ = end;
  if (!text) return;
  const bool grown = stays(covered_, end_, newest.size());
  if (!now && !grown && !due()) return;
  wait_for_seal();
  // A state of fewer heaps will be replaced. Until then it is not compared with the memory.
  if (!sealed_.empty() && covered_ < sealed_.back().end()) sealed_.pop_back();
  next_.index = sealed_.size();
  next_.begin = end_ - newest.size();
  next_.width = newest.width();
  auto segment = std::make_unique<SegmentWriter>(directory_.path(), next_);
  ValueChunks chunks(
      executor_, next_, [&](const ValueChunk& chunk) { segment->append(chunk); }, matches_);
  chunks.put(newest);
  chunks.end();
  segment->append_text(text());
  segment->end_state(covered_);
  ++next_.index;
  if (grown) covered_ = end_;
  start_seal(std::move(segment));
}

void SegmentLog::open_segment_for(ValueWidth width) {
  if (open_ != nullptr && width > open_->header().width) end_segment();
  if (open_ == nullptr) begin_segment(width);
}

void SegmentLog::end_segment_in_time(bool now, const StateText& text) {
  const SegmentHeader& header = open_->header();
  const bool full = (end_ - header.begin) * byte_count(header.width) >= interval_.bytes;
  if (now || full || due()) end_segment(text);
}

void SegmentLog::begin_segment(ValueWidth width) {
  next_.begin = end_;
  // The width never shrinks: the table has the largest one.
  next_.width = std::max(next_.width, width);
  open_ = std::make_unique<SegmentWriter>(directory_.path(), next_);
  ++next_.index;
  if (chunks_ != nullptr && chunks_->width() == next_.width) return;
  chunks_ = std::make_unique<ValueChunks>(
      executor_, next_, [this](const ValueChunk& chunk) { open_->append(chunk); }, matches_);
}

void SegmentLog::end_segment(const StateText& text) {
  chunks_->end();
  if (text) {
    open_->append_text(text());
    open_->end_state(open_->header().begin);
  }
  start_seal(std::move(open_));
}

void SegmentLog::start_seal(std::unique_ptr<SegmentWriter> segment) {
  wait_for_seal();
  last_seal_ = std::chrono::steady_clock::now();
  seal_.begin(std::move(segment));
}

void SegmentLog::wait_for_seal() {
  if (seal_.wait()) sealed_.push_back(directory_.segments().back().header);
}

void SegmentLog::seal() {
  if (open_ != nullptr) end_segment();
  wait_for_seal();
}

void SegmentLog::rescue() noexcept {
  // A person must hear of the first failure, not of those of these attempts.
  const auto attempt = [](const auto& step) {
    try {
      step();
    } catch (...) {
    }
  };
  attempt([this] { wait_for_seal(); });
  // A segment after one whose seal has failed continues nothing.
  SegmentWriter* const last = seal_.segment() != nullptr ? seal_.segment() : open_.get();
  if (last == nullptr) return;
  attempt([&] { directory_.seal_whole_chunks(*last); });
  if (control_ != nullptr) control_->set_sealed(directory_.frontier());
}

void SegmentLog::set_aside(std::size_t first) {
  wait_for_seal();
  directory_.set_aside(first);
  if (control_ != nullptr) control_->set_sealed(directory_.frontier());
}

std::vector<Segment> SegmentLog::segments() {
  wait_for_seal();
  std::vector<Segment> segments = directory_.segments();
  if (open_ == nullptr) return segments;
  chunks_->drain();
  chunks_->with_unfinished(
      [&](const ValueChunk* chunk) { segments.push_back(open_->snapshot(chunk)); });
  return segments;
}

Flow SegmentLog::replay_chunks(HeapSize to, ValueWidth width, HeapSize chunk,
                               const ChunkTaker& take, ValueSink& sink) {
  return grundy::replay_chunks(segments(), to, width, chunk, take, sink);
}

}  // namespace grundy
