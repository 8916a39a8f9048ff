/// @file
/// Counts the sums of K heaps by their value: exact integers of any size.
///
/// Let f(v) of n heaps have value v. The number of ordered K-heap sums of value v is the K-fold xor
/// convolution of f, so it comes from the K-th power of its Walsh-Hadamard transform F. A component
/// s of the transform is a character. It gives every heap a sign: + to a(s) of them and - to b(s),
/// where a + b = n and a - b = F(s). A heap of sign c may be taken any number of times and
/// contributes 1 / (1 - c t). So unordered sums (multisets of heaps) have the generating function
/// (1 - t)^-a (1 + t)^-b at s, and its coefficient of t^K is transformed back. This is Polya's
/// cycle index for the symmetric group, summed up. For heaps of several games, the transforms
/// multiply. Cost: O(M log M + M K) operations on integers of K log2(n) bits, where M is a power of
/// two above all values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// `heaps` heaps, each chosen freely among the heaps that `histogram` counts: entry v is the number
/// of heaps of value v.
struct HeapChoice {
  std::span<const std::uint64_t> histogram;
  unsigned heaps = 0;
};

/// Numbers of sums by value, in decimal digits, because they have no bound.
struct SumCounts {
  std::vector<std::string> ordered;  ///< entry v: sums of value v, where the order of heaps counts
  std::vector<std::string> unordered;  ///< entry v: sums of value v, where it does not count
  std::string all_ordered, all_unordered;
};

/// The most heaps of one game that may be counted together.
inline constexpr unsigned kMostHeaps = 64;

/// Counts the sums of all the choices. Order counts among the heaps of one choice.
/// @throws Error(kUsage) for a choice of more than kMostHeaps heaps, or from no heaps;
///   Error(kFailure) if the counts would not fit in `memory_limit` bytes
SumCounts count_sums(std::span<const HeapChoice> choices, std::uint64_t memory_limit);

}  // namespace grundy
