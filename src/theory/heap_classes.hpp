/// @file
/// The classes of heaps under a pattern G(n + p) = G(n) + s: single heaps before it begins, and the
/// heaps that are equal modulo p from there on.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "theory/period_theorem.hpp"
#include "theory/three_values.hpp"

namespace grundy {

struct HeapClass {
  std::int64_t size = 0;    ///< size of the least heap of the class
  ThreeValues::Term value;  ///< value of that heap; grows with the heap if the pattern has begun
};

/// The values that a pattern gives to all heaps.
class PatternValues {
 public:
  /// @pre the values show the pattern, and are at least max(e, 1) + p
  PatternValues(std::span<const Nimber> values, const PeriodPattern& pattern)
      : values_(values), pattern_(pattern), first_(std::max<HeapSize>(pattern.preperiod, 1)) {}

  /// max(e, 1): from here on heaps follow the pattern and may be in an option.
  [[nodiscard]] HeapSize first() const noexcept { return first_; }

  [[nodiscard]] std::int64_t operator[](HeapSize n) const noexcept {
    if (n < first_) return values_[n];
    return static_cast<std::int64_t>(values_[first_ + (n - first_) % pattern_.period] +
                                     (n - first_) / pattern_.period * pattern_.saltus);
  }

  /// p G(n) - s n, which the heaps of a class share.
  [[nodiscard]] std::int64_t excess(std::int64_t n) const noexcept {
    return static_cast<std::int64_t>(pattern_.period) * (*this)[static_cast<HeapSize>(n)] -
           static_cast<std::int64_t>(pattern_.saltus) * n;
  }

  /// All classes of heaps that may be in an option, by ascending least heap.
  [[nodiscard]] std::vector<HeapClass> classes() const {
    std::vector<HeapClass> all;
    for (HeapSize a = 1; a < first_ + pattern_.period; ++a) {
      all.push_back({static_cast<std::int64_t>(a), {values_[a], a >= first_}});
    }
    return all;
  }

 private:
  std::span<const Nimber> values_;
  PeriodPattern pattern_;
  HeapSize first_;
};

}  // namespace grundy
