// SPDX-License-Identifier: MIT
#include "games/graph/isomorphism.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "games/graph/bits.hpp"
#include "kernels/board_kernels.hpp"

namespace grundy::graph {
namespace {

std::uint64_t edges(const Board& board, std::uint64_t cells) noexcept {
  return count_ones(board.with_right(cells)) + count_ones(board.with_lower(cells));
}

/// A map from the cells of one set to those of another.
class Isomorphism {
 public:
  Isomorphism(const Board& board, std::uint64_t from, std::uint64_t to) noexcept
      : board_(board), from_(from), to_(to) {}

  /// Finds an image of the same colour for every cell. Returns false if there is none.
  bool find(const BoardColours& colours) noexcept {
    std::uint64_t used = 0, ambiguous = 0;
    for (std::uint64_t rest = from_; rest != 0; rest &= rest - 1) {
      const unsigned cell = lowest_one(rest);
      std::uint64_t alike = to_;
      for (const auto& plane : colours.planes) alike &= plane[1] ^ ((plane[0] >> cell & 1) - 1);
      if (alike == 0) return false;
      images_[cell] = alike;
      if ((alike & (alike - 1)) == 0) {
        used |= alike;
      } else {
        ambiguous |= rest & (0 - rest);
      }
    }
    return ambiguous == 0 || settle(ambiguous, used);
  }

  /// Whether every edge has an edge as its image, and every cell is an image. As the numbers of
  /// cells and of edges are equal, that proves an isomorphism.
  [[nodiscard]] bool is_proved() const noexcept {
    std::uint64_t images = 0, lost = 0;
    for (std::uint64_t rest = from_; rest != 0; rest &= rest - 1)
      images |= images_[lowest_one(rest)];
    const auto check = [&](std::uint64_t cells, unsigned step) {
      for (; cells != 0; cells &= cells - 1) {
        const unsigned cell = lowest_one(cells);
        const std::uint64_t other = images_[cell + step];
        lost |= other & ~board_.around(images_[cell]);
      }
    };
    check(board_.with_right(from_), 1);
    check(board_.with_lower(from_), board_.columns());
    return lost == 0 && images == to_;
  }

 private:
  /// Chooses images for cells that have several, beside those of their neighbours.
  bool settle(std::uint64_t ambiguous, std::uint64_t used) noexcept {
    while (ambiguous != 0) {
      // If no such cell is beside a settled one, the first of them may have any of its images: a
      // symmetry leads from one to the other, or else the proof fails.
      const std::uint64_t settled = from_ & ~ambiguous;
      std::uint64_t near = ambiguous & board_.around(settled);
      if (near == 0) near = ambiguous & (0 - ambiguous);
      const std::uint64_t cell = near & (0 - near);
      std::uint64_t free = images_[lowest_one(cell)] & ~used;
      for (std::uint64_t rest = board_.around(cell) & settled; rest != 0; rest &= rest - 1) {
        free &= board_.around(images_[lowest_one(rest)]);
      }
      if (free == 0) return false;
      const std::uint64_t image = free & (0 - free);
      images_[lowest_one(cell)] = image;
      used |= image;
      ambiguous ^= cell;
    }
    return true;
  }

  const Board& board_;
  std::uint64_t from_, to_;
  std::array<std::uint64_t, Board::kMostCells> images_;  ///< by cell: a cell, or all that may be it
};

}  // namespace

void isomorphism_hashes(const Board& board, const KernelSet& kernels,
                        std::span<const std::uint64_t> sets,
                        std::span<std::uint64_t> hashes) noexcept {
  const BoardShape shape = board.shape(nullptr);
  for (std::size_t first = 0; first < sets.size(); first += kMostSets) {
    const std::size_t count = std::min(kMostSets, sets.size() - first);
    BoardColours colours;
    kernels.boards.colour(shape, &sets[first], count, colours);
    kernels.boards.hash_colours(colours, count, &hashes[first]);
  }
}

bool are_isomorphic(const Board& board, const KernelSet& kernels, std::uint64_t a,
                    std::uint64_t b) noexcept {
  if (count_ones(a) != count_ones(b) || edges(board, a) != edges(board, b)) return false;
  const std::array<std::uint64_t, 2> sets{a, b};
  BoardColours colours;
  kernels.boards.colour(board.shape(nullptr), sets.data(), sets.size(), colours);
  Isomorphism map(board, a, b);
  return map.find(colours) && map.is_proved();
}

}  // namespace grundy::graph
