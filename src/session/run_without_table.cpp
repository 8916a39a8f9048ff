// SPDX-License-Identifier: MIT
#include "session/run_without_table.hpp"

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "session/sealed_recomputation.hpp"
#include "theory/preperiod_search.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy {

StatsCollector RunWithoutTable::take_up(SealedHeaps& heaps) {
  if (setup_.engine.name() != "sparse" && !setup_.chooses()) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' keeps no values that the engine '{}' could go on from; take the "
                    "engine sparse",
                    run_directory_for(setup_.request.output.path).string(), setup_.engine.name()));
  }
  return grundy::take_up(heaps, setup_.kernels, state_, milestones_);
}

ReturnSearch& RunWithoutTable::watch(HeapSize frontier) {
  // Earlier lives that sealed values have left nothing of their search.
  return returns_.emplace(take_, state_.returns.value_or(ReturnState{.end = frontier}));
}

std::optional<PeriodReport> RunWithoutTable::period(const std::vector<Segment>& segments) const {
  const Return& found = *returns_->found();
  if (hooks_.narrate) {
    hooks_.narrate(fmt::format(
        "the newest {} values were there {} heaps before: a period; looking for its "
        "preperiod among the seals",
        format_count(found.facts.count - found.first - found.period), format_count(found.period)));
  }
  SealedRecomputation values(setup_, segments, hooks_);
  const auto preperiod = find_preperiod(found, take_, values.seals(), values);
  if (!preperiod) return std::nullopt;
  return sparse_report(found.facts, take_, preperiod->preperiod, found.period);
}

std::string RunWithoutTable::state_text(const Stretch& stretch, const Count& count) {
  const TableStats stats = count.stats();
  milestones_.note_seal({stats.count, stats.digest});
  // A search that goes on behind its first return would take the second one for the first.
  const bool searching = returns_ && !returns_->found();
  return to_text({.facts = *stretch.sparse,
                  .rare = {stretch.rare.begin(), stretch.rare.end()},
                  .stats = stats,
                  .whole_sections = count.whole_sections(),
                  .statistics = milestones_.found(),
                  .returns = searching ? std::optional(returns_->state()) : std::nullopt});
}

}  // namespace grundy
