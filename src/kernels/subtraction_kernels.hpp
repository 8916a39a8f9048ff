/// @file
/// Inner loops of the subtraction engine (src/engines/heap/subtraction): shifted bit sets.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace grundy {

/// Number of words of the longest vector. Shifted bit sets are read in units of this size.
inline constexpr std::size_t kVectorWords = 8;

struct SubtractionKernels {
  /// into[i] |= base[i - back[t]] for all t < taps and i < bytes. @pre bytes % 64 == 0
  void (*or_earlier)(std::uint8_t* into, std::size_t bytes, const std::uint8_t* base,
                     const std::uint64_t* back, std::size_t taps) noexcept;
  /// ORs the bits of from[1 ..], moved up by `shift` < 64 places, into into[0 ..]. The bits that
  /// come in from below are those of from[0]. @pre words % 8 == 0
  void (*or_shifted)(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                     unsigned shift) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const SubtractionKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
