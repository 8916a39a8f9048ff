// SPDX-License-Identifier: MIT
#include "session/windowed_run.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "session/sealed_recomputation.hpp"
#include "theory/preperiod_search.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy {
namespace {

/// Engines look for witnesses among this number of newest values.
constexpr HeapSize kLeastSealed = HeapSize{1} << 18;

}  // namespace

StatsCollector WindowedRun::take_up(SealedHeaps& heaps) {
  return grundy::take_up(heaps, setup_.kernels, state_, milestones_, newest_);
}

ReturnSearch& WindowedRun::watch(HeapSize frontier) {
  // Earlier lives that sealed values have left no state of their search.
  ReturnState state =
      std::exchange(state_.returns, std::nullopt).value_or(ReturnState{.end = frontier});
  const HeapSize needed = state.newest;
  returns_.emplace(take_, std::move(state),
                   newest_.values().subspan(newest_.size() - needed, needed));
  ValueBuffer().swap(newest_);
  return *returns_;
}

PeriodReport WindowedRun::period(const std::vector<Segment>& segments) {
  const Return& found = *returns_->found();
  if (hooks_.narrate) {
    hooks_.narrate(fmt::format(
        "the newest {} values were there {} heaps before: a period; looking for its "
        "preperiod among the seals",
        format_count(found.facts.count - found.first - found.period), format_count(found.period)));
  }
  SealedRecomputation values(setup_, segments, hooks_);
  const auto preperiod = find_preperiod(found, take_, values.seals(), values, hooks_.progress);
  if (preperiod) {
    if (preperiod->preperiod > 0) {
      milestones_.note_exception({preperiod->preperiod - 1, preperiod->value, preperiod->later});
    }
    return sparse_report(found.facts, take_, preperiod->preperiod, found.period);
  }
  if (hooks_.narrate) {
    hooks_.narrate(fmt::format("the period {} is proved from heap {} on; its preperiod may be less",
                               format_count(found.period), format_count(found.first)));
  }
  return {.status = PeriodStatus::kCandidate,
          .preperiod = found.first,
          .period = found.period,
          .verified_to = found.facts.count,
          .theorem = {}};
}

Values WindowedRun::newest_needed(const Stretch& stretch) const noexcept {
  constexpr HeapSize kComputedAgain = KnownValues::kWindow + KnownValues::kUnit;
  // The search may remember more values than the engine, which has just let values go.
  const Values watched = returns_ ? returns_->newest() : Values{};
  const Values kept = watched.size() > stretch.newest.size() ? watched : stretch.newest;
  const HeapSize last = stretch.rare.empty() ? 0 : stretch.rare.back();
  const HeapSize least = std::max<HeapSize>(
      {stretch.end() % kDigestSection, 2 * (last + take_) + kComputedAgain, watched.size()});
  // A window must reach as far back as heaps look. All values are always enough.
  if (kept.size() < least) return kept.size() == stretch.end() ? kept : Values{};
  // Later heaps may look farther back than any heap so far.
  const HeapSize safe = 2 * sparse_window(*stretch.sparse, take_) + kComputedAgain;
  const HeapSize size = std::min<HeapSize>(kept.size(), std::max({least, safe, kLeastSealed}));
  return kept.subspan(kept.size() - size, size);
}

RunState WindowedRun::state_at(const Stretch& stretch, const Count& count) const {
  return {.facts = *stretch.sparse,
          .rare = {stretch.rare.begin(), stretch.rare.end()},
          .stats = count.stats(),
          .whole_sections = count.whole_sections(),
          .statistics = milestones_.found(),
          .end_of_first = stretch.first.size(),
          .newest = stretch.newest.size()};
}

std::string WindowedRun::extension_state(const Stretch& stretch, const Count& count,
                                         bool stands_alone) const {
  const RunState state = state_at(stretch, count);
  return stands_alone ? to_text(state, stretch.first, stretch.newest) : to_text(state);
}

std::string WindowedRun::state_text(const Stretch& stretch, const Count& count) {
  const TableStats stats = count.stats();
  milestones_.note_seal({stats.count, stats.digest});
  RunState state = state_at(stretch, count);
  if (returns_) state.returns = returns_->state();
  return to_text(state);
}

}  // namespace grundy
