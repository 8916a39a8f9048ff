/// @file
/// Statistics of a table, counted while its values pass by.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

/// XXH3-128 digest, in the canonical (big-endian) byte order that `xxhsum -H2` prints.
using Digest128 = std::array<std::uint8_t, 16>;

/// Entries of a section, the unit of the digest of a table.
///
/// Let d_k be the XXH3-128 (seed 0) of the values of section k as 32-bit little-endian integers,
/// whatever the stored width; section 1 begins with entry 0, and the last one may be shorter. Let
/// D_1 = d_1, and let D_k be the XXH3-128 of the 32 bytes of D_(k-1) and d_k. The last D is the
/// digest of the table. So a computation that is resumed needs D of the whole sections and the
/// values after them, and no earlier value.
inline constexpr std::uint64_t kDigestSection = std::uint64_t{1} << 20;

/// An entry whose value is larger than every earlier one.
struct ValueRecord {
  std::uint64_t entry = 0;  ///< of a table of heaps, the heap
  Nimber value = 0;
  friend bool operator==(const ValueRecord&, const ValueRecord&) = default;
};

/// The sparse space of a game, as far as it was computed (Winning Ways, ch. 4). A heap is rare if
/// its value has an even number of bits in common with the mask. Where the parity of the heap's
/// size takes part, even and odd are swapped for heaps n with n + k odd, where k tokens are removed
/// by the moves that split.
struct SparseFacts {
  Nimber mask = 0;
  bool parity = false;     ///< the parity of the heap's size takes part
  std::uint64_t rare = 0;  ///< number of rare heaps, heap 0 not counted
  HeapSize last_rare = 0;  ///< the largest of them; 0 if there is none
  /// Every value of the rare type below that of a common heap is reached by a split whose smaller
  /// heap is at most this, or by a move that leaves at most one heap.
  HeapSize depth = 0;
  HeapSize count = 0;  ///< heaps 0 .. count-1 were looked at

  friend bool operator==(const SparseFacts&, const SparseFacts&) = default;
};

/// Statistics of the values of entries 0 .. count-1; of a table of heaps, entry n is heap n.
struct TableStats {
  std::uint64_t count = 0;
  Nimber max_value = 0;      ///< 0 for an empty table
  std::uint64_t argmax = 0;  ///< the first entry with max_value
  /// histogram[v]: number of entries with value v, for v = 0 .. max_value. Values from
  /// kHistogramLimit on are not counted: an arithmetically periodic game has as many values as
  /// heaps.
  std::vector<std::uint64_t> histogram;
  /// Every new maximum in order, entry 0 first; at most kRecordLimit of them.
  std::vector<ValueRecord> records;
  bool records_complete = true;
  /// The digest of all values, see kDigestSection. All zeros: no digest was taken, and there are no
  /// records, because the values did not come in the order of the table (LatticeGame::stats_only).
  Digest128 digest{};

  static constexpr Nimber kHistogramLimit = 1u << 22;
  static constexpr std::size_t kRecordLimit = 1u << 20;

  /// How many values are 0.
  [[nodiscard]] std::uint64_t zeros() const noexcept {
    return histogram.empty() ? 0 : histogram.front();
  }
  [[nodiscard]] bool in_order() const noexcept { return digest != Digest128{}; }
  friend bool operator==(const TableStats&, const TableStats&) = default;
};

}  // namespace grundy
