// SPDX-License-Identifier: MIT
#include "theory/saltus_exclusion.hpp"

#include <algorithm>
#include <vector>

#include "theory/pattern_splits.hpp"

namespace grundy {

CarrySearch::Answer CarrySearch::ask(GrowingValues question) {
  std::vector<GrowingValues> open;
  const auto meet = [&](const GrowingValues& state) {
    if (seen_.insert(state).second) open.push_back(state);
  };
  if (!question.drop_fixed_bits(fixed_bits_)) return Answer::kUnsolvable;
  question.normalize();
  meet(question);
  while (!open.empty()) {
    if (seen_.size() > most_states_) return Answer::kTooLarge;
    const GrowingValues state = std::move(open.back());
    open.pop_back();
    if (state.solved()) return Answer::kSolvable;
    state.for_each_half(odd_saltus_,
                        [&meet](const GrowingValues& rest, std::uint64_t) { meet(rest); });
  }
  return Answer::kUnsolvable;
}

bool options_avoid_pattern(const TakeBreakRule& rule, std::span<const Nimber> values,
                           const PeriodPattern& pattern) {
  const PatternValues all(values, pattern);
  PatternSplits splits(rule, all);
  CarrySearch search(pattern.saltus);
  for (std::size_t removed = 0; removed < rule.digits.size(); ++removed) {
    const auto avoids = [&](const PatternSplits::Split& split) {
      // Splits into small heaps only belong to heaps below H e + t.
      if (std::ranges::none_of(split.terms, &GrowingValues::Term::grows)) return true;
      std::set<std::uint64_t> carries;
      for (HeapSize tokens = 0; tokens < split.tokens.size(); ++tokens) {
        const std::int64_t twice = static_cast<std::int64_t>(split.sum) - all[tokens + removed];
        if (split.tokens[tokens] == 0 || twice < 0 || twice % 2 != 0) continue;
        carries.insert(static_cast<std::uint64_t>(twice / 2));
      }
      return std::ranges::all_of(carries, [&](std::uint64_t carry) {
        return search.ask({split.terms, carry}) == CarrySearch::Answer::kUnsolvable;
      });
    };
    const std::int64_t least =
        all.least_excess() + std::int64_t{pattern.saltus} * static_cast<std::int64_t>(removed);
    if (!splits.for_each(removed, least, avoids)) return false;
  }
  return true;
}

}  // namespace grundy
