/// @file
/// Whether two lattice tables are the same, though their entries came in different orders.
///
/// Every entry has a weight modulo the prime p = 2^61 - 1: the product of two numbers for each of
/// its coordinates, one for the lower 8 bits and one for the others, all drawn at random from
/// 1 .. p-1. The difference of the sums of weight times value over two tables is a polynomial in
/// the numbers drawn, of degree 2d for d axes, and not the zero polynomial if a value differs; so
/// it is 0 with probability at most 2d / (p - 1) < 2^-56 (Schwartz, J. ACM 27 (1980) 701; Zippel,
/// EUROSAM 1979). One wrong value alone always shows, for p has no divisors. Sums are kept apart
/// for stretches of the first axis, to say where tables differ. The numbers come from a fixed
/// generator: this finds accidents, not forgery.
///
/// Cost: one multiplication of 64 bits an entry, and some for each run along an axis.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include <grundy/lattice/layout.hpp>

#include "table/entry_sink.hpp"

namespace grundy {

class PlaceSums final : public EntrySink {
 public:
  explicit PlaceSums(const LatticeLayout& layout);

  void put(ChunkGrid::Axes at, unsigned axis, Values values) override;
  /// Takes entries in the order of the table. @pre `begin` is the first of its position, and the
  /// last one is the last of its
  void put_in_order(std::uint64_t begin, Values values);

  /// Coordinates first .. last of the first axis.
  struct Stretch {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
  };
  /// The first stretch in which the entries differ. @pre the layouts are equal
  [[nodiscard]] std::optional<Stretch> difference(const PlaceSums& other) const;

 private:
  static constexpr std::uint64_t kLow = 256;  ///< coordinates that share the upper number

  [[nodiscard]] std::uint64_t weight(unsigned axis, std::uint64_t at) const noexcept;

  ChunkGrid grid_;  ///< of one chunk
  unsigned heap_axes_;
  std::uint64_t planes_;
  std::uint64_t stretch_;  ///< a multiple of kLow
  std::array<std::array<std::uint64_t, kLow>, ChunkGrid::kMaxAxes> low_;
  std::vector<std::uint64_t> sums_;
};

}  // namespace grundy
