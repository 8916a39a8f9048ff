// SPDX-License-Identifier: MIT
#include "theory/saltus_exclusion.hpp"

#include <algorithm>

namespace grundy {
namespace {

/// Beyond so many splits into classes of heaps a proof is given up: some seconds.
constexpr std::uint64_t kMostSplits = std::uint64_t{1} << 30;

std::uint64_t majority_of(std::uint64_t x, std::uint64_t y, std::uint64_t z) noexcept {
  return (x & y) | (x & z) | (y & z);
}

/// A heap below e, or the heaps from e on that are equal modulo p.
struct HeapClass {
  std::int64_t excess = 0;  ///< p F(a) - s a, the same for all heaps of the class
  std::int64_t size = 0;    ///< of its least heap
  MajoritySearch::Term value;
};

class ClassSearch {
 public:
  ClassSearch(const TakeBreakRule& rule, std::span<const Nimber> values,
              const PeriodPattern& pattern)
      : rule_(rule),
        values_(values),
        pattern_(pattern),
        first_(std::max<HeapSize>(pattern.preperiod, 1)),
        search_(pattern.saltus) {
    for (HeapSize a = 1; a < first_ + pattern.period; ++a) {
      classes_.push_back({excess(a), static_cast<std::int64_t>(a), {values[a], a >= first_}});
    }
    std::ranges::sort(classes_, std::greater<>(), &HeapClass::excess);
    for (HeapSize n = first_; n < first_ + pattern.period; ++n) {
      least_ = n == first_ ? excess(n) : std::min(least_, excess(n));
    }
  }

  bool run() {
    for (std::size_t i = 0; i < rule_.digits.size(); ++i) {
      removed_ = static_cast<std::int64_t>(i);
      for (unsigned heaps = 1; heaps <= 3; ++heaps) {
        if (!rule_.digits[i].constraint(heaps)) continue;
        if (!extend(heaps, 0, 0)) return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] std::int64_t excess(HeapSize n) const noexcept {
    return static_cast<std::int64_t>(pattern_.period * values_[n]) -
           static_cast<std::int64_t>(pattern_.saltus * n);
  }

  /// F(n). @pre n >= e
  [[nodiscard]] std::int64_t value(std::int64_t n) const noexcept {
    const HeapSize above = static_cast<HeapSize>(n) - first_;
    return static_cast<std::int64_t>(values_[first_ + above % pattern_.period] +
                                     above / pattern_.period * pattern_.saltus);
  }

  /// Adds `more` heaps to the split, of classes from `from` on. False: an option may have the
  /// value.
  bool extend(unsigned more, std::size_t from, std::int64_t excess) {
    if (more == 0) return avoids();
    for (std::size_t c = from; c < classes_.size(); ++c) {
      // Excesses descend. A split that is too small in value by its excess cannot be the pattern's,
      // as a nim-sum is no more than the sum.
      const std::int64_t most = excess + static_cast<std::int64_t>(more) * classes_[c].excess;
      if (most < least_ + static_cast<std::int64_t>(pattern_.saltus) * removed_) return true;
      split_.push_back(&classes_[c]);
      if (!extend(more - 1, c, excess + classes_[c].excess)) return false;
      split_.pop_back();
    }
    return true;
  }

  bool avoids() {
    if (++splits_ > kMostSplits) return false;
    std::array<MajoritySearch::Term, 3> terms{};
    std::int64_t heap = removed_;
    std::int64_t sum = 0;
    std::size_t j = 0;
    for (const HeapClass* part : split_) {
      terms.at(j++) = part->value;
      heap += part->size;
      sum += static_cast<std::int64_t>(part->value.value);
    }
    // Splits of small heaps only belong to heaps below 3 e + t.
    if (std::ranges::none_of(terms, &MajoritySearch::Term::grows)) return true;
    const std::int64_t twice = sum - value(heap);
    if (twice < 0 || twice % 2 != 0) return true;
    return search_.ask(terms, static_cast<std::uint64_t>(twice / 2)) ==
           MajoritySearch::Answer::kUnsolvable;
  }

  const TakeBreakRule& rule_;
  std::span<const Nimber> values_;
  const PeriodPattern& pattern_;
  HeapSize first_;
  MajoritySearch search_;
  std::vector<HeapClass> classes_;  ///< by descending excess
  std::vector<const HeapClass*> split_;
  std::int64_t least_ = 0;  ///< the least excess of a heap from e on
  std::int64_t removed_ = 0;
  std::uint64_t splits_ = 0;
};

}  // namespace

MajoritySearch::Answer MajoritySearch::ask(const std::array<Term, 3>& terms,
                                           std::uint64_t majority) {
  std::vector<State> open;
  const auto meet = [&](State state) {
    std::ranges::sort(state.terms);
    if (seen_.insert(state).second) open.push_back(state);
  };
  meet({terms, majority});
  while (!open.empty()) {
    if (seen_.size() > most_states_) return Answer::kTooLarge;
    const State state = open.back();
    open.pop_back();
    const auto& [x, y, z] = state.terms;
    if (majority_of(x.value, y.value, z.value) == state.majority) return Answer::kSolvable;
    // q_j is even or odd. The parities decide the lowest bits; the rest is the same question about
    // the halves.
    for (unsigned odd = 0; odd < 8; ++odd) {
      State next = state;
      bool possible = true;
      for (unsigned j = 0; j < 3; ++j) {
        if ((odd >> j & 1u) == 0) continue;
        possible = possible && next.terms[j].grows;
        next.terms[j].value += saltus_;
      }
      const auto& [a, b, c] = next.terms;
      if (!possible || ((majority_of(a.value, b.value, c.value) ^ next.majority) & 1u) != 0) {
        continue;
      }
      for (Term& term : next.terms) term.value >>= 1;
      next.majority >>= 1;
      meet(next);
    }
  }
  return Answer::kUnsolvable;
}

bool options_avoid_pattern(const TakeBreakRule& rule, std::span<const Nimber> values,
                           const PeriodPattern& pattern) {
  return ClassSearch(rule, values, pattern).run();
}

}  // namespace grundy
