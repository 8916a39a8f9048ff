/// @file
/// Inner loops of the sparse engine (src/engines/heap/sparse): byte codes, and the tables that
/// depend on them (kernels/tap_kernels.hpp says what a code is).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/tap_kernels.hpp"

namespace grundy {

/// Two tables of bytes: one for heaps at even places, one for heaps at odd places.
struct CodeTableView {
  const std::uint8_t* even;
  const std::uint8_t* odd;
  std::size_t size;  ///< of each table, a multiple of 16
};

struct CodeKernels {
  /// Joins the planes of 64 heaps to one set for each heap: byte p of sets[j] becomes
  /// planes[64 * p + j], or 0 from `count` on. @pre count <= 8
  void (*join_planes)(const std::uint8_t* planes, std::size_t count, std::uint64_t* sets) noexcept;
  /// For every heap j < heaps and every tap: sets bit codes[j - offset] ^ (tap code) of sets[j] if
  /// this is below 64.
  /// @pre heaps is a multiple of 8
  void (*mark_sets)(const std::uint8_t* codes, TapView taps, std::uint64_t* sets,
                    std::size_t heaps) noexcept;
  /// Decides `heaps` heaps, one after another: codes[j] becomes the least code that sets[j] does
  /// not have and no tap reaches. Returns `heaps`, or the number of the first heap whose code is
  /// not below `cap`. @pre cap <= 64, and no tap reaches a code of 64 or more
  std::size_t (*decide)(std::uint8_t* codes, TapSequence taps, const std::uint64_t* sets,
                        std::size_t heaps, std::uint64_t cap) noexcept;
  /// From codes to values or limits, or from values to codes. For j < heaps, out[j] becomes entry
  /// from[j] of the table for place j; 0 if there is no such entry.
  void (*translate)(const std::uint8_t* from, std::size_t heaps, CodeTableView tables,
                    std::uint8_t* out) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const CodeKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
