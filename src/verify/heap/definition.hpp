/// @file
/// The Grundy value of one heap from the stored values of smaller heaps: the definition, and
/// nothing else. What the digits of a rule mean is read here once more, apart from the engines and
/// from pair_moves.hpp on purpose, so that no two of them misread a rule in the same way.
///
/// Moves that leave at most three heaps without a constraint on three are plain loops; everything
/// else goes through the list of options that people see (for_each_option). Cost: every option.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// What one thread needs to look at options.
class HeapDefinition {
 public:
  /// `values` are those of heaps 0 .. values.size()-1; none is above `largest`.
  HeapDefinition(const HeapRule& rule, Values values, Nimber largest);

  /// The mex of the values of the options of a heap of n tokens. @pre n <= values.size()
  [[nodiscard]] std::uint64_t mex(HeapSize n);
  /// About how many options the heap has; what has no bound counts as very many.
  [[nodiscard]] double options(HeapSize n) const;

 private:
  template <class T>
  void mark_digit(const T* values, const Digit& digit, HeapSize rest);
  template <class T>
  void mark_all(const T* values, HeapSize n);

  const HeapRule& rule_;
  Values values_;
  bool plain_;                   ///< the loops here cover every move
  std::vector<HeapSize> takes_;  ///< subtraction games: what may be removed, ascending
  std::vector<std::uint8_t> seen_;
};

}  // namespace grundy
