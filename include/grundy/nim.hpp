/// @file
/// The algebra of nimbers: nim-addition, nim-multiplication and mex.
///
/// The values of impartial games form a field of characteristic 2 under these operations; the
/// numbers below 2^(2^k) are a subfield for every k (Conway, On Numbers and Games, ch. 6). The sum
/// of games has the nim-sum of their values (Sprague-Grundy); products arise from coin-turning
/// games (Tartan theorem, Winning Ways ch. 14).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>

namespace grundy {

/// The nim-sum: addition without carry in binary.
constexpr std::uint64_t nim_sum(std::uint64_t a, std::uint64_t b) noexcept {
  return a ^ b;
}

/// The nim-product of any two 64-bit nimbers: Karatsuba over the halves of each Fermat field, with
/// logarithms in the field of 256 elements; about 100 look-ups in 8 KiB.
std::uint64_t nim_product(std::uint64_t a, std::uint64_t b) noexcept;

/// a multiplied with itself `exponent` times; nim_power(a, 0) is 1, also for a = 0.
std::uint64_t nim_power(std::uint64_t a, std::uint64_t exponent) noexcept;

/// The nimber whose product with `a` is 1.
/// @throws Error(kUsage) for a = 0
std::uint64_t nim_inverse(std::uint64_t a);

/// The least non-negative integer that is not among `values`; O(n) time and memory.
std::uint64_t mex(std::span<const std::uint64_t> values);

/// The table of nim-addition for 0 .. size-1 in row-major order, computed by the definition: the
/// entry of row a and column b is the mex of the entries above it and left of it. O(size^3).
std::vector<std::uint64_t> nim_addition_by_mex(std::size_t size);

/// The value of an expression over nimbers: decimal numbers, also with a star as in `*5`; `^`, `+`
/// or `⊕` (nim-sum), `*` or `⊗` (product), `/` (product with the inverse), `**` (power, whose
/// exponent is an ordinary number), parentheses, `inv(x)` and `mex(x, y, …)`. `**` binds first,
/// then products, then sums.
/// @throws Error(kUsage) with the place of the fault
std::uint64_t nim_evaluate(std::string_view expression);

}  // namespace grundy
