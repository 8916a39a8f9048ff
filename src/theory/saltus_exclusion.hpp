/// @file
/// Decides whether an arithmetically periodic sequence of values is ever met by its own options.
///
/// Let F(n + p) = F(n) + s for n >= e, and let {a_1, .., a_h} be an option of heap n. The number
/// F(a_1) + .. + F(a_h) - F(n) stays the same if p is added to n and to one of the a_j that is at
/// least e. So it depends on finitely many classes of heaps. The option has the value F(n) if and
/// only if that number is twice the carry of the values (growing_values.hpp). Odd and negative
/// numbers are none. For the others a search over the bits of the values, from the lowest one up,
/// finds out whether some multiples of s lead to that carry.
// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <set>
#include <span>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

#include "theory/growing_values.hpp"
#include "theory/period_theorem.hpp"

namespace grundy {

/// Answers whether values can have a given carry. It serves many questions and remembers the states
/// that have no solution.
class CarrySearch {
 public:
  enum class Answer { kUnsolvable, kSolvable, kTooLarge };

  /// A search that meets more states than this is given up.
  static constexpr std::size_t kMostStates = std::size_t{1} << 21;

  /// @pre saltus > 0
  explicit CarrySearch(Nimber saltus, std::size_t most_states = kMostStates)
      : fixed_bits_(static_cast<unsigned>(std::countr_zero(saltus))),
        odd_saltus_(saltus >> fixed_bits_),
        most_states_(most_states) {}

  /// kTooLarge means that nothing is known: all questions of this object together met too many
  /// states.
  [[nodiscard]] Answer ask(GrowingValues question);

 private:
  unsigned fixed_bits_;  ///< multiples of the saltus do not change so many of the lowest bits
  Nimber odd_saltus_;    ///< the saltus without them
  std::size_t most_states_;
  std::set<GrowingValues> seen_;  ///< none leads to a solution, except perhaps those of a search
                                  ///< under way
};

/// Returns true if no option of a heap n > H e + t has the value that the pattern gives heap n,
/// provided that all heaps below n obey the pattern. Here a move leaves at most H heaps and removes
/// at most t tokens. Returns false if some option may have that value, or if that is not known.
/// @pre rule is a finite code without constraints; values as for prove_saltus(), with
/// pattern.size >= max(e, 1) + p
[[nodiscard]] bool options_avoid_pattern(const TakeBreakRule& rule, std::span<const Nimber> values,
                                         const PeriodPattern& pattern);

}  // namespace grundy
