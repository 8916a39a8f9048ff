/// @file
/// Decides which rank computes which stripe of a shared table, and which tile a rank computes next.
///
/// These are rules without values, threads or letters. stripe_run.hpp computes by them, and
/// `bench_scaling` simulates more ranks than a machine has.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include <grundy/lattice/engine.hpp>

namespace grundy {

/// The slabs at which stripes begin, then the end. @param edge of a tile
std::vector<std::uint32_t> stripe_borders_of(const LatticeShape& shape, std::uint32_t edge);

/// Deals stripes to ranks and joins them to belts. Stripes are dealt in rounds, forwards in one
/// round and backwards in the next, so that the rank with the least work in a round has the most in
/// the next one. The stripes that a rank gets at the end of a round and at the beginning of the
/// next form one belt:
///
///     shares   0  1  2  3  4  5  6  7       of 2 ranks in 4 rounds
///     ranks    0  1  1  0  0  1  1  0
///     belts    0  1  1  2  2  3  3  4
class StripeDeal {
 public:
  StripeDeal(const LatticeShape& shape, std::uint64_t stripes, std::uint64_t ranks) noexcept;

  [[nodiscard]] std::uint64_t belts() const noexcept { return rounds_ * (ranks_ - 1) + 1; }
  [[nodiscard]] std::uint64_t belt_of(std::uint64_t stripe) const noexcept;
  [[nodiscard]] std::uint64_t rank_of(std::uint64_t belt) const noexcept;

 private:
  std::uint64_t stripes_, ranks_, rounds_;
};

/// The tiles of one rank and their progress. The owner reports which tiles are done and which
/// letters arrived.
class StripeSchedule {
 public:
  /// The most unused letters of one belt.
  static constexpr std::uint64_t kAhead = 4;

  struct Belt {
    std::uint64_t number;
    std::uint64_t first, end;                     ///< slabs of tiles
    std::optional<std::uint64_t> before, behind;  ///< the ranks of the belts before and behind
    std::uint64_t letters = 0;                    ///< number of letters that the belt gets
    std::uint64_t arrived = 0;                    ///< number of letters that have arrived
    std::uint64_t used = 0;                       ///< number that the next belt has used
  };
  /// A slab of tiles.
  struct Slab {
    std::uint64_t number;
    std::size_t belt;                   ///< index in belts()
    std::uint64_t places;               ///< number of tiles
    std::uint64_t begun = 0, done = 0;  ///< numbers of places
  };

  /// @param borders as returned by stripe_borders_of() @param threads of a rank
  StripeSchedule(const LatticeShape& shape, std::uint32_t edge,
                 const std::vector<std::uint32_t>& borders, std::uint64_t rank, std::uint64_t ranks,
                 std::size_t threads);

  [[nodiscard]] std::deque<Belt>& belts() noexcept { return belts_; }
  [[nodiscard]] const std::deque<Belt>& belts() const noexcept { return belts_; }
  [[nodiscard]] std::deque<Slab>& slabs() noexcept { return slabs_; }
  [[nodiscard]] const std::deque<Slab>& slabs() const noexcept { return slabs_; }

  /// The slab whose next tile can be computed and has the least place, because other ranks wait for
  /// early places most. If several belts are at about the same place, the first belt, whose letters
  /// other ranks wait for.
  [[nodiscard]] std::optional<std::size_t> next() const noexcept;
  /// Whether all tiles are begun.
  [[nodiscard]] bool is_over() const noexcept;

 private:
  [[nodiscard]] bool is_ready(std::size_t slab) const noexcept;

  std::size_t threads_;
  std::deque<Belt> belts_;
  std::deque<Slab> slabs_;  ///< ascending
};

}  // namespace grundy
