// SPDX-License-Identifier: MIT
#include "run/sealed_heaps.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "run/run_directory.hpp"

namespace grundy {

SealedHeaps::SealedHeaps(std::vector<Segment> segments, HeapSize frontier)
    : segments_(std::move(segments)), frontier_(frontier) {
  const auto keeps = [](const Segment& segment) { return segment.header.has_values(); };
  values_.assign(segments_.begin(), std::ranges::find_if_not(segments_, keeps));
  const auto ends_in_time = [&](const Segment& segment) {
    return segment.header.is_state() && segment.header.end() <= frontier_;
  };
  const auto last = std::find_if(segments_.rbegin(), segments_.rend(), ends_in_time);
  if (last == segments_.rend()) return;
  const HeapSize behind = frontier_ - last->header.end();
  const HeapSize most = !has_values()                    ? kMostBehindState
                        : frontier_ <= kMostBehindValues ? kWindow
                                                         : kMostBehindValues;
  if (behind > most) return;
  // Behind a state of one engine another one may have sealed values, and goes on from them.
  const auto is_of_another = [&](const Segment& segment) {
    return segment.header.begin < frontier_ && segment.header.engine != last->header.engine;
  };
  if (has_values() && std::any_of(segments_.rbegin(), last, is_of_another)) return;
  state_ = *last;
  state_text_ = read_state_text(*last);
}

void SealedHeaps::check_values() const {
  for (const Segment& segment : values_) check_segment(segment);
}

void SealedHeaps::bridge(const Gone& gone) {
  const SegmentHeader& state = state_->header;
  gone_ = gone;
  if (gone_->end == state.end()) gone_->end = state.first();
  if (has_own_values()) gone_->end = std::max(gone_->end, state.first());
  if (gone_->begin == 0) gone_->begin = end_of_values();
  gone_->begin = std::min({gone_->begin, end_of_values(), gone_->end});
}

void SealedHeaps::read_newest(HeapSize count, ValueBuffer& values) const {
  const HeapSize end = end_of_state();
  if (newest() < count) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("the state at heap {} has only {} values", end, newest()));
  }
  SinkOf collector([&](const Stretch& block) { values.append(block.values); });
  replay(end - count, end, collector);
}

HeapSize SealedHeaps::count() const noexcept {
  const HeapSize end = state_ ? end_of_state() : frontier_;
  // A late heap of a short run may cost as much as hundreds of early ones.
  const HeapSize known = end - std::min(end / kWindowShare, kWindow);
  return known - known % kUnit;
}

void SealedHeaps::replay(ValueSink& sink) const {
  if (count() == 0) return;
  replay(0, gone_ ? gone_->begin : count(), sink);
  if (gone_) replay(gone_->end, count(), sink);
}

void SealedHeaps::replay(HeapSize from, HeapSize to, ValueSink& sink) const {
  const bool own = state_ && has_own_values();
  const HeapSize newest = own ? state_->header.first() : to;
  if (grundy::replay(values_, from, std::min(to, newest), sink) == Flow::kStop) return;
  if (own) grundy::replay({*state_}, std::max(from, newest), to, sink);
}

void SealedHeaps::read_window(ValueBuffer& values) const {
  SinkOf collector([&](const Stretch& block) { values.append(block.values); });
  replay(count(), frontier_, collector);
}

}  // namespace grundy
