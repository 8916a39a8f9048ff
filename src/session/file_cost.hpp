/// @file
/// What a file of values will cost, foretold from a sample of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <grundy/sink.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Bytes of a file besides its chunks.
inline constexpr std::uint64_t kFileOverhead = 1u << 16;

/// The part of the time of a file of several heaps that it takes to read the file back.
inline constexpr double kReadingOfTiles = 0.45;

/// The expected cost of a file with values like those of a sample.
struct FileCost {
  double bytes = 0;  ///< bytes of a value
  /// Seconds of a value, on one thread: to count, seal, write and read it back.
  double seconds = 0;
};

/// The cost of a file with values like those of `sample`, none of which exceeds `maximum`.
/// @pre the sample is not empty
FileCost file_cost(Values sample, Nimber maximum);

/// Bytes of a file of `count` values none of which exceeds `maximum`, besides the values.
std::uint64_t metadata_bytes(Nimber maximum, HeapSize count, HeapSize chunk) noexcept;

}  // namespace grundy
