/// @file
/// Inner loops over tables of values: pairs of heaps, taps, counts, and bit sets of values. The
/// provers and the slow ways of the engines use them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels_by_type.hpp"

namespace grundy {

/// find_pair() may read, but never uses, this many elements beyond either end of a run of values;
/// filter_pairs() so many bytes.
inline constexpr std::size_t kReadSlack = 64;

/// A sum of products: low + 2^32 middle + 2^64 high.
struct WeighedSum {
  std::uint64_t low = 0, middle = 0, high = 0;
};

/// Kernels that exist once for each storage type T (u8, u16, u32). A *pair* i is a split of a heap
/// into the heaps `first + i` and `partner - i`; its value is values[first + i] ^
/// values[partner - i].
template <class T>
struct TypedValueKernels {
  /// Tells which of `lanes` consecutive heaps can move to their candidate. Lane j is the heap whose
  /// pairs are shifted by j. Bit j of `hits` becomes 1 if for some 0 <= i < pairs
  ///   (values[first + i] ^ values[partner - i + j]) == candidate[j],
  /// and 0 otherwise; bits from `lanes` to the end of the last word become 0.
  void (*probe_pairs)(const T* values, std::uint64_t first, std::uint64_t partner,
                      std::size_t pairs, const T* candidate, std::size_t lanes,
                      std::uint64_t* hits) noexcept;
  /// Does the same for options that do not lie side by side: bit j of `hits` becomes 1 if for some
  /// t < taps (values[j - offset[t]] ^ key[t]) == candidate[j], and 0 otherwise. Bits from `lanes`
  /// to the end of the last word become 0.
  void (*probe_taps)(const T* values, const std::uint64_t* offset, const T* key, std::size_t taps,
                     const T* candidate, std::size_t lanes, std::uint64_t* hits) noexcept;
  /// The least i < pairs whose pair has the value `candidate`; `pairs` if there is none. May read
  /// kReadSlack values beyond the runs.
  std::size_t (*find_pair)(const T* values, std::uint64_t first, std::uint64_t partner,
                           std::size_t pairs, T candidate) noexcept;
  /// Sets mark[v] = 1 for the value v of every pair i < pairs.
  void (*mark_pairs)(const T* values, std::uint64_t first, std::uint64_t partner, std::size_t pairs,
                     std::uint8_t* mark) noexcept;
  /// counts[v] += number of i with values[i] == v, for every v that occurs.
  void (*histogram)(const T* values, std::size_t size, std::uint64_t* counts) noexcept;
  /// The largest of `size` values; 0 if there are none.
  T (*maximum)(const T* values, std::size_t size) noexcept;
  /// The sum of weights[i] * values[i * step] for i < size. @pre size <= 2^16
  WeighedSum (*weigh)(const std::uint64_t* weights, const T* values, std::size_t step,
                      std::size_t size) noexcept;
};

struct ValueKernels : KernelsByType<TypedValueKernels, std::uint8_t, std::uint16_t, std::uint32_t> {
  /// Copies values into 16 bits each, and returns the largest of them; the copy is of use if it has
  /// no more bits. 0 if there are no values.
  std::uint32_t (*narrow)(const std::uint32_t* values, std::size_t size,
                          std::uint16_t* to) noexcept;
  /// Turns a byte map into a bit set: bit i of `bits` is set if marks[i] != 0, for i < 64 * words.
  /// Clears the marks.
  void (*take_marks)(std::uint8_t* marks, std::size_t words, std::uint64_t* bits) noexcept;
  /// The first index >= from whose bit is 0, or 64 * words: the mex of a bit set of values.
  std::size_t (*first_zero_bit)(const std::uint64_t* bits, std::size_t from,
                                std::size_t words) noexcept;
  /// into[i] |= from[i].
  void (*or_words)(std::uint64_t* into, const std::uint64_t* from, std::size_t words) noexcept;
  /// ORs into `into` the set `from`, translated by `key` under nim-addition: bit (v ^ key) of
  /// `into` is set for every bit v of `from`. The two sets do not overlap. @pre `words` is a power
  /// of two, key < 64 * words
  void (*or_xor_translated)(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                            std::uint32_t key) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const ValueKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
