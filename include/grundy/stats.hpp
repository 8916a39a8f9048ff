/// @file
/// What is counted about a table while its values pass by.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

/// XXH3-128 digest, in the canonical (big-endian) byte order that `xxhsum -H2` prints.
using Digest128 = std::array<std::uint8_t, 16>;

/// A heap whose value is larger than every earlier one.
struct Record {
  HeapSize heap = 0;
  Nimber value = 0;
  friend bool operator==(const Record&, const Record&) = default;
};

/// Statistics of the values of heaps 0 .. count-1.
struct TableStats {
  HeapSize count = 0;
  Nimber max_value = 0;  ///< 0 for an empty table
  HeapSize argmax = 0;   ///< the first heap with max_value
  /// histogram[v]: number of heaps with value v, for v = 0 .. max_value; values from
  /// kHistogramLimit on are not counted (arithmetically periodic games have as many as heaps).
  std::vector<std::uint64_t> histogram;
  /// Every new maximum in order, heap 0 first; at most kRecordLimit of them.
  std::vector<Record> records;
  bool records_complete = true;
  /// XXH3-128 (seed 0) of the values as 32-bit little-endian integers, whatever the stored width.
  Digest128 digest{};

  static constexpr Nimber kHistogramLimit = 1u << 22;
  static constexpr std::size_t kRecordLimit = 1u << 20;

  friend bool operator==(const TableStats&, const TableStats&) = default;
};

}  // namespace grundy
