// SPDX-License-Identifier: MIT
#include "session/sealed_recomputation.hpp"

#include <algorithm>
#include <utility>

#include "run/run_directory.hpp"
#include "session/run_state.hpp"

namespace grundy {
namespace {

/// What a run knew when a state was sealed: its first values, and those of the state.
class KnownAtState final : public KnownValues {
 public:
  KnownAtState(const std::vector<Segment>& values, const Segment& state)
      : values_(values),
        segment_(state),
        state_(parse_run_state(read_state_text(state), state.header.end())) {
    const SparseFacts facts = state_.facts_below(count());
    gap_ = {.begin = values.empty() ? 0 : std::min(values.back().header.end(), first()),
            .end = first(),
            .facts = facts,
            .rare = std::span(state_.rare).first(facts.rare),
            .largest = state_.stats.max_value};
  }

  [[nodiscard]] HeapSize count() const noexcept override {
    return segment_.header.end() - segment_.header.end() % kUnit;
  }
  [[nodiscard]] const Gap* gap() const noexcept override { return &gap_; }
  void replay(ValueSink& sink) const override {
    if (grundy::replay(values_, 0, gap_.begin, sink) == Flow::kContinue) {
      grundy::replay({segment_}, first(), count(), sink);
    }
  }

 private:
  [[nodiscard]] HeapSize first() const noexcept { return segment_.header.first(); }

  const std::vector<Segment>& values_;
  const Segment& segment_;
  RunState state_;
  Gap gap_;
};

/// Passes on the values of heaps begin .. end - 1, and ends what hands them over.
class Excerpt final : public ValueSink {
 public:
  Excerpt(HeapSize begin, HeapSize end, ValueSink& sink) : begin_(begin), end_(end), sink_(sink) {}

  Flow put(const Stretch& block) override {
    const HeapSize from = std::max(begin_, block.begin);
    const HeapSize to = std::min(end_, block.end());
    if (from < to) {
      const Values values = block.values.subspan(from - block.begin, to - from);
      stopped_ = sink_.put({from, values, {}}) == Flow::kStop;
      begin_ = to;
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
    if (segment.header.is_state()) heaps.push_back(segment.header.end());
  }
  return heaps;
}

RunStatus SealedRecomputation::compute(HeapSize begin, HeapSize end, ValueSink& sink) {
  const auto first_state = std::ranges::find_if(
      segments_, [](const Segment& segment) { return segment.header.is_state(); });
  const std::vector<Segment> values(segments_.begin(), first_state);
  Excerpt excerpt(begin, end, sink);
  if (!values.empty()) replay(values, begin, end, excerpt);
  // The last state with all values before the first that is missing.
  const Segment* state = nullptr;
  for (auto at = first_state; at != segments_.end() && at->header.end() <= excerpt.next(); ++at) {
    state = &*at;
  }
  if (!excerpt.done() && !excerpt.stopped()) {
    Hooks hooks = hooks_;
    hooks.progress = nullptr;
    RunStatus status = RunStatus::kComplete;
    if (state != nullptr) {
      const KnownAtState known(values, *state);
      status = setup_.run(end, excerpt, hooks, &known);
    } else {
      status = setup_.run(end, excerpt, hooks);
    }
    if (status == RunStatus::kCancelled) return status;
  }
  return excerpt.stopped() ? RunStatus::kStoppedBySink : RunStatus::kComplete;
}

}  // namespace grundy
