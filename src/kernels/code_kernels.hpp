/// @file
/// Inner loops of the sparse engine (src/engines/heap/sparse): codes of a byte and what follows
/// from them (kernels/tap_kernels.hpp says what a code is).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/tap_kernels.hpp"

namespace grundy {

/// Two tables of bytes: for heaps at even and at odd places.
struct CodeTableView {
  const std::uint8_t* even;
  const std::uint8_t* odd;
  std::size_t size;  ///< of each, a multiple of 16
};

struct CodeKernels {
  /// Joins the planes of 64 heaps to a set for each: byte p of sets[j] becomes planes[64 * p + j],
  /// or 0 from `count` on. @pre count <= 8
  void (*join_planes)(const std::uint8_t* planes, std::size_t count, std::uint64_t* sets) noexcept;
  /// For every heap j < heaps and every tap: sets bit codes[j - offset] ^ tap code of sets[j] if it
  /// is below 64. @pre heaps is a multiple of 8
  void (*mark_sets)(const std::uint8_t* codes, TapView taps, std::uint64_t* sets,
                    std::size_t heaps) noexcept;
  /// Decides `heaps` heaps, each after the other: codes[j] becomes the least code that sets[j] does
  /// not have and no tap reaches. Returns their number, or that of the first one whose code is not
  /// below `cap`. @pre cap <= 64, and no tap reaches a code from 64 on
  std::size_t (*decide)(std::uint8_t* codes, TapSequence taps, const std::uint64_t* sets,
                        std::size_t heaps, std::uint64_t cap) noexcept;
  /// out[j] becomes the entry codes[j] of the table of place j, or 0 if it has none, for j < heaps.
  void (*translate)(const std::uint8_t* codes, std::size_t heaps, CodeTableView tables,
                    std::uint8_t* out) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const CodeKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
