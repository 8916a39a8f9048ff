/// @file
/// How an array of up to nine axes (kMaxAxes) is cut into chunks, and where each entry lies.
///
/// Entries are numbered in row-major order, the last axis fastest. So are chunks, and the entries
/// within a chunk. All chunks have one shape; chunks at the upper borders are padded. A heap table
/// has one axis; there this is a division with remainder.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <grundy/layout.hpp>

#include "table/table_part.hpp"

namespace grundy {

class ChunkGrid {
 public:
  static constexpr unsigned kMaxAxes = 9;  ///< eight heaps, and the values of a position
  using Axes = std::array<std::uint64_t, kMaxAxes>;

  /// Entries that lie next to each other along one axis, within one chunk.
  struct Run {
    std::uint64_t chunk = 0;
    std::uint64_t offset = 0;  ///< of the first entry, in entries
    std::uint64_t stride = 1;  ///< from one entry to the next, in entries
    std::uint64_t length = 0;
  };

  ChunkGrid() = default;
  /// @pre as many chunk edges as extents, 1 to kMaxAxes; edges are at least 1
  ChunkGrid(std::span<const std::uint64_t> extent, std::span<const std::uint64_t> edge);

  [[nodiscard]] std::span<const std::uint64_t> extent() const noexcept {
    return std::span(extent_).first(axes_);
  }
  [[nodiscard]] std::span<const std::uint64_t> edge() const noexcept {
    return std::span(edge_).first(axes_);
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Entries of a chunk, padding included.
  [[nodiscard]] std::uint64_t chunk_size() const noexcept { return chunk_size_; }
  [[nodiscard]] std::uint64_t chunk_count() const noexcept { return chunk_count_; }
  /// The number of entries of a chunk that are in the array.
  [[nodiscard]] std::uint64_t entries_in(std::uint64_t chunk) const noexcept;
  /// Coordinates of the first entry of a chunk.
  [[nodiscard]] Axes origin_of(std::uint64_t chunk) const noexcept;

  /// The number of an entry.
  [[nodiscard]] std::uint64_t entry_at(const Axes& at) const noexcept;
  /// The coordinates of an entry. @pre entry < size()
  [[nodiscard]] Axes coordinates_of(std::uint64_t entry) const noexcept;
  /// The run from the entry at `at` along `axis` to the border of its chunk.
  [[nodiscard]] Run run_along(unsigned axis, const Axes& at) const noexcept;
  /// The run of entries from this one on that have the same order in their chunk as in the array.
  [[nodiscard]] Run run_from(std::uint64_t entry) const noexcept;

  /// Chunks come in bands of consecutive entries. All bands have the same number of chunks.
  [[nodiscard]] std::uint64_t chunks_per_band() const noexcept { return chunks_per_band_; }
  /// Entries of the largest band.
  [[nodiscard]] std::uint64_t band_size() const noexcept { return band_size_; }

  /// Calls `visit(entry, run)` for the rows of a chunk along the last axis that are in the array,
  /// in the order of entries.
  template <class Visit>
  void for_each_row(std::uint64_t chunk, Visit&& visit) const {
    const Axes origin = origin_of(chunk);
    Axes at = origin;
    const unsigned last = axes_ - 1;
    for (;;) {
      visit(entry_at(at), run_along(last, at));
      unsigned axis = last;
      while (axis-- > 0) {
        if (++at[axis] < origin[axis] + edge_[axis] && at[axis] < extent_[axis]) break;
        at[axis] = origin[axis];
      }
      if (axis == ~0u) return;
    }
  }

 private:
  unsigned axes_ = 0;
  Axes extent_{}, edge_{};
  Axes chunks_{};        ///< number of chunks along each axis
  Axes stride_{};        ///< from one entry to the next along each axis, in the array
  Axes chunk_stride_{};  ///< the same within a chunk
  std::uint64_t size_ = 0, chunk_size_ = 0, chunk_count_ = 0;
  std::uint64_t chunks_per_band_ = 1, band_size_ = 0;
};

/// Extents of the array of a table: of the heaps or of the rank, then of the planes if there are
/// several.
std::vector<std::uint64_t> array_extent(const Layout& layout);

/// The same for the slabs of a part, which are a piece of the first axis.
std::vector<std::uint64_t> array_extent(const Layout& layout, const TablePart& part);
/// The coordinate along the first axis at which a part begins.
std::uint64_t array_begin(const Layout& layout, const TablePart& part) noexcept;

/// Chunks of about 2^16 entries, as cubical as the extents allow. They are thinner along the first
/// axes if a band would have more than 2^23 entries otherwise. The last `whole` axes are not cut.
ChunkGrid cubical_grid(std::span<const std::uint64_t> extent, unsigned whole);

/// How a file cuts the array of a table into chunks. Chunks of a heap table have `heap_chunk`
/// entries; those of a lattice table are cubical, and its axis of planes is not cut.
ChunkGrid grid_of(const Layout& layout, std::uint64_t heap_chunk = std::uint64_t{1} << 17);
/// How the file of a part of a lattice table cuts its array.
ChunkGrid grid_of(const Layout& layout, const TablePart& part);

}  // namespace grundy
