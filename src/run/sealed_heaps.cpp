// SPDX-License-Identifier: MIT
#include "run/sealed_heaps.hpp"

#include <algorithm>
#include <utility>

#include "run/run_directory.hpp"

namespace grundy {

SealedHeaps::SealedHeaps(std::vector<Segment> segments, HeapSize frontier)
    : segments_(std::move(segments)), frontier_(frontier) {
  const auto is_state = [](const Segment& segment) { return segment.header.is_state(); };
  values_.assign(segments_.begin(), std::ranges::find_if(segments_, is_state));
  if (segments_.empty() || !segments_.back().header.is_state()) return;
  state_ = segments_.back();
  state_text_ = read_state_text(*state_);
}

void SealedHeaps::read_state(ValueBuffer& values) const {
  SinkOf collector([&](const Stretch& block) { values.append(block.values); });
  replay_segment(*state_, state_->header.first(), frontier_, collector);
}

void SealedHeaps::bridge(const Gap& gap) {
  gap_ = gap;
  gap_->end = state_->header.first();
  gap_->begin = values_.empty() ? 0 : std::min(values_.back().header.end(), gap_->end);
}

HeapSize SealedHeaps::count() const noexcept {
  const HeapSize known = frontier_ - std::min(frontier_, kWindow);
  return known - known % kUnit;
}

void SealedHeaps::replay(HeapSize from, HeapSize to, ValueSink& sink) const {
  const HeapSize newest = state_ ? state_->header.first() : to;
  if (grundy::replay(values_, from, std::min(to, newest), sink) == Flow::kStop) return;
  if (state_) grundy::replay({*state_}, std::max(from, newest), to, sink);
}

void SealedHeaps::read_window(ValueBuffer& values) const {
  SinkOf collector([&](const Stretch& block) { values.append(block.values); });
  replay(count(), frontier_, collector);
}

}  // namespace grundy
