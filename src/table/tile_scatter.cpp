// SPDX-License-Identifier: MIT
#include "table/tile_scatter.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

namespace grundy {
namespace {

/// A vector of 16 bytes.
template <class T>
struct Row {
  static constexpr std::size_t kCount = 16 / sizeof(T);
  using Vector __attribute__((vector_size(16))) = T;

  /// The elements of the lower or the upper halves of two vectors, in turn.
  template <bool kUpper, std::size_t... kAt>
  static Vector interleave(Vector a, Vector b, std::index_sequence<kAt...> /*at*/) noexcept {
    constexpr std::size_t kFirst = kUpper ? kCount / 2 : 0;
    return __builtin_shufflevector(a, b, (kFirst + kAt / 2 + kAt % 2 * kCount)...);
  }
};

/// Transposes a square of kCount x kCount elements of two matrices with these distances of rows.
template <class T>
void transpose_square(const T* from, std::size_t from_pitch, T* to, std::size_t to_pitch) noexcept {
  constexpr std::size_t kCount = Row<T>::kCount;
  constexpr auto kAll = std::make_index_sequence<kCount>();
  std::array<typename Row<T>::Vector, kCount> rows, next;
  for (std::size_t i = 0; i < kCount; ++i) std::memcpy(&rows[i], from + i * from_pitch, 16);
  // Each step moves the first bit of the number of an element to its end, and log2(kCount) steps
  // exchange rows and columns.
  for (std::size_t step = kCount; step > 1; step /= 2) {
    for (std::size_t i = 0; i < kCount / 2; ++i) {
      next[2 * i] = Row<T>::template interleave<false>(rows[i], rows[i + kCount / 2], kAll);
      next[2 * i + 1] = Row<T>::template interleave<true>(rows[i], rows[i + kCount / 2], kAll);
    }
    rows = next;
  }
  for (std::size_t i = 0; i < kCount; ++i) std::memcpy(to + i * to_pitch, &rows[i], 16);
}

/// Writes the columns of a matrix one after the other.
template <class T>
void transpose(std::span<const T> matrix, std::size_t rows, std::size_t columns, std::byte* bytes) {
  constexpr std::size_t kBlock = 16;  // two such blocks stay in the first-level cache
  constexpr std::size_t kSquare = Row<T>::kCount;
  T* const out = reinterpret_cast<T*>(bytes);
  for (std::size_t j0 = 0; j0 < columns; j0 += kBlock) {
    for (std::size_t i0 = 0; i0 < rows; i0 += kBlock) {
      if (j0 + kBlock <= columns && i0 + kBlock <= rows) {
        for (std::size_t j = j0; j < j0 + kBlock; j += kSquare) {
          for (std::size_t i = i0; i < i0 + kBlock; i += kSquare) {
            transpose_square(matrix.data() + i * columns + j, columns, out + j * rows + i, rows);
          }
        }
        continue;
      }
      for (std::size_t j = j0; j < std::min(columns, j0 + kBlock); ++j) {
        for (std::size_t i = i0; i < std::min(rows, i0 + kBlock); ++i) {
          out[j * rows + i] = matrix[i * columns + j];
        }
      }
    }
  }
}

ChunkGrid::Axes axes_of(const LatticePoint& p) {
  ChunkGrid::Axes at{};
  std::ranges::copy(p, at.begin());
  return at;
}

}  // namespace

void put_in_order(const Layout& layout, std::uint64_t begin, Values values, EntrySink& out) {
  if (!layout.is_lattice()) return out.put({begin}, 0, values);
  const ChunkGrid array(array_extent(layout), array_extent(layout));
  const unsigned last = layout.sorted ? 0 : layout.heaps - 1;
  while (!values.empty()) {
    const ChunkGrid::Axes at = array.coordinates_of(begin);
    const std::size_t size =
        std::min(values.size(), (array.extent()[last] - at[last]) * layout.planes);
    out.put(at, last, values.subspan(0, size));
    begin += size;
    values = values.subspan(size);
  }
}

void TileScatter::put(const Stretch& stretch) {
  if (stretch.tile == nullptr) {
    // Ranks of sorted positions are entries of a sorted table only.
    return sorted_tiles_ && !layout_.sorted
               ? put_ranks(stretch.begin / layout_.planes, stretch.values)
               : put_in_order(layout_, stretch.begin, stretch.values, out_);
  }
  const Tile& tile = *stretch.tile;
  if (tile.first_rank) {
    put_ranks(*tile.first_rank, stretch.values);
  } else if (!sorted_tiles_) {
    put_box(tile, stretch.values);
  } else if (layout_.heaps == 2 && layout_.planes == 1 &&
             tile.origin[0] + tile.extent[0] <= tile.origin[1] + 1) {
    put_mirrored(tile, stretch.values);
  } else {
    put_sorted_box(tile, stretch.values);
  }
}

/// Puts a box, line by line along the last heap.
void TileScatter::put_box(const Tile& tile, Values values) {
  const unsigned last = layout_.heaps - 1;
  const std::size_t line = std::size_t{tile.extent[last]} * layout_.planes;
  LatticePoint p = tile.origin;
  for (std::size_t at = 0; at < values.size(); at += line) {
    out_.put(axes_of(p), last, values.subspan(at, line));
    for (unsigned i = last; i-- > 0;) {
      if (++p[i] < tile.origin[i] + tile.extent[i]) break;
      p[i] = tile.origin[i];
    }
  }
}

void TileScatter::put_ranks(std::uint64_t first, Values values) {
  Layout sorted = layout_;
  sorted.sorted = true;
  LatticePoint p = position_of(layout_.heaps, first);
  while (!values.empty()) {
    const std::size_t places =
        std::min<std::size_t>(values.size() / layout_.planes, p[1] - p[0] + 1);
    put_sorted(p, values.subspan(0, places * layout_.planes));
    values = values.subspan(places * layout_.planes);
    p[0] += static_cast<std::uint32_t>(places - 1);
    sorted.step(p);
  }
}

/// Puts the sorted positions of a box.
void TileScatter::put_sorted_box(const Tile& tile, Values values) {
  const unsigned heaps = layout_.heaps;
  const std::size_t planes = layout_.planes;
  const std::size_t bytes = byte_count(values.width()) * planes;
  const std::size_t step = values.size() / tile.extent[0];  // along the smallest heap
  for (std::size_t column = 0; column < step; column += planes) {
    LatticePoint p = tile.origin;
    std::size_t left = column / planes;
    for (unsigned i = heaps - 1; i > 0; left /= tile.extent[i--]) {
      p[i] += static_cast<std::uint32_t>(left % tile.extent[i]);
    }
    if (!std::is_sorted(p.begin(), p.begin() + heaps)) continue;
    const std::size_t places = std::min(tile.extent[0], p[1] - p[0] + 1);
    gathered_.resize(places * bytes);
    const auto* const from = static_cast<const std::byte*>(values.data());
    for (std::size_t k = 0; k < places; ++k) {
      std::copy_n(from + (k * step + column) / planes * bytes, bytes, gathered_.data() + k * bytes);
    }
    put_sorted(p, Values(gathered_.data(), places * planes, values.width()));
  }
}

/// Puts a box of two heaps. All positions have x1 <= x2, and x1 = x2 for at most the one in the
/// lower left corner.
void TileScatter::put_mirrored(const Tile& tile, Values values) {
  const std::size_t rows = tile.extent[0];
  const std::size_t columns = tile.extent[1];
  gathered_.resize(values.size() * byte_count(values.width()));
  values.visit([&](auto matrix) { transpose(matrix, rows, columns, gathered_.data()); });
  const Values columnwise(gathered_.data(), values.size(), values.width());
  if (!layout_.sorted) put_box(tile, values);
  for (std::uint32_t j = 0; j < columns; ++j) {
    const std::uint32_t x2 = tile.origin[1] + j;
    std::size_t places = rows;
    if (!layout_.sorted && tile.origin[0] + rows - 1 == x2) --places;  // it is its own image
    const Values line = columnwise.subspan(std::size_t{j} * rows, places);
    if (layout_.sorted) {
      out_.put({rank_of(2, {tile.origin[0], x2})}, 0, line);
    } else {
      out_.put({x2, tile.origin[0]}, 1, line);
    }
  }
}

/// @param values values of p and of the positions after it that differ only in the smallest heap
void TileScatter::put_sorted(const LatticePoint& p, Values values) {
  const unsigned heaps = layout_.heaps;
  if (layout_.sorted) return out_.put({rank_of(heaps, p)}, 0, values);
  const std::size_t places = values.size() / layout_.planes;
  const bool meets = p[0] + places > p[1];  // the last position has two equal smallest heaps
  const std::size_t strict = (places - (meets ? 1 : 0)) * layout_.planes;
  if (strict > 0) put_images(p, values.subspan(0, strict));
  if (meets) {
    LatticePoint equal = p;
    equal[0] = p[1];
    put_images(equal, values.subspan(strict, layout_.planes));
  }
}

/// Puts values of positions that differ only in the smallest heap at all orders of their heaps.
void TileScatter::put_images(const LatticePoint& p, Values values) {
  const unsigned heaps = layout_.heaps;
  // A heap that varies differs from all others.
  constexpr std::uint32_t kVarying = std::numeric_limits<std::uint32_t>::max();
  const bool varies = p[0] != p[1];
  LatticePoint image = p;
  if (varies) {
    std::copy(p.begin() + 1, p.begin() + heaps, image.begin());
    image[heaps - 1] = kVarying;
  }
  const auto end = image.begin() + heaps;
  do {
    ChunkGrid::Axes at = axes_of(image);
    unsigned axis = 0;
    if (varies) {
      axis = static_cast<unsigned>(std::find(image.begin(), end, kVarying) - image.begin());
      at[axis] = p[0];
    }
    out_.put(at, axis, values);
  } while (std::next_permutation(image.begin(), end));
}

}  // namespace grundy
