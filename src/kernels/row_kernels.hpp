/// @file
/// Inner loops of the sparse engine (src/engines/heap/sparse): bit rows, which tell for one code
/// which heaps have it, and pairs of codes (kernels/tap_kernels.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels_by_type.hpp"

namespace grundy {

/// keep_missing() takes multiples of this many pairs.
inline constexpr std::size_t kPairStep = 256;

/// A search for a code among pairs: pair i is one of its own codes and one that all searches share.
template <class T>
struct PairSearch {
  const T* partners;
  T code;
  std::uint32_t number;  ///< for the caller
};

/// worth() tells heaps apart that fewer rows cover.
inline constexpr std::size_t kCoverTimes = 4;

/// Kernels that exist once for each storage type of codes (u8, u16).
template <class T>
struct TypedRowKernels {
  /// Bit i of row r := (codes[i] == r), for r < rows. Row r starts at bits + r * stride (words).
  /// @pre count is a multiple of 64
  void (*equal_rows)(const T* codes, std::size_t count, std::size_t rows, std::uint64_t* bits,
                     std::size_t stride) noexcept;
  /// Bit i := limits[i] > bound. @pre count is a multiple of 64
  void (*greater_bits)(const T* limits, std::size_t count, T bound, std::uint64_t* bits) noexcept;
  /// Bit j of hits[i] := (codes[strips[i] + j] == code), for i < words.
  void (*match_strips)(const T* codes, const std::uint32_t* strips, std::size_t words, T code,
                       std::uint64_t* hits) noexcept;
  /// Of `count` searches, keeps those that no pair has, in their order, and returns their number.
  /// Pair i < size has partners[i] ^ smaller[i], or nothing if rare[i] is all-ones; else this is 0.
  /// @pre size is a multiple of kPairStep
  std::size_t (*keep_missing)(const T* smaller, const T* rare, std::size_t size,
                              PairSearch<T>* searches, std::size_t count) noexcept;
};

struct RowKernels : KernelsByType<TypedRowKernels, std::uint8_t, std::uint16_t> {
  /// ORs into `into`, for every shift < 8 and all i from begin[shift] to begin[shift + 1] - 1, the
  /// `64 * words` bits that start `shift` bits after byte base[source[i]]. Reads at most 8 bytes
  /// after the last of them.
  void (*or_shifted)(const std::uint8_t* base, const std::int64_t* source,
                     const std::uint32_t* begin, std::uint64_t* into, std::size_t words) noexcept;
  /// The sum, over all bits of `hits` and all k < kCoverTimes, of 4^(kCoverTimes - 1 - k) if the
  /// bit is also set in covered + k * words.
  std::size_t (*worth)(const std::uint64_t* hits, const std::uint64_t* covered,
                       std::size_t words) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const RowKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
