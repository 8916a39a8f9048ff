/// @file
/// The Grundy value of one heap from the stored values of smaller heaps: the definition, and
/// nothing else. The digits of a rule are read here by code of its own, apart from the engines and
/// from pair_moves.hpp, so that no two of them misread a rule in the same way.
///
/// Plain loops cover moves that leave at most three heaps without a constraint on three. All other
/// moves come from the list of options that people see (for_each_option). Cost: every option.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The data that one thread needs to look at options.
class HeapDefinition {
 public:
  /// `values` are those of heaps 0 .. values.size()-1; none is above `largest`.
  HeapDefinition(const HeapRule& rule, Values values, Nimber largest);

  /// The mex of the values of the options of a heap of n tokens, to pass included. @pre n <=
  /// values.size()
  [[nodiscard]] std::uint64_t mex(HeapSize n);
  /// The clause about a heap whose stored value is not that mex (value_fault()). @pre n <
  /// values.size()
  [[nodiscard]] std::string fault(HeapSize n);
  /// The approximate number of options of the heap; options without a bound count as very many.
  [[nodiscard]] double options(HeapSize n) const;

 private:
  template <class T>
  void mark_digit(const T* values, const Digit& digit, HeapSize rest);
  template <class T>
  void mark_all(const T* values, HeapSize n);

  const HeapRule& rule_;
  Values values_;
  bool plain_;                   ///< the loops here cover all moves
  std::vector<HeapSize> takes_;  ///< subtraction games: numbers of tokens that may be removed,
                                 ///< ascending
  std::vector<std::uint8_t> seen_;
};

}  // namespace grundy
