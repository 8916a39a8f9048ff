/// @file
/// What a fast phase prepares: the rare heaps as taps, sorted by how near their partners are, and
/// plans for reading bit rows: which few decide a code for most heaps (engines/heap/sparse/cover.hpp).
///
/// A *tap* is a pair (rare heap r, split): from heap n it reaches the value of n - take - r,
/// nim-added to that of r. In codes: code[n - offset] ^ code with offset = take + r. A move that
/// leaves one heap is a tap too, with code 0. Taps are sorted into levels by offset; a level is
/// applied to as many heaps at once as its offsets allow, so that only the last level goes heap by
/// heap.
///
/// Row plans name (tap, row) pairs: shifted by the tap's offset, the row of code w = v ^ code holds
/// the heaps at which this tap reaches v.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/table.hpp"
#include "kernels/sparse_kernels.hpp"

namespace grundy::sparse {

struct Tap {
  HeapSize offset;
  Nimber code;
};

/// Taps in the form of the kernels.
class TapList {
 public:
  TapList() = default;
  explicit TapList(std::vector<Tap> taps);
  [[nodiscard]] TapView view() const noexcept {
    return {runs_.data(), runs_.size(), offsets_.data()};
  }

 private:
  std::vector<TapRun> runs_;
  std::vector<std::uint64_t> offsets_;
};

/// Rows to be ORed, each shifted to where its tap points.
class RowPlan {
 public:
  struct Source {
    Nimber row;
    HeapSize offset;

    /// Heap n's bit is `offset` bits before its own place: so many bytes from that of row 0,
    [[nodiscard]] std::int64_t byte(std::size_t stride) const noexcept {
      return static_cast<std::int64_t>(row * stride * 8) -
             static_cast<std::int64_t>((offset + 7) / 8);
    }
    /// and so many bits onward.
    [[nodiscard]] unsigned shift() const noexcept { return static_cast<unsigned>(0 - offset) % 8; }
  };
  RowPlan() = default;
  /// @param stride words from one row to the next
  RowPlan(std::vector<Source> sources, std::size_t stride);
  /// into |= all sources, for the 64 * words heaps from the one on whose byte of row 0 is `base`.
  void collect(const SparseKernels& kernels, const std::uint8_t* base, std::uint64_t* into,
               std::size_t words) const noexcept;

 private:
  std::vector<std::int64_t> bytes_;       ///< from `base`; ordered by shift
  std::array<std::uint32_t, 9> begin_{};  ///< of the sources of each shift
};

/// Taps with offsets below a group, in the form of the kernels.
template <class T>
class NearTapList {
 public:
  explicit NearTapList(const std::vector<Tap>& taps);
  [[nodiscard]] NearTapView<T> view() const noexcept {
    return {codes_.data(), offsets_.data(), offsets_.size()};
  }

 private:
  std::vector<T> codes_;
  std::vector<std::uint32_t> offsets_;
};

/// Sizes of a fast phase that begins at a given heap.
struct PhaseShape {
  HeapSize block;       ///< heaps per round, a multiple of 64
  HeapSize row_window;  ///< how far back bit rows, or pairs of codes, reach
  Nimber code_limit;    ///< codes are below; a power of two
  std::size_t stride;   ///< words per bit row

  friend bool operator==(const PhaseShape&, const PhaseShape&) = default;
};

/// All taps of the table's rare heaps and of moves that leave one heap.
std::vector<Tap> all_taps(const SparseTable& table);

/// Taps by level.
struct TapLevels {
  TapLevels(const SparseTable& table, const PhaseShape& shape, HeapSize group);

  HeapSize reach = 0;          ///< the longest offset
  TapList far;                 ///< offset >= 2 * block: partners two rounds back
  TapList middle;              ///< >= 64
  TapList close;               ///< >= group
  std::vector<Tap> nearest;    ///< the rest
  std::vector<Tap> within_64;  ///< close and nearest
  std::vector<Tap> from_64;    ///< far and middle
};

/// How often each code occurs among the most recent heaps.
class CodeDensity {
 public:
  CodeDensity(const SparseTable& table, Nimber code_limit);

  /// The least code that at most one in `part` heaps reaches or exceeds.
  [[nodiscard]] Nimber quantile(HeapSize part) const noexcept;
  /// The rows through which `taps` reach `code`, the densest first, at most `most` of them; equally
  /// dense ones in the order of the taps. Rows that no recent heap is in are left out.
  [[nodiscard]] std::vector<RowPlan::Source> densest(Nimber code, std::span<const Tap> taps,
                                                     std::size_t most) const;

 private:
  std::vector<HeapSize> count_;  ///< by code
  HeapSize heaps_;
  std::vector<std::uint32_t> rank_;  ///< by code; 0: the most frequent
  std::uint32_t occurring_ = 0;      ///< ranks from here on belong to codes without heaps
};

}  // namespace grundy::sparse
