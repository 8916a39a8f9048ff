/// @file
/// Inner loops of the sparse-space engine (src/heap/sparse), once per instruction-set target.
///
/// They work on *codes*: the value of a common heap with one redundant bit removed, so that
/// nim-sums of values become XORs of codes; a heap that is not common holds a sentinel that no XOR
/// with a code can turn into a code. A *tap* is one rare heap seen from a heap n under one split:
/// `offset` says how far below n its partner lies, `code` is what it adds to the partner's code.
///
/// Contracts are the same in every set; tests compare each with the plain C++ set.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels_by_type.hpp"

namespace grundy {

struct KernelSet;

/// Taps with one code: offsets[begin] .. offsets[end - 1].
struct TapRun {
  std::uint32_t code;
  std::uint32_t begin;
  std::uint32_t end;
};

/// Taps grouped by code.
struct TapView {
  const TapRun* runs;
  std::size_t run_count;
  const std::uint64_t* offsets;
};

/// Candidates per heap, and heaps per group of candidates at storage type T. Candidates of a group
/// lie together: candidate c of heap j of group g at [(g * kCandidates + c) * kGroupHeaps<T> + j].
inline constexpr std::size_t kCandidates = 4;
template <class T>
inline constexpr std::size_t kGroupHeaps = 16 / sizeof(T);

/// Codes in one plane of marks: an entry of a plane has a bit for each.
inline constexpr std::size_t kPlaneCodes = 8;

/// Taps with offsets below a group, in layers of at most one tap per offset. Layer l has the code
/// of offset o at codes[(3 * l + 1) * kGroupHeaps<T> + o] and bit o of offsets[l] set.
template <class T>
struct NearTapView {
  const T* codes;
  const std::uint32_t* offsets;
  std::size_t layers;
};

/// Kernels that exist once per storage type of codes (u8, u16).
template <class T>
struct SparseTypedKernels {
  /// Every candidate c of heap j with codes[j - offset] ^ tap code == c for some tap becomes
  /// all-ones. `codes` points at the first heap of the groups.
  void (*eliminate)(const T* codes, TapView taps, T* candidates, std::size_t groups) noexcept;
  /// Decides heaps `first` and on of a group, codes[j], each after the other: the first candidate
  /// that is not all-ones and not reached by a near tap. Returns the first heap without one, or
  /// kGroupHeaps<T>.
  std::size_t (*choose)(T* codes, NearTapView<T> taps, const T* candidates,
                        std::size_t first) noexcept;
};

/// Elements at a time in find_xor().
inline constexpr std::size_t kXorStep = 256;

/// One target's kernels. Those of one storage type are for codes of a byte; what is done where
/// there are more is in kernels/mark_kernels.hpp.
struct SparseKernels : KernelsByType<SparseTypedKernels, std::uint8_t, std::uint16_t> {
  /// For each of the 64 heaps from codes[0] on and every tap: marks code codes[j - offset] ^ tap
  /// code in the planes, if they have it. Code c of heap j is bit c % kPlaneCodes of planes[c /
  /// kPlaneCodes * 64 + j].
  void (*mark_planes)(const std::uint8_t* codes, TapView taps, std::uint8_t* planes,
                      std::size_t count) noexcept;
  /// Lists the least codes of each of the 64 heaps that are not marked, ascending, and all-ones
  /// after the last: kCandidates a heap, in groups.
  void (*list_unmarked)(const std::uint8_t* planes, std::size_t count,
                        std::uint8_t* candidates) noexcept;
  /// Bit i of row r := (codes[i] == r), for r < rows. Row r starts at bits + r * stride (words).
  /// @pre count is a multiple of 64
  void (*equal_rows)(const std::uint8_t* codes, std::size_t count, std::size_t rows,
                     std::uint64_t* bits, std::size_t stride) noexcept;
  /// Bit i := limits[i] > bound. @pre count is a multiple of 64
  void (*greater_bits)(const std::uint8_t* limits, std::size_t count, std::uint8_t bound,
                       std::uint64_t* bits) noexcept;
  /// Bit j of hits[i] := bit j of open[i] and codes[strips[i] + j] == code, for i < words. Returns
  /// how many bits are set.
  std::size_t (*match_strips)(const std::uint8_t* codes, const std::uint32_t* strips,
                              std::size_t words, std::uint8_t code, const std::uint64_t* open,
                              std::uint64_t* hits) noexcept;
  /// The least i < size with (a[i] ^ b[i]) == code, or size. @pre size is a multiple of kXorStep
  std::size_t (*find_xor)(const std::uint8_t* a, const std::uint8_t* b, std::size_t size,
                          std::uint8_t code) noexcept;
  /// into |= OR over i of the `64 * words` bits that start `shift` bits (0 to 7) after byte
  /// base[source[i]]. Reads at most 8 bytes past the last of them.
  void (*or_shifted)(const std::uint8_t* base, const std::int64_t* source, std::size_t count,
                     unsigned shift, std::uint64_t* into, std::size_t words) noexcept;
  /// Number of bits that are set in `a` and not in `b`.
  std::size_t (*count_and_not)(const std::uint64_t* a, const std::uint64_t* b,
                               std::size_t words) noexcept;
  /// For every heap j < heaps and every tap: sets bit codes[j - offset] ^ tap code of sets[j] if it
  /// is below 64. @pre heaps is a multiple of 8
  void (*mark_sets)(const std::uint64_t* codes, TapView taps, std::uint64_t* sets,
                    std::size_t heaps) noexcept;
};

/// The kernels of the same target as `kernels`; the plain C++ ones if it has none of its own.
const SparseKernels& sparse_kernels(const KernelSet& kernels);

/// The plain C++ set.
const SparseKernels& scalar_sparse_kernels() noexcept;

}  // namespace grundy
