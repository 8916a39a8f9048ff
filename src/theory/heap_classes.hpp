/// @file
/// The classes of heaps under a pattern G(n + p) = G(n) + s: single heaps before it begins, and the
/// heaps that are equal modulo p from there on.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "theory/growing_values.hpp"
#include "theory/period_theorem.hpp"

namespace grundy {

/// The classes whose least heaps have the same value. In an option only their sizes tell them
/// apart.
struct HeapKind {
  GrowingValues::Term value;    ///< of the least heaps; grows if the pattern has begun there
  std::vector<HeapSize> sizes;  ///< of the least heaps, ascending
  std::int64_t excess = 0;      ///< the largest excess of a class
};

/// The values that a pattern gives to all heaps.
class PatternValues {
 public:
  /// @pre the values show the pattern, and are at least max(e, 1) + p
  PatternValues(std::span<const Nimber> values, const PeriodPattern& pattern)
      : values_(values), pattern_(pattern), first_(std::max<HeapSize>(pattern.preperiod, 1)) {}

  [[nodiscard]] const PeriodPattern& pattern() const noexcept { return pattern_; }

  [[nodiscard]] std::int64_t operator[](HeapSize n) const noexcept {
    if (n < first_) return values_[n];
    return static_cast<std::int64_t>(values_[first_ + (n - first_) % pattern_.period] +
                                     (n - first_) / pattern_.period * pattern_.saltus);
  }

  /// p G(n) - s n, which the heaps of a class share.
  [[nodiscard]] std::int64_t excess(HeapSize n) const noexcept {
    return static_cast<std::int64_t>(pattern_.period) * (*this)[n] -
           static_cast<std::int64_t>(pattern_.saltus) * static_cast<std::int64_t>(n);
  }

  /// The least excess of a heap from max(e, 1) on.
  [[nodiscard]] std::int64_t least_excess() const noexcept {
    std::int64_t least = excess(first_);
    for (HeapSize n = first_; n < first_ + pattern_.period; ++n) least = std::min(least, excess(n));
    return least;
  }

  /// All kinds of heaps that may be in an option, by descending excess.
  [[nodiscard]] std::vector<HeapKind> kinds() const {
    std::map<GrowingValues::Term, std::vector<HeapSize>> sizes;
    for (HeapSize a = 1; a < first_ + pattern_.period; ++a) {
      sizes[{values_[a], a >= first_}].push_back(a);
    }
    std::vector<HeapKind> all;
    for (auto& [value, of_kind] : sizes) {
      const std::int64_t largest = excess(of_kind.front());
      all.push_back({value, std::move(of_kind), largest});
    }
    std::ranges::stable_sort(all, std::greater<>(), &HeapKind::excess);
    return all;
  }

 private:
  std::span<const Nimber> values_;
  PeriodPattern pattern_;
  HeapSize first_;
};

}  // namespace grundy
