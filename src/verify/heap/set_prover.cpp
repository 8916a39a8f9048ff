// SPDX-License-Identifier: MIT
#include "verify/heap/set_prover.hpp"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

namespace grundy {
namespace {

bool contains(const std::uint64_t* set, std::uint32_t value) noexcept {
  return (set[value / 64] >> value % 64 & 1) != 0;
}

void insert(std::uint64_t* set, std::uint32_t value) noexcept {
  set[value / 64] |= std::uint64_t{1} << value % 64;
}

std::size_t set_words(Nimber largest) {
  return (std::bit_ceil(std::size_t{largest} + 1) + 63) / 64;
}

/// The number of sets T_2, T_3, .. that the rule needs.
unsigned families_of(const TakeBreakRule& rule) {
  unsigned heaps = 3;
  for (const Digit& digit : rule.digits) heaps = std::max(heaps, digit.max_heaps());
  return heaps - 2;
}

bool splits_into_unequal(const Digit& digit) {
  const auto two = digit.constraint(2);
  return two == SplitConstraint::kPairwiseUnequal || two == SplitConstraint::kNotAllEqual;
}

}  // namespace

template <class T>
bool SetProver<T>::accepts(const HeapRule& rule) {
  const TakeBreakRule* const code = rule.take_break();
  return code != nullptr && std::ranges::all_of(code->digits, [](const Digit& digit) {
           if (digit.and_more) return false;
           for (unsigned heaps = 3; heaps <= digit.max_heaps(); ++heaps) {
             const auto constraint = digit.constraint(heaps);
             if (constraint.value_or(SplitConstraint::kAny) != SplitConstraint::kAny) return false;
           }
           return true;
         });
}

template <class T>
std::uint64_t SetProver<T>::bytes(const HeapRule& rule, HeapSize count, Nimber largest) {
  const bool both = std::ranges::any_of(rule.take_break()->digits, splits_into_unequal);
  const unsigned families = families_of(*rule.take_break()) + (both ? 1 : 0);
  return count * set_words(largest) * sizeof(std::uint64_t) * families;
}

template <class T>
SetProver<T>::SetProver(const TakeBreakRule& rule, StoredValues stored, const KernelSet& kernels,
                        Executor& executor)
    : rule_(rule),
      values_(static_cast<const T*>(stored.values.data())),
      words_(set_words(stored.largest)),
      kernels_(kernels) {
  any_.push_back(pairs(stored.values.size(), false, executor));
  while (any_.size() < families_of(rule)) {
    any_.push_back(one_heap_more(any_.back(), static_cast<unsigned>(any_.size()) + 2, executor));
  }
  if (std::ranges::any_of(rule.digits, splits_into_unequal)) {
    unequal_ = pairs(stored.values.size(), true, executor);
  }
}

template <class T>
std::string SetProver<T>::method() const {
  return fmt::format("sets of sums of {}, kernel {}",
                     any_.size() == 1 ? "two heaps" : fmt::format("2 to {} heaps", any_.size() + 1),
                     kernels_.name);
}

template <class T>
typename SetProver<T>::Family SetProver<T>::pairs(HeapSize count, bool unequal,
                                                  Executor& executor) const {
  constexpr HeapSize kGroup = 64;
  Family family(count * words_);
  executor.parallel_for((count + kGroup - 1) / kGroup, [&](std::size_t g) {
    std::vector<std::uint8_t> marks(64 * words_);
    const HeapSize end = std::min(count, (g + 1) * kGroup);
    for (HeapSize m = std::max<HeapSize>(2, g * kGroup); m < end; ++m) {
      kernels_.of<T>().mark_pairs(values_, 1, m - 1, (unequal ? m - 1 : m) / 2, marks.data());
      kernels_.take_marks(marks.data(), words_, family.data() + m * words_);
    }
  });
  return family;
}

template <class T>
typename SetProver<T>::Family SetProver<T>::one_heap_more(const Family& fewer, unsigned heaps,
                                                          Executor& executor) const {
  Family family(fewer.size());
  executor.parallel_for(fewer.size() / words_, [&](std::size_t m) {
    for (HeapSize a = 1; a <= m / heaps; ++a) {
      kernels_.or_xor_translated(&family[m * words_], set(fewer, m - a), words_, values_[a]);
    }
  });
  return family;
}

template <class T>
HeapSize SetProver<T>::last_digit(HeapSize n) const noexcept {
  return rule_.period > 0 ? n : std::min<HeapSize>(n, rule_.digits.size() - 1);
}

template <class T>
auto SetProver<T>::two_heaps(SplitConstraint constraint) const noexcept -> const Family& {
  return constraint == SplitConstraint::kAny ? any_.front() : unequal_;
}

template <class T>
std::optional<HeapSize> SetProver<T>::first_wrong(HeapSize begin, HeapSize end) const {
  std::vector<std::uint64_t> bits(words_);
  for (HeapSize n = begin; n < end; ++n) {
    for (HeapSize taken = 0; taken <= last_digit(n); ++taken) {
      if (reached(rule_.digit(taken), n - taken, values_[n])) return n;
    }
    if (!every_smaller_reached(n, bits)) return n;
  }
  return std::nullopt;
}

/// Whether an option that the digit allows when `rest` tokens are left has the value.
template <class T>
bool SetProver<T>::reached(const Digit& digit, HeapSize rest, std::uint32_t value) const {
  if (rest == 0) return digit.constraint(0) && value == 0;
  if (digit.constraint(1) && values_[rest] == value) return true;
  if (const auto two = digit.constraint(2)) {
    if (*two == SplitConstraint::kAllEqual) {
      if (rest % 2 == 0 && value == 0) return true;
    } else if (contains(set(two_heaps(*two), rest), value)) {
      return true;
    }
  }
  std::uint64_t hit = 0;
  for (unsigned heaps = 3; heaps <= digit.max_heaps(); ++heaps) {
    if (!digit.constraint(heaps)) continue;
    for (HeapSize a = 1; a <= rest / heaps; ++a) {
      const std::uint32_t sum = values_[a] ^ value;
      hit |= set(any_[heaps - 3], rest - a)[sum / 64] >> sum % 64;
    }
  }
  return (hit & 1) != 0;
}

/// Adds the values of the options that the digit allows, except those with three heaps and more.
template <class T>
void SetProver<T>::unite(const Digit& digit, HeapSize rest, std::uint64_t* bits) const {
  if (rest == 0) {
    if (digit.constraint(0)) insert(bits, 0);
    return;
  }
  if (digit.constraint(1)) insert(bits, values_[rest]);
  const auto two = digit.constraint(2);
  if (!two) return;
  if (*two != SplitConstraint::kAllEqual) {
    kernels_.or_words(bits, set(two_heaps(*two), rest), words_);
  } else if (rest % 2 == 0) {
    insert(bits, 0);
  }
}

template <class T>
bool SetProver<T>::every_smaller_reached(HeapSize n, std::vector<std::uint64_t>& bits) const {
  std::ranges::fill(bits, 0);
  const auto done = [&] { return kernels_.first_zero_bit(bits.data(), 0, words_) >= values_[n]; };
  for (HeapSize taken = 0; taken <= last_digit(n); ++taken) {
    unite(rule_.digit(taken), n - taken, bits.data());
  }
  for (HeapSize taken = 0; taken <= last_digit(n) && !done(); ++taken) {
    const Digit& digit = rule_.digit(taken);
    const HeapSize rest = n - taken;
    for (unsigned heaps = 3; heaps <= digit.max_heaps(); ++heaps) {
      if (!digit.constraint(heaps)) continue;
      for (HeapSize a = 1; a <= rest / heaps && !done(); ++a) {
        const std::uint64_t* const others = set(any_[heaps - 3], rest - a);
        kernels_.or_xor_translated(bits.data(), others, words_, values_[a]);
      }
    }
  }
  return done();
}

template class SetProver<std::uint8_t>;
template class SetProver<std::uint16_t>;
template class SetProver<std::uint32_t>;

}  // namespace grundy
