// SPDX-License-Identifier: MIT
#include "atlas/literature_search.hpp"

#include <string>

#include <grundy/heap/rule.hpp>

namespace grundy::atlas {
namespace {

/// Periods are proved here of games whose preperiod and period together are at most this.
constexpr HeapSize kEarly = HeapSize{1} << 13;

const std::string kEngine = "auto";

}  // namespace

LiteratureSearch::LiteratureSearch(const KernelSet& kernels, Executor& executor)
    : kernels_(kernels), executor_(executor) {
  for (const KnownGame& known : known_games()) {
    const HeapRule rule = HeapRule::parse(known.code);
    const auto form = standard_form(rule);
    if (!form) continue;  // codes that leave three heaps are found by their period
    known_of_form_.try_emplace(form->code, &known);
    const auto first = run_game({.rule = rule,
                                 .count = form->shift + kReach + 1,
                                 .engine = kEngine,
                                 .kernels = kernels_,
                                 .executor = executor_,
                                 .stop = {}});
    known_of_form_.try_emplace(*with_redundant_moves(*form, first->load().view()), &known);
  }
}

const KnownGame* LiteratureSearch::find(const std::vector<Game>& games, const Unit& unit) {
  const KnownGame* known = nullptr;
  if (const auto& form = games[unit.games.front().game].form) {
    known = of_form(form->code);
    if (known != nullptr) return known;
    if (const auto code = with_redundant_moves(*form, unit.result.load().view())) {
      known = of_form(*code);
    }
  }
  return known == nullptr && unit.result.certified() ? of_period(unit.result) : known;
}

const KnownGame* LiteratureSearch::of_form(const PlainCode& code) const {
  const auto found = known_of_form_.find(code);
  return found == known_of_form_.end() ? nullptr : found->second;
}

const KnownGame* LiteratureSearch::of_period(const GameResult& result) {
  for (const KnownGame& known : known_games()) {
    if (known.period != result.period.period || known.saltus != result.period.saltus ||
        known.preperiod + known.period > kEarly) {
      continue;
    }
    if (have_equal_periods(result_of(known), result)) return &known;
  }
  return nullptr;
}

const GameResult& LiteratureSearch::result_of(const KnownGame& known) {
  const auto place = results_.find(known.code);
  if (place != results_.end()) return place->second;
  // Twice the preperiod and the period, and the digits, are what the theorem of octal games wants.
  const HeapSize count = 4 * (known.preperiod + known.period) + 64;
  auto result = run_game({.rule = HeapRule::parse(known.code),
                          .count = count,
                          .engine = kEngine,
                          .kernels = kernels_,
                          .executor = executor_,
                          .stop = {},
                          .end_early = true});
  return results_.emplace(known.code, std::move(*result)).first->second;
}

}  // namespace grundy::atlas
