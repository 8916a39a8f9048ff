/// @file
/// The rare heaps as taps, sorted by the distance of their partners.
///
/// A *tap* is a pair (rare heap r, split): from heap n it reaches the value of n - take - r,
/// nim-added to that of r. In codes: code[n - offset] ^ code with offset = take + r. A move that
/// leaves one heap is a tap, too, with code 0. Taps are sorted into levels by offset. A level is
/// applied to as many heaps at once as its offsets allow. What is left is for decisions that depend
/// on each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/table.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy::sparse {

struct Tap {
  HeapSize offset;
  Nimber code;
};

/// Taps in the form of the kernels.
class TapList {
 public:
  TapList() = default;
  explicit TapList(const std::vector<Tap>& taps);
  [[nodiscard]] TapView view() const noexcept {
    return {runs_.data(), runs_.size(), offsets_.data()};
  }

 private:
  std::vector<TapRun> runs_;
  std::vector<std::uint64_t> offsets_;
};

/// Taps in their given order, in the form of the kernels.
class TapRow {
 public:
  explicit TapRow(const std::vector<Tap>& taps);
  [[nodiscard]] TapSequence view() const noexcept {
    return {offsets_.data(), codes_.data(), offsets_.size()};
  }

 private:
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint16_t> codes_;
};

/// For sorting taps by their offset, and those with one offset by their code.
inline constexpr auto by_place = [](const Tap& tap) { return std::pair(tap.offset, tap.code); };
inline constexpr auto is_before = [](const Tap& a, const Tap& b) {
  return by_place(a) < by_place(b);
};

/// Leaves one of all taps that are equal. @pre they are sorted by place
void drop_duplicates(std::vector<Tap>& taps);

/// All taps of the rare heaps of the table and of moves that leave one heap, sorted by place.
std::vector<Tap> all_taps(const SparseTable& table);

/// The taps of the rare heaps of the table under some splits, sorted by place.
std::vector<Tap> rare_taps(const SparseTable& table, std::span<const SplitMove> splits);

/// Pairs {a, n - take - a} of common heaps, seen from any heap n, as taps of the smaller heap a
/// under some splits: of a = 1, 1 + step and so on up to `longest`.
std::vector<Tap> pair_taps(const SparseTable& table, std::span<const SplitMove> splits,
                           HeapSize longest, HeapSize step);

/// The taps below an offset and those from it on, each in their order.
struct TapParts {
  TapParts(const std::vector<Tap>& taps, HeapSize offset);

  std::vector<Tap> below, from;
};

/// Taps by level.
struct TapLevels {
  /// @param bound of the nearest ones
  TapLevels(const std::vector<Tap>& taps, HeapSize bound);

  TapList close;               ///< bound <= offset < 64
  std::vector<Tap> nearest;    ///< offset < bound
  std::vector<Tap> within_64;  ///< close and nearest
  std::vector<Tap> from_64;    ///< all others
};

}  // namespace grundy::sparse
