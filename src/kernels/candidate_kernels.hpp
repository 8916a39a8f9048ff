/// @file
/// Inner loops of the sparse engine (src/engines/heap/sparse): candidates, the least codes of a
/// heap that no tap has marked yet (kernels/tap_kernels.hpp says what codes, taps and planes are).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels_by_type.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy {

/// Number of candidates of a heap, and number of heaps in a group of candidates at storage type T.
/// The candidates of a group lie together: candidate c of heap j of group g is at
/// [(g * kCandidates + c) * kGroupHeaps<T> + j].
inline constexpr std::size_t kCandidates = 4;
template <class T>
inline constexpr std::size_t kGroupHeaps = 16 / sizeof(T);

/// Kernels that exist once for each storage type of codes (u8, u16).
template <class T>
struct TypedCandidateKernels {
  /// Lists the least codes that are not marked, for each of the 64 heaps, ascending, in groups. A
  /// heap has kCandidates entries; those after its last code are all-ones.
  void (*list_unmarked)(const std::uint8_t* planes, std::size_t count, T* candidates) noexcept;
  /// Every candidate c of heap j with codes[j - offset] ^ (tap code) == c for some tap becomes
  /// all-ones. `codes` points at the first heap of the groups.
  void (*eliminate)(const T* codes, TapView taps, T* candidates, std::size_t groups) noexcept;
  /// Decides the heaps of a group from `first` on: codes[j] becomes the first candidate that is not
  /// all-ones and that no tap reaches. Returns the first heap without one, or kGroupHeaps<T>; what
  /// heaps from there on get is no code. Reads the codes of the two groups before. @pre offsets are
  /// below 2 kGroupHeaps<T>; candidates of a heap ascend, apart from those that are all-ones
  std::size_t (*choose)(T* codes, TapSequence taps, const T* candidates,
                        std::size_t first) noexcept;
};

struct CandidateKernels : KernelsByType<TypedCandidateKernels, std::uint8_t, std::uint16_t> {
  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const CandidateKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
