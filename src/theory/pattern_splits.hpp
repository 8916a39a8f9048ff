/// @file
/// The options that a heap of any size has under a pattern G(n + p) = G(n) + s, as finitely many
/// choices of classes.
///
/// The excess of an option {a_1, .., a_h} is the sum of p G(a_j) - s a_j; it depends on the classes
/// only. A nim-sum is at most the sum. So an option of heap n, after i tokens were removed, has a
/// value of at least G(n) - j only if its excess is at least p G(n) - s n - p j + s i.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

#include "theory/heap_classes.hpp"

namespace grundy {

class PatternSplits {
 public:
  /// A choice of kinds, and all choices of classes for them.
  struct Split {
    std::vector<GrowingValues::Term> terms;
    std::uint64_t sum = 0;  ///< of the values
    /// tokens[m] is not 0: the least heaps of some choice of classes have m tokens together.
    std::vector<std::uint8_t> tokens;
  };

  /// A search with more steps than this is given up: some seconds.
  static constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 33;

  /// Keeps references to both.
  /// @pre the rule is a finite code
  PatternSplits(const TakeBreakRule& rule, const PatternValues& values,
                std::uint64_t most_steps = kMostSteps)
      : rule_(rule), values_(values), kinds_(values.kinds()), most_steps_(most_steps) {}

  /// Calls body(split) for all choices of as many heaps as the digit of `removed` allows, and of
  /// classes whose excess is at least `least`. (Some whose excess is less may be among them.)
  /// Returns false if `body` returned false, which ends the search, or if all searches of this
  /// object together had too many steps.
  [[nodiscard]] bool for_each(std::size_t removed, std::int64_t least,
                              const std::function<bool(const Split&)>& body);

 private:
  [[nodiscard]] bool extend(unsigned more, std::size_t from, const Split& split, std::int64_t least,
                            const std::function<bool(const Split&)>& body);

  const TakeBreakRule& rule_;
  const PatternValues& values_;
  std::vector<HeapKind> kinds_;  ///< by descending excess
  std::uint64_t most_steps_;
  std::uint64_t steps_ = 0;
};

}  // namespace grundy
