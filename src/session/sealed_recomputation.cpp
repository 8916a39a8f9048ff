// SPDX-License-Identifier: MIT
#include "session/sealed_recomputation.hpp"

#include <algorithm>
#include <iterator>

#include "run/run_directory.hpp"
#include "run/sealed_heaps.hpp"
#include "session/run_state.hpp"

namespace grundy {
namespace {

/// Where values are sealed they need not be computed, so any heap is as good as one with a seal.
constexpr HeapSize kValuesBetweenSeals = HeapSize{1} << 22;

/// Passes on the values of heaps begin .. end - 1, then ends the run that hands them over.
class Excerpt final : public ValueSink {
 public:
  Excerpt(HeapSize begin, HeapSize end, ValueSink& sink) : begin_(begin), end_(end), sink_(sink) {}

  Flow put(const Stretch& block) override {
    const Stretch part = block.from(begin_).to(end_);
    if (!part.values.empty()) {
      stopped_ = sink_.put(part) == Flow::kStop;
      begin_ = part.end();
    }
    return stopped_ || done() ? Flow::kStop : Flow::kContinue;
  }
  [[nodiscard]] bool done() const noexcept { return begin_ >= end_; }
  /// Where the next value is wanted.
  [[nodiscard]] HeapSize next() const noexcept { return begin_; }
  [[nodiscard]] bool stopped() const noexcept { return stopped_; }

 private:
  HeapSize begin_;
  HeapSize end_;
  ValueSink& sink_;
  bool stopped_ = false;
};

}  // namespace

std::vector<HeapSize> SealedRecomputation::seals() const {
  std::vector<HeapSize> heaps;
  for (const Segment& segment : segments_) {
    if (segment.header.has_values()) {
      for (HeapSize n = segment.header.begin; n < segment.header.end(); n += kValuesBetweenSeals) {
        heaps.push_back(n);
      }
    }
    if (segment.header.is_state()) heaps.push_back(segment.header.end());
  }
  heaps.erase(std::unique(heaps.begin(), heaps.end()), heaps.end());
  return heaps;
}

RunStatus SealedRecomputation::compute(HeapSize begin, HeapSize end, ValueSink& sink,
                                       ProgressSink* progress) {
  if (hooks_.stop.stop_requested()) return RunStatus::kCancelled;
  const auto has_values = [](const Segment& segment) { return segment.header.has_values(); };
  const auto first_state = std::ranges::find_if_not(segments_, has_values);
  Excerpt excerpt(begin, end, sink);
  replay({segments_.begin(), first_state}, begin, end, excerpt);
  if (!excerpt.done() && !excerpt.stopped()) {
    // The last state, or else the last values, if all heaps before the first missing one are there.
    const auto behind = std::find_if(first_state, segments_.end(), [&](const Segment& segment) {
      return segment.header.end() > excerpt.next();
    });
    const HeapSize frontier = behind == segments_.begin() ? 0 : std::prev(behind)->header.end();
    SealedHeaps known({segments_.begin(), behind}, frontier);
    RunState state;
    if (known.has_state()) bridge(known, state);
    Hooks hooks = hooks_;
    hooks.progress = progress;
    if (setup_.run(end, excerpt, hooks, frontier > 0 ? &known : nullptr) == RunStatus::kCancelled) {
      return RunStatus::kCancelled;
    }
  }
  return excerpt.stopped() ? RunStatus::kStoppedBySink : RunStatus::kComplete;
}

}  // namespace grundy
