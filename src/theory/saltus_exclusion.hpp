/// @file
/// Decides whether an arithmetically periodic sequence of values is ever met by its own options.
///
/// Let F(n + p) = F(n) + s for n >= e, and let {a, b, c} be an option of heap n (a heap of 0 stands
/// for none). The excess F(a) + F(b) + F(c) - F(n) stays the same if p is added to n and to one of
/// a, b, c that is at least e. So it depends on finitely many classes of heaps. The option has the
/// value F(n) if and only if the excess is twice the bitwise majority of the three values. Odd and
/// negative excesses are no majorities. For the others a search over the bits of the values, from
/// the lowest one up, finds out whether some multiples of s lead to that majority.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <set>
#include <span>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

#include "theory/period_theorem.hpp"
#include "theory/three_values.hpp"

namespace grundy {

/// Answers whether three values can have a given majority. It serves many questions and remembers
/// the states that have no solution.
class MajoritySearch {
 public:
  enum class Answer { kUnsolvable, kSolvable, kTooLarge };

  /// A search that meets more states than this is given up.
  static constexpr std::size_t kMostStates = std::size_t{1} << 21;

  explicit MajoritySearch(Nimber saltus, std::size_t most_states = kMostStates)
      : saltus_(saltus), most_states_(most_states) {}

  /// kTooLarge means that nothing is known: all questions of this object together met too many
  /// states.
  [[nodiscard]] Answer ask(ThreeValues question);

 private:
  Nimber saltus_;
  std::size_t most_states_;
  std::set<ThreeValues> seen_;  ///< none leads to a solution, except perhaps those of a search
                                ///< under way
};

/// Returns true if no option of a heap n > 3 e + t has the value that the pattern gives heap n,
/// provided that all heaps below n obey the pattern. Here t is the largest number of tokens that a
/// move removes. Returns false if some option may have that value.
/// @pre rule is a finite code without constraints, with at most three heaps; values as for
/// prove_saltus(), with pattern.size >= max(e, 1) + p
[[nodiscard]] bool options_avoid_pattern(const TakeBreakRule& rule, std::span<const Nimber> values,
                                         const PeriodPattern& pattern);

}  // namespace grundy
