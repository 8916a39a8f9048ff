/// @file
/// Isomorphism of sets of cells against the definition.
// SPDX-License-Identifier: MIT
#include "games/graph/isomorphism.hpp"

#include <array>
#include <bit>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/board_kernels.hpp"
#include "kernels/kernels.hpp"

namespace grundy::graph {
namespace {

/// Whether the map of the first cells of a can be extended to all of them: each goes to a cell of b
/// that is free, and is beside another one exactly if its image is.
bool extends(const Board& board, const std::vector<std::uint64_t>& a, std::uint64_t b,
             std::vector<std::uint64_t>& images) {
  if (images.size() == a.size()) return true;
  const std::uint64_t around = board.around(a[images.size()]);
  for (std::uint64_t rest = b; rest != 0; rest &= rest - 1) {
    const std::uint64_t image = rest & (0 - rest);
    bool fits = true;
    for (std::size_t i = 0; i < images.size(); ++i) {
      fits = fits && images[i] != image &&
             ((around & a[i]) != 0) == ((board.around(image) & images[i]) != 0);
    }
    if (!fits) continue;
    images.push_back(image);
    if (extends(board, a, b, images)) return true;
    images.pop_back();
  }
  return false;
}

bool are_isomorphic_by_definition(const Board& board, std::uint64_t a, std::uint64_t b) {
  if (std::popcount(a) != std::popcount(b)) return false;
  std::vector<std::uint64_t> cells, images;
  for (; a != 0; a &= a - 1) cells.push_back(a & (0 - a));
  return extends(board, cells, b, images);
}

bool is_connected(const Board& board, std::uint64_t set) {
  std::uint64_t part = set & (0 - set);
  for (std::uint64_t before = 0; part != before;) {
    before = part;
    part |= board.around(part) & set;
  }
  return part == set;
}

// All connected sets of a board, one of each form: whatever is called isomorphic is, the hashes of
// isomorphic sets are equal on all kernels, and hardly an isomorphism is missed.
TEST(Isomorphism, IsThatOfTheDefinition) {
  std::size_t alike = 0, missed = 0, other = 0;
  for (const auto& [rows, columns] : {std::pair{4U, 4U}, {3U, 5U}, {2U, 8U}}) {
    const Board board(rows, columns);
    // By numbers of cells and of edges.
    std::map<std::pair<unsigned, unsigned>, std::vector<std::uint64_t>> sets;
    for (std::uint64_t set = 1; set <= board.all(); ++set) {
      if (board.canonical(set) != set || !is_connected(board, set)) continue;
      const unsigned edges = count_ones(board.with_right(set)) + count_ones(board.with_lower(set));
      sets[{count_ones(set), edges}].push_back(set);
    }
    for (const auto& entry : sets) {
      const std::vector<std::uint64_t>& same_size = entry.second;
      std::vector<std::uint64_t> hashes(same_size.size()), others(same_size.size());
      isomorphism_hashes(board, select_kernels("auto"), same_size, hashes);
      isomorphism_hashes(board, available_kernels().front(), same_size, others);
      ASSERT_EQ(hashes, others);
      for (std::size_t i = 0; i < same_size.size(); ++i) {
        for (std::size_t k = 0; k <= i; ++k) {
          const std::uint64_t a = same_size[i], b = same_size[k];
          const bool expected = are_isomorphic_by_definition(board, a, b);
          const bool found = are_isomorphic(board, select_kernels("auto"), a, b);
          ASSERT_TRUE(expected || !found) << board.text(a) << ' ' << board.text(b);
          ASSERT_TRUE(!expected || hashes[i] == hashes[k]) << board.text(a) << ' ' << board.text(b);
          alike += found && i != k ? 1 : 0;
          missed += expected && !found ? 1 : 0;
          other += hashes[i] == hashes[k] && !expected ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(alike, 1000U);
  EXPECT_LT(missed, alike / 100);
  EXPECT_LT(other, alike / 20);
}

/// The kernels of the processor, but for the colours.
class WithColours {
 public:
  explicit WithColours(decltype(BoardKernels::colour) colour) : boards_(best().boards) {
    boards_.colour = colour;
  }
  [[nodiscard]] KernelSet kernels() const {
    const KernelSet& own = best();
    return {own,       own.name,        own.description, boards_,   own.candidates,
            own.codes, own.filters,     own.letters,     own.lines, own.rows,
            own.sets,  own.subtraction, own.taps};
  }

 private:
  static const KernelSet& best() { return select_kernels("auto"); }

  BoardKernels boards_;
};

// Colours are no proof: whatever they are, what is called isomorphic is.
TEST(Isomorphism, DoesNotRestOnColours) {
  constexpr auto kNone = [](const BoardShape&, const std::uint64_t*, std::size_t,
                            BoardColours& out) noexcept { out = {}; };
  constexpr auto kByCell = [](const BoardShape&, const std::uint64_t* sets, std::size_t count,
                              BoardColours& out) noexcept {
    // The cells of each set have the colours 0, 1, 2 ... in their order.
    out = {};
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t number = 0;
      for (std::uint64_t rest = sets[i]; rest != 0; rest &= rest - 1, ++number) {
        for (std::size_t plane = 0; plane < kColourPlanes; ++plane) {
          if ((number >> plane & 1) != 0) out.planes[plane][i] |= rest & (0 - rest);
        }
      }
    }
  };
  const Board board(4, 6);
  std::mt19937_64 random(8);
  for (const WithColours& lying : {WithColours(kNone), WithColours(kByCell)}) {
    const KernelSet kernels = lying.kernels();
    std::size_t found = 0, refused = 0;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t a = random() & random() & board.all(),
                          b = random() & random() & board.all();
      if (std::popcount(a) > 7 || std::popcount(a) != std::popcount(b)) continue;
      const bool expected = are_isomorphic_by_definition(board, a, b);
      const bool is = are_isomorphic(board, kernels, a, b);
      ASSERT_TRUE(expected || !is) << board.text(a) << ' ' << board.text(b);
      (is ? found : refused) += 1;
    }
    EXPECT_GT(found, 20U);
    EXPECT_GT(refused, 1000U);
  }
}

// A map that folds a set onto one edge keeps every edge, and is no isomorphism.
TEST(Isomorphism, KeepsCellsApart) {
  static constexpr unsigned kColumns = 6;
  constexpr auto kFolded = [](const BoardShape&, const std::uint64_t* sets, std::size_t,
                              BoardColours& out) noexcept {
    // The colours of a are 0 and 1, as on a chessboard. Two neighbours in b have them, no others.
    out = {};
    for (unsigned cell = 0; cell < 4 * kColumns; ++cell) {
      if ((cell / kColumns + cell % kColumns) % 2 != 0) {
        out.planes[0][0] |= sets[0] & std::uint64_t{1} << cell;
      }
    }
    const std::uint64_t first = sets[1] & (0 - sets[1]);
    for (std::size_t plane = 0; plane < kColourPlanes; ++plane) {
      out.planes[plane][1] = sets[1] & ~first & ~(plane == 0 ? 0 : first << 1);
    }
  };
  const Board board(4, kColumns);
  const WithColours lying(kFolded);
  EXPECT_FALSE(are_isomorphic(board, lying.kernels(), board.parse("ooo/o.o/ooo"),
                              board.parse("oo.oo/oo.oo")));
}

// The image under half a turn has the same hash, and is isomorphic, however large the board is.
TEST(Isomorphism, KnowsImages) {
  std::mt19937_64 random(9);
  for (const auto& [rows, columns] : {std::pair{8U, 8U}, {2U, 32U}, {5U, 8U}}) {
    const Board board(rows, columns);
    std::size_t missed = 0;
    for (int i = 0; i < 2000; ++i) {
      std::array<std::uint64_t, 2> sets{random() & random() & board.all(), 0};
      for (unsigned cell = 0; cell < board.cells(); ++cell) {
        sets[1] |= (sets[0] >> cell & 1) << (board.cells() - 1 - cell);
      }
      std::array<std::uint64_t, 2> hashes{};
      isomorphism_hashes(board, select_kernels("auto"), sets, hashes);
      ASSERT_EQ(hashes[0], hashes[1]) << board.text(sets[0]);
      missed += are_isomorphic(board, select_kernels("auto"), sets[0], sets[1]) ? 0 : 1;
    }
    EXPECT_LT(missed, 200U) << rows << 'x' << columns;
  }
}

TEST(Isomorphism, OfSomeSets) {
  const Board board(4, 6);
  const KernelSet& kernels = select_kernels("auto");
  const auto is = [&](const char* a, const char* b) {
    return are_isomorphic(board, kernels, board.parse(a), board.parse(b));
  };
  EXPECT_TRUE(is("oooo", "o/oo/.o"));
  EXPECT_TRUE(is("ooo.oo", "oo/../oo/o"));
  EXPECT_FALSE(is("ooo", "oooo"));
  EXPECT_FALSE(is("oo/oo", "ooo/o"));
  EXPECT_FALSE(is(".o./ooo", "oo/.oo"));
  EXPECT_TRUE(is("", ""));
  // Every cell has two neighbours, in a ring of eight and in two squares, so all colours are alike.
  EXPECT_FALSE(is("ooo/o.o/ooo", "oo.oo/oo.oo"));
}

}  // namespace
}  // namespace grundy::graph
