// SPDX-License-Identifier: MIT
#include <bit>
#include <utility>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "games/heap/notation.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kNoneOrOne = 0b11;
constexpr std::uint64_t kTwo = 0b100;

constexpr std::size_t index_of(SplitConstraint c) noexcept {
  return static_cast<std::size_t>(c);
}

std::uint64_t all_heaps(const Digit& digit) noexcept {
  std::uint64_t all = 0;
  for (const std::uint64_t mask : digit.heaps) all |= mask;
  return all;
}

}  // namespace

std::optional<SplitConstraint> Digit::constraint(std::uint64_t k) const noexcept {
  if (empty()) return std::nullopt;
  if (k > max_heaps()) {
    if (!and_more) return std::nullopt;
    k = max_heaps();
  }
  for (std::size_t c = 0; c < kSplitConstraints; ++c) {
    if (heaps[c] >> k & 1) return static_cast<SplitConstraint>(c);
  }
  return std::nullopt;
}

bool Digit::empty() const noexcept {
  return all_heaps(*this) == 0;
}

unsigned Digit::max_heaps() const noexcept {
  const std::uint64_t all = all_heaps(*this);
  return all == 0 ? 0 : static_cast<unsigned>(std::bit_width(all)) - 1;
}

bool Digit::plain_up_to(unsigned k) const noexcept {
  return !and_more && max_heaps() <= k &&
         heaps[index_of(SplitConstraint::kAny)] == all_heaps(*this);
}

namespace {

/// Lowers the largest explicit number of heaps of a digit with and_more as far as its meaning
/// allows.
void tighten(Digit& digit) noexcept {
  if (!digit.and_more) return;
  for (unsigned top = digit.max_heaps(); top > 0; --top) {
    std::uint64_t& mask = digit.heaps[index_of(*digit.constraint(top))];
    if ((mask >> (top - 1) & 1) == 0) return;
    mask &= ~(std::uint64_t{1} << top);
  }
}

}  // namespace

Digit with_fewest_constraints(Digit digit) noexcept {
  std::uint64_t& unequal = digit.heaps[index_of(SplitConstraint::kPairwiseUnequal)];
  std::uint64_t& not_all_equal = digit.heaps[index_of(SplitConstraint::kNotAllEqual)];
  if (unequal == kTwo && not_all_equal != 0) {
    not_all_equal |= std::exchange(unequal, 0);
    tighten(digit);
  }
  return digit;
}

Digit canonical(Digit digit) {
  std::uint64_t seen = 0;
  for (const std::uint64_t mask : digit.heaps) {
    if ((seen & mask) != 0) {
      throw Error(ErrorCode::kUsage, "a digit has two constraints for the same number of heaps");
    }
    seen |= mask;
  }
  if (digit.and_more && seen == 0) {
    throw Error(ErrorCode::kUsage, "a digit allows 'and more' heaps but no number to start from");
  }
  // Writes out numbers of heaps up to 3: the next step may change the constraint on up to 2 heaps,
  // and "and more" continues the constraint on the largest number.
  if (digit.and_more) {
    const std::size_t top = index_of(*digit.constraint(digit.max_heaps()));
    for (unsigned k = digit.max_heaps() + 1; k <= 3; ++k) digit.heaps[top] |= std::uint64_t{1} << k;
  }
  std::uint64_t& any = digit.heaps[index_of(SplitConstraint::kAny)];
  for (std::uint64_t& mask : digit.heaps) {
    any |= mask & kNoneOrOne;
    if (&mask != &any) mask &= ~kNoneOrOne;
  }
  std::uint64_t& not_all_equal = digit.heaps[index_of(SplitConstraint::kNotAllEqual)];
  digit.heaps[index_of(SplitConstraint::kPairwiseUnequal)] |= not_all_equal & kTwo;
  not_all_equal &= ~kTwo;
  tighten(digit);
  return digit;
}

}  // namespace grundy
