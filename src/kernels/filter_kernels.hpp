/// @file
/// Inner loops of the dense engine (src/engines/heap/dense), and of the sparse engine if there are
/// many codes: sets of values that shrink.
///
/// An *open set* holds the values for which no option of a heap has been found yet. Taps mark many
/// options of a run of heaps, which closes most values. Then the pairs are *filtered*: nearly all
/// of them miss the open values, and a table look-up in registers tells so for a vector of pairs.
///
/// The look-ups work on values that are cut into two bytes (value_low, value_high).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/kernels_by_type.hpp"

namespace grundy {

/// Number of values of an open set. A *row* of kOpenRow values is one bit in each of kOpenRow
/// bytes. 8 rows share the same bytes and form one half of the set.
inline constexpr std::uint32_t kOpenValues = 2048;
inline constexpr std::uint32_t kOpenRow = 128;
inline constexpr std::uint32_t kOpenRows = kOpenValues / kOpenRow;
inline constexpr std::uint32_t kOpenBytes = kOpenValues / 8;

/// Heaps that are so far apart share loads: pair i + kFilterApart of heap h + kFilterApart has the
/// same partner as pair i of heap h.
inline constexpr std::uint32_t kFilterApart = 64;

/// The list of heaps, for filter_pairs(), that has one heap only.
inline constexpr std::uint32_t kOneHeap[] = {0};

/// Bits 0 to 6 of a value.
constexpr std::uint8_t value_low(std::uint32_t value) noexcept {
  return static_cast<std::uint8_t>(value % 128);
}
/// Bits 7 to 10 of a value as bits 0 to 3. Bits 4 to 7 are the higher ones, four by four, XORed: 0
/// for few values above 2047, and for none below 2^15. Linear under nim-addition.
constexpr std::uint8_t value_high(std::uint32_t value) noexcept {
  std::uint32_t folded = 0;
  for (std::uint32_t rest = value >> 11; rest != 0; rest >>= 4) folded ^= rest % 16;
  return static_cast<std::uint8_t>((value >> 7) % 16 | folded << 4);
}

/// A subset of the values base .. base + kOpenValues - 1. If the base is an odd multiple of
/// kOpenValues / 2, the upper half is empty.
struct alignas(64) OpenSet {
  std::uint8_t bytes[kOpenBytes];
  std::uint32_t base;  ///< a multiple of kOpenValues / 2

  /// The byte of the value base + place. bit_of(): the bit in that byte.
  static constexpr std::size_t byte_of(std::uint32_t place) noexcept {
    return place / (8 * kOpenRow) * kOpenRow + place % kOpenRow;
  }
  static constexpr std::uint8_t bit_of(std::uint32_t place) noexcept {
    return static_cast<std::uint8_t>(1u << place / kOpenRow % 8);
  }

  /// @pre the range of the set includes the value
  void insert(std::uint32_t value) noexcept {
    bytes[byte_of(value - base)] |= bit_of(value - base);
  }
  [[nodiscard]] bool contains(std::uint32_t value) const noexcept {
    const std::uint32_t place = value - base;
    return place < kOpenValues && (bytes[byte_of(place)] & bit_of(place)) != 0;
  }
  [[nodiscard]] bool empty() const noexcept {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < kOpenBytes; i += sizeof all) {
      std::uint64_t word;
      std::memcpy(&word, bytes + i, sizeof word);
      all |= word;
    }
    return all == 0;
  }
  /// Removes the values that another set with the same base lacks.
  void keep(const OpenSet& other) noexcept {
    for (std::size_t i = 0; i < kOpenBytes; ++i) bytes[i] &= other.bytes[i];
  }
  void remove(std::uint32_t value) noexcept {
    const std::uint32_t place = value - base;
    if (place >= kOpenValues) return;
    bytes[byte_of(place)] &= static_cast<std::uint8_t>(~bit_of(place));
  }
};

/// Unions of open sets: unions[k] is that of the sets number k - longest + lag, for all lags. 0 is
/// the first lag, and `longest` is the last one.
struct LaggedUnions {
  OpenSet* unions;  ///< `longest` more than there are sets
  const std::uint64_t* lags;
  std::size_t lag_count;
};

/// The values of heaps as bytes: heap a is at low[a] and high[a], and in opposite order at
/// low_down[-a] and high_down[-a]. Kernels may read kReadSlack bytes beyond either end of a run of
/// pairs, but never use them. Low bytes are below 128 there, too.
struct ByteTable {
  const std::uint8_t* low;
  const std::uint8_t* high;
  const std::uint8_t* low_down;
  const std::uint8_t* high_down;
};

/// Kernels that exist once for each storage type T of values (u8, u16, u32).
template <class T>
struct TypedFilterKernels {
  /// For every heap j < heaps and every tap t, marks the value v = values[j - offset[t]] ^ key[t]:
  /// marks[stride * j + v] becomes 1.
  void (*mark_taps)(const T* values, const std::uint64_t* offset, const T* key, std::size_t taps,
                    std::size_t heaps, std::uint8_t* marks, std::size_t stride) noexcept;
  /// For every heap h, one of the `heaps` numbers in `which`, removes from open[h] the values
  /// values[first + i] ^ values[partner + h - i] of all i < pairs. `table` has the same values.
  /// Four heaps at a time are fastest if each is kFilterApart above the one before.
  void (*filter_pairs)(const T* values, const ByteTable& table, std::uint64_t first,
                       std::uint64_t partner, std::size_t pairs, OpenSet* open,
                       const std::uint32_t* which, std::size_t heaps) noexcept;
};

/// The kernels of one target.
struct FilterKernels
    : KernelsByType<TypedFilterKernels, std::uint8_t, std::uint16_t, std::uint32_t> {
  /// Makes `open` the set of the values base + v, v < kOpenRow * rows, with marks[v] == 0, and
  /// clears these marks. @pre rows <= kOpenRows
  void (*take_unmarked)(std::uint8_t* marks, std::size_t rows, OpenSet& open) noexcept;
  /// Removes from each of `count` sets the values that a union with it lacks, and makes the unions
  /// anew.
  void (*pass_on)(const LaggedUnions& of, OpenSet* sets, std::size_t count) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const FilterKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
