/// @file
/// Checks that the lattice table in a file is the one that an engine handed over, although its
/// entries came in another order.
///
/// A run seals a tile and then hands it to the writer, where hours may pass until a chunk is whole.
/// So sums of all entries by their places are taken before a tile is sealed, and again when the
/// file is read back. A bit that turns in between, in the tile, in a chunk or in the file, makes
/// the sums differ.
///
/// Heaps need no sums. They come in the order of their table, so its digest is taken before they
/// are sealed. The file must have this digest in any case, and sums would find nothing more. Tiles
/// need the sums, because a digest depends on the order.
///
/// Every entry has a weight modulo the prime p = 2^61 - 1: the product of two numbers for each of
/// its coordinates, one for the lower 8 bits and one for the others. All these numbers are drawn at
/// random from 1 .. p-1. Take the sums of weight times value over two tables. Their difference is a
/// polynomial in the numbers drawn, of degree 2d for d axes. If a value differs, it is not the zero
/// polynomial, so it is 0 with probability at most 2d / (p - 1) < 2^-56 (Schwartz, J. ACM 27 (1980)
/// 701; Zippel, EUROSAM 1979). A single wrong value always shows, because p has no divisors. Sums
/// are kept apart for parts of the first axis, to say where tables differ. The numbers come from a
/// fixed generator: this finds accidents, not forgery.
///
/// Cost: one multiplication of 64 bits an entry, and some for each run along an axis.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/lattice/tile.hpp>
#include <grundy/layout.hpp>
#include <grundy/sink.hpp>

#include "table/tile_scatter.hpp"

namespace grundy {

class WrittenCheck final : public ValueSink, private EntrySink {
 public:
  /// @param sorted_tiles see TileScatter
  explicit WrittenCheck(const Layout& layout, bool sorted_tiles = false);
  WrittenCheck(const WrittenCheck&) = delete;
  WrittenCheck& operator=(const WrittenCheck&) = delete;

  /// Takes tiles, or entries in the order of the table. @pre as for put_in_order() if it is no tile
  Flow put(const Stretch& stretch) override {
    scatter_.put(stretch);
    return Flow::kContinue;
  }

  /// What was put. add() counts it as if it had been put there.
  [[nodiscard]] std::string to_bytes() const;
  /// @throws Error(kFailure) if the bytes are not those of a check of the same layout
  void add(std::string_view bytes);

  /// Coordinates first .. last of the first axis.
  struct Part {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  /// The first part in which the entries differ. @pre the layouts are equal
  [[nodiscard]] std::optional<Part> difference(const WrittenCheck& other) const;
  /// Compares the entries that were put here with those that were read from the file of `table`.
  /// @throws Error(kFailure) that names the first part of the table that differs
  void compare(const WrittenCheck& read, const std::filesystem::path& table) const;

 private:
  static constexpr std::uint64_t kLow = 256;  ///< coordinates that share the upper number

  void put(ChunkGrid::Axes at, unsigned axis, Values values) override;
  [[nodiscard]] std::uint64_t weight(unsigned axis, std::uint64_t at) const noexcept;

  Layout layout_;
  TileScatter scatter_;
  unsigned heap_axes_;    ///< without the axis of the planes
  std::uint64_t extent_;  ///< of the first axis
  std::uint64_t part_;    ///< a multiple of kLow
  std::array<std::array<std::uint64_t, kLow>, ChunkGrid::kMaxAxes> low_;
  std::vector<std::uint64_t> sums_;
};

}  // namespace grundy
