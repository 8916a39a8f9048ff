/// @file
/// Inner loops of the engines of single heaps that mark options in planes: what taps reach.
///
/// The subtraction engine has values for codes, and its taps have the code 0. The beginning of the
/// dense engine has values for codes, and for those of taps. For the sparse engine
/// (src/engines/heap/sparse) these loops work on *codes*. A code is the value of a common heap with
/// one redundant bit removed, so that nim-sums of values become XORs of codes. A heap that is not
/// common holds a sentinel that no XOR with a code can turn into a code. A *tap* is one rare heap,
/// seen from a heap n under one split: its partner lies `offset` below n, and the tap adds `code`
/// to the code of the partner. The tap *reaches* the code codes[n - offset] ^ code.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels_by_type.hpp"

namespace grundy {

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

/// Number of codes in one plane of marks. An entry of a plane has a bit for each of these codes.
inline constexpr std::size_t kPlaneCodes = 8;
/// The most planes that there can be, for mark_planes().
inline constexpr std::size_t kMostPlanes = 512;
/// With AVX-512 mark_planes() keeps as many planes in registers.
inline constexpr std::size_t kPlanesInRegisters = 20;
/// Number of planes for the codes below `codes`.
constexpr std::size_t planes_for(std::size_t codes) noexcept {
  return (codes + kPlaneCodes - 1) / kPlaneCodes;
}

/// Taps in any order, each with its code.
struct TapSequence {
  const std::uint64_t* offsets;
  const std::uint16_t* codes;
  std::size_t count;
};

/// Kernels that exist once for each storage type of codes (u8, u16).
template <class T>
struct TypedTapKernels {
  /// For each of the 64 heaps from codes[0] on and every tap: marks the code codes[j - offset] ^
  /// (tap code) in the planes, if they have it. Code c of heap j is bit c % kPlaneCodes of planes[c
  /// / kPlaneCodes * 64 + j]. @pre codes are below 2^15 unless there are kMostPlanes planes, and
  /// codes of taps are below 2^14
  void (*mark_planes)(const T* codes, TapView taps, std::uint8_t* planes,
                      std::size_t count) noexcept;
};

struct TapKernels : KernelsByType<TypedTapKernels, std::uint8_t, std::uint16_t> {
  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const TapKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
