/// @file
/// Facts that are proved about the games: the Sprague-Grundy theorem on product graphs, textbook
/// counts, coin-turning and strip games; and that all games keep the contract.
// SPDX-License-Identifier: MIT
#include <bit>
#include <numeric>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <grundy/games.hpp>
#include <grundy/graph/check_game.hpp>
#include <grundy/nim.hpp>

#include "engines/graph/graph_testing.hpp"
#include "games/graph/chomp.hpp"
#include "games/graph/coins.hpp"
#include "games/graph/heap_multisets.hpp"
#include "games/graph/heap_sum.hpp"
#include "games/graph/kayles.hpp"
#include "games/graph/poset.hpp"
#include "games/graph/turning.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

using namespace graph;
using ::testing::IsEmpty;
using testing_support::graph_game;
using testing_support::root_of;
using testing_support::table_of;
using testing_support::value_at;

// Nim 2 + 3 + 4: 27 positions with a move and the end, 114 moves; 4 P-positions and the end.
TEST(Textbook, NimTwoThreeFour) {
  const GraphStats stats = table_of("heaps:nim:4,3,2").stats();
  EXPECT_EQ(stats.positions - stats.terminal, 27u);
  EXPECT_EQ(stats.terminal, 1u);
  EXPECT_EQ(stats.moves, 114u);
  EXPECT_EQ(stats.p_positions - stats.terminal, 4u);
}

// Boards of Cram under half turns: if the game states the value of a position, the value is right.
TEST(Textbook, CramIsDecidedBySymmetry) {
  using Says = PositionTheorem::Says;
  for (unsigned rows = 1; rows <= 5; ++rows) {
    for (unsigned columns = rows; columns <= 6; ++columns) {
      for (const Reduction reduction : {Reduction::kComponents, Reduction::kSymmetry}) {
        if (reduction == Reduction::kSymmetry && rows * columns > 16) continue;
        const std::string text = fmt::format("cram:{}x{}", rows, columns);
        const auto game = graph_game(text, reduction);
        std::vector<std::uint64_t> start;
        game->whole_start(start);
        const Says expected = rows % 2 == 0 && columns % 2 == 0   ? Says::kZero
                              : rows % 2 == 0 || columns % 2 == 0 ? Says::kNotZero
                                                                  : Says::kNothing;
        EXPECT_EQ(game->theorem(start).says, expected) << text;
        const GraphTable table = table_of(*game, "layered");
        for (std::uint64_t row = 0; row < table.size(); ++row) {
          const PositionTheorem theorem = game->theorem(table.key(row));
          EXPECT_EQ(theorem.why.empty(), theorem.says == Says::kNothing);
          if (theorem.says == Says::kNothing) continue;
          ASSERT_EQ(table.values[row] == 0, theorem.says == Says::kZero)
              << game->text(table.key(row));
        }
        EXPECT_EQ(root_of(text), table.root_value()) << text;
      }
    }
  }
}

/// Values of all sets of cells of a board, by the definition.
std::vector<Nimber> cram_values(const Board& board) {
  std::vector<Nimber> values(std::size_t{1} << board.cells());
  for (std::uint64_t cells = 0; cells < values.size(); ++cells) {
    std::uint64_t reached = 0;
    board.for_each_domino(cells, [&](std::uint64_t domino) {
      reached |= std::uint64_t{1} << values[cells ^ domino];
    });
    values[cells] = static_cast<Nimber>(std::countr_one(reached));
  }
  return values;
}

// Ends beyond the first at a joint, and cells that have joints alone beside them.
TEST(Textbook, CramCellsThatDoNotMatterAreDropped) {
  const auto dropped = [](const char* from, const char* to) {
    const Board board(5, 5);
    EXPECT_EQ(board.text(board.without_surplus(board.parse(from))), board.text(board.parse(to)));
  };
  dropped("ooo", ".oo");
  dropped(".o./ooo/.o.", ".../.oo/...");
  dropped("ooooo", "oo.oo");
  dropped("oo/oo", "oo/oo");
  dropped("oooo", "oooo");
  for (const auto& [rows, columns] : {std::pair{4U, 4U}, {3U, 5U}, {2U, 8U}, {1U, 16U}}) {
    const Board board(rows, columns);
    const std::vector<Nimber> values = cram_values(board);
    std::size_t smaller = 0;
    for (std::uint64_t cells = 0; cells < values.size(); ++cells) {
      const std::uint64_t left = board.without_surplus(cells);
      ASSERT_EQ(left & ~cells, 0U);
      ASSERT_EQ(values[left], values[cells]) << board.text(cells);
      smaller += left != cells ? 1 : 0;
    }
    EXPECT_GT(smaller, values.size() / 4);
  }
}

// A search takes the simpler position, a table the position itself.
TEST(Textbook, OnlySearchesSimplify) {
  const auto game = graph_game("cram:1x5");
  std::vector<std::uint64_t> reduced, simplified;
  const std::uint64_t three = 0b111;
  game->reduce({&three, 1}, reduced);
  std::vector<SimplifiedPosition> run;
  game->simplify(select_kernels("auto"), {&three, 1}, simplified, run);
  EXPECT_EQ(game->text(reduced), "ooo..");
  EXPECT_EQ(game->text(simplified), "oo...");
  ASSERT_EQ(run.size(), 1U);
  EXPECT_EQ(run[0].end, 1U);
}

// Runs of positions are taken apart in vectors. What is left has their values.
TEST(Textbook, RunsOfCramPositionsKeepTheirValues) {
  constexpr std::size_t kRun = 41;
  for (const auto& [rows, columns] : {std::pair{4U, 4U}, {3U, 5U}, {2U, 8U}}) {
    const Board board(rows, columns);
    const std::vector<Nimber> values = cram_values(board);
    const auto game = graph_game("cram:" + std::to_string(rows) + "x" + std::to_string(columns));
    std::vector<std::uint64_t> positions(kRun), keys;
    std::vector<SimplifiedPosition> run;
    const auto sets = available_kernels();
    for (std::uint64_t first = 0; first + kRun <= values.size(); first += kRun) {
      std::iota(positions.begin(), positions.end(), first);
      keys.assign(3, 0);  // of a run before
      run.clear();
      game->simplify(sets[(first / kRun) % sets.size()], positions, keys, run);
      ASSERT_EQ(run.size(), kRun);
      ASSERT_EQ(run.back().end, keys.size() - 3);
      std::size_t key = 3;
      for (std::size_t i = 0; i < kRun; ++i) {
        Nimber value = run[i].value;
        for (; key < 3 + run[i].end; ++key) {
          ASSERT_EQ(keys[key], board.canonical(keys[key]));
          value ^= values[keys[key]];
        }
        ASSERT_EQ(value, values[positions[i]]) << board.text(positions[i]);
      }
    }
  }
}

// Boards in words of 128 bits have the tables of those in words of 64 bits.
TEST(Textbook, WideBoardsPlayLikeOthers) {
  for (const char* text : {"4x5", "5x5", "1x16", "kings:4x5", "cycle:12", "petersen:8,3"}) {
    const auto same_tables = [&](const auto& narrow, const auto& wide) {
      const GraphTable small = table_of(*make_graph_game(narrow), "layered");
      const GraphTable large = table_of(*make_graph_game(wide), "layered");
      ASSERT_EQ(large.key_words, 2U);
      EXPECT_EQ(large.values, small.values) << text;
      EXPECT_EQ(large.moves, small.moves) << text;
      for (std::uint64_t row = 0; row < small.size(); ++row) {
        ASSERT_THAT(large.key(row), ::testing::ElementsAre(small.key(row)[0], 0)) << text;
      }
    };
    const WideGraph graph = read_graph(text);
    same_tables(Kayles<KaylesMove::kNode>(narrowed(graph)),
                Kayles<KaylesMove::kNode, WideBits>(graph));
    same_tables(Kayles<KaylesMove::kArc>(narrowed(graph)),
                Kayles<KaylesMove::kArc, WideBits>(graph));
  }
}

/// Values of a row of n cells of which a move takes `taken` that lie side by side, or fewer at an
/// end if it is Node Kayles.
std::vector<Nimber> row_values(unsigned most, unsigned taken, bool is_node_kayles) {
  std::vector<Nimber> values(most + 1);
  for (unsigned n = 0; n <= most; ++n) {
    std::uint64_t reached = 0;
    const auto reach = [&](Nimber value) { reached |= std::uint64_t{1} << value; };
    for (unsigned left = 0; left + taken <= n; ++left)
      reach(values[left] ^ values[n - taken - left]);
    if (is_node_kayles && n > 0) reach(values[n > 2 ? n - 2 : 0]);
    values[n] = static_cast<Nimber>(std::countr_one(reached));
  }
  return values;
}

TEST(Textbook, WideBoardsHaveKnownValues) {
  const auto cram = row_values(128, 2, false), node_kayles = row_values(128, 3, true);
  for (const unsigned cells : {63U, 64U, 65U, 100U, 127U, 128U}) {
    EXPECT_EQ(root_of(fmt::format("cram:1x{}", cells)), cram[cells]) << cells;
    EXPECT_EQ(root_of(fmt::format("node-kayles:path:{}", cells)), node_kayles[cells]) << cells;
  }
  for (const char* text : {"cram:2x64", "cram:8x16", "cram:10x12"}) EXPECT_EQ(root_of(text), 0U);
  EXPECT_EQ(root_of("node-kayles:2x33"), 1U);
  EXPECT_EQ(root_of("node-kayles:2x34"), 0U);
}

// Every cell of the largest boards takes part in all symmetries.
TEST(Textbook, WideBoardsHaveCanonicalForms) {
  for (const auto& [rows, columns] : {std::pair{11U, 11U}, {8U, 16U}, {1U, 128U}, {10U, 12U}}) {
    const WideBoard board(rows, columns);
    const WideBits corner = 1;
    for (unsigned cell = 0; cell < board.cells(); ++cell) {
      EXPECT_TRUE(board.canonical(corner << cell) == corner);
      const WideBits left = board.all() ^ corner << cell;
      const WideBits form = board.canonical(left);
      EXPECT_TRUE(board.canonical(form) == form);
      EXPECT_EQ(count_ones(form), board.cells() - 1);
      EXPECT_TRUE(board.parse(board.text(left)) == left);
    }
    EXPECT_TRUE(board.is_point_symmetric(board.all()));
  }
}

TEST(Textbook, TheoremsSayNothingOfOtherGames) {
  for (const std::string text :
       {"node-kayles:4x4", "arc-kayles:cycle:8", "arc-kayles:kings:4x4", "chomp:4x4"}) {
    const auto game = graph_game(text);
    std::vector<std::uint64_t> start;
    game->whole_start(start);
    EXPECT_EQ(game->theorem(start).says, PositionTheorem::Says::kNothing) << text;
  }
}

TEST(Textbook, HexadsAreTheSteinerSystem) {
  const auto game = graph_game("hexad");
  const GraphTable table = table_of(*game);
  const GraphStats stats = table.stats();
  EXPECT_EQ(stats.positions, 905u);
  EXPECT_EQ(stats.p_positions, 132u);
  // The P-positions are the blocks of S(5,6,12): each set of five cards lies in exactly one.
  std::map<std::uint64_t, int> covered;
  for (std::uint64_t row = 0; row < table.size(); ++row) {
    if (table.values[row] != 0) continue;
    const std::uint64_t block = table.keys[row];
    for (std::uint64_t rest = block; rest != 0; rest &= rest - 1) {
      ++covered[block & ~(rest & (0 - rest))];
    }
  }
  EXPECT_EQ(covered.size(), 792u);  // C(12, 5)
  for (const auto& [five, times] : covered) EXPECT_EQ(times, 1);
}

// The dense and the hashed form of one sum: the nim-sum of every position, and as many of them.
TEST(Textbook, MultisetsOfNimHeapsAreNumbered) {
  const auto dense = graph_game("heaps:nim:6,6,6");
  EXPECT_EQ(dense->dense_size(), 84u);  // C(9, 3)
  const GraphTable table = table_of(*dense);
  const std::vector<std::uint8_t> sixes{6, 6, 6};
  const GraphStats hashed =
      table_of(*make_graph_game(HeapSum<8>(heap_moves(resolve_game("nim").heap(), 6), sixes)))
          .stats();
  EXPECT_EQ(table.stats().positions, hashed.positions);
  EXPECT_EQ(table.stats().moves, hashed.moves);
  EXPECT_EQ(table.stats().p_positions, hashed.p_positions);
  for (unsigned a = 0; a <= 6; ++a) {
    for (unsigned b = 0; b <= a; ++b) {
      for (unsigned c = 0; c <= b; ++c) {
        EXPECT_EQ(value_at(*dense, table, fmt::format("{}+{}+{}", a, b, c)), a ^ b ^ c);
      }
    }
  }
}

// In Subset Takeaway on up to 6 elements the second player wins (Gale and Neyman).
TEST(Textbook, SubsetTakeawayIsLostUpToFive) {
  for (int n = 1; n <= 5; ++n) EXPECT_EQ(root_of(fmt::format("subset-takeaway:{}", n)), 0u) << n;
  // Positions are the families that contain all subsets of their members: Dedekind numbers less
  // two, for there is no family without the empty set and none with the whole set.
  EXPECT_EQ(table_of(*graph_game("subset-takeaway:4", Reduction::kSymmetry)).size(), 166u);
  EXPECT_EQ(table_of(*graph_game("subset-takeaway:5", Reduction::kSymmetry)).size(), 7579u);
}

TEST(Textbook, ShapesOfChompAreCounted) {
  EXPECT_EQ(table_of("chomp:5x7").size(), 792u - 1);  // C(12, 5), without the empty shape
  EXPECT_EQ(table_of("chomp:1x40").size(), 40u);
  const auto game = graph_game("chomp:6x6");
  const GraphTable table = table_of(*game);
  // A hook is Nim with two heaps.
  for (unsigned right = 1; right <= 6; ++right) {
    for (unsigned down = 1; down <= 6; ++down) {
      std::string rows = std::to_string(right);
      for (unsigned i = 1; i < down; ++i) rows += ",1";
      EXPECT_EQ(value_at(*game, table, rows), (right - 1) ^ (down - 1)) << rows;
    }
  }
}

TEST(Textbook, ChompIsAPosetGame) {
  EXPECT_EQ(root_of("chomp:3x4"), root_of("chomp:3x4x1"));
  EXPECT_EQ(root_of("chomp:4x5"), root_of("chomp:1x4x5"));
}

// Heads at (x,y) have the value x * y in the field of nimbers.
TEST(CoinTurning, CornersAreNimProducts) {
  for (unsigned x = 0; x <= 12; x += 3) {
    for (unsigned y = 0; y <= 15; y += 5) {
      EXPECT_EQ(root_of(fmt::format("turning-corners:{}.{}", x, y)), nim_product(x, y));
    }
  }
}

TEST(CoinTurning, HeadsAreASum) {
  for (const std::string kind : {"mock-turtles", "ruler"}) {
    const auto whole = graph_game(kind + ":2,5,9,11", Reduction::kNone);
    const auto split = graph_game(kind + ":2,5,9,11");
    EXPECT_EQ(table_of(*whole).root_value(), table_of(*split).root_value()) << kind;
  }
  const auto whole = graph_game("turning-corners:1.3,0.7,1.1", Reduction::kNone);
  EXPECT_EQ(table_of(*whole).root_value(), nim_product(1, 3) ^ nim_product(1, 1));
}

// Without a dollar, coins from the right form pairs, and the gaps are heaps of Nim.
TEST(Strip, SilverDollarIsNimOnEveryOtherGap) {
  EXPECT_EQ(root_of("silver-dollar:2,5,9,11"), (5u - 2 - 1) ^ (11u - 9 - 1));
  EXPECT_EQ(root_of("silver-dollar:3,4,9"), 3u ^ (9u - 4 - 1));
  EXPECT_EQ(root_of("silver-dollar:0,1,2"), 0u);
}

TEST(Strip, WelterWithTwoCoins) {
  for (unsigned a = 0; a < 9; ++a) {
    for (unsigned b = a + 1; b < 12; ++b) {
      EXPECT_EQ(root_of(fmt::format("welter:{},{}", a, b)), (a ^ b) - 1);
    }
  }
}

RC_GTEST_PROP(SpragueGrundy, ASumHasTheNimSumOnTheProductGraph, ()) {
  // Random games, random heaps; the product graph is computed without the theorem.
  const std::string game = *rc::gen::element<std::string>("0.77", "0.137", "4.7", "S{1,2,5}", "0.6",
                                                          "4!.0", "AllBut{2}", "nim", "0.3F");
  const auto heaps = *rc::gen::container<std::vector<unsigned>>(*rc::gen::inRange(1, 4),
                                                                rc::gen::inRange(1u, 11u));
  Nimber nim_sum = 0;
  for (const unsigned heap : heaps) nim_sum ^= root_of(fmt::format("heaps:{}:{}", game, heap));
  const std::string text = fmt::format("heaps:{}:{}", game, fmt::join(heaps, ","));
  RC_ASSERT(table_of(text).root_value() == nim_sum);
  // G + G is a P-position.
  const std::string twice = fmt::format("heaps:{}:{},{}", game, heaps[0], heaps[0]);
  RC_ASSERT(table_of(twice).root_value() == 0u);
}

template <Game G>
void expect_sound(const G& game, Reduction reduction) {
  EXPECT_THAT(check_game(game, {.plays = 20, .reduction = reduction}), IsEmpty());
}

template <Game G>
void expect_sound(const G& game) {
  expect_sound(game, Reduction::kComponents);
  expect_sound(game, Reduction::kSymmetry);
}

TEST(Contract, EveryGameOfTheCatalogueKeepsIt) {
  for (const char* graph : {"3x4", "4x4", "kings:3x4", "knights:3x4", "queens:3x4", "path:9",
                            "cycle:8", "petersen:5,2", "hypercube:3", "complete:5"}) {
    expect_sound(Kayles<KaylesMove::kNode>(narrowed(read_graph(graph))));
    expect_sound(Kayles<KaylesMove::kArc>(narrowed(read_graph(graph))));
    expect_sound(Kayles<KaylesMove::kNode, WideBits>(read_graph(graph)));
    expect_sound(Kayles<KaylesMove::kArc, WideBits>(read_graph(graph)));
  }
  expect_sound(Chomp({5, 5, 5, 5}));
  expect_sound(Chomp({6, 4, 4, 1}));
  expect_sound(PosetGame(box_poset({2, 2, 3})));
  expect_sound(PosetGame(subset_poset(4)));
  expect_sound(Welter("1,4,5,9"));
  expect_sound(SilverDollar("1,4,5,9"));
  expect_sound(Hexad());
  using Kind = TurningCoins::Kind;
  for (const Kind kind : {Kind::kMockTurtles, Kind::kRuler}) {
    expect_sound(TurningCoins(kind, "10", true), Reduction::kComponents);
    expect_sound(TurningCoins(kind, "3,8", false), Reduction::kSymmetry);
  }
  expect_sound(TurningCoins(Kind::kCorners, "3.3", true), Reduction::kComponents);
  for (const char* rule : {"nim", "kayles", "4.7", "grundys-game"}) {
    const std::vector<std::uint8_t> heaps{7, 5, 5};
    if (const HeapMoves moves = heap_moves(resolve_game(rule).heap(), 6);
        HeapMultisets::suits(moves, 3)) {
      expect_sound(HeapMultisets(moves, 3));
    }
    expect_sound(HeapSum<32>(heap_moves(resolve_game(rule).heap(), 7), heaps));
  }
}

}  // namespace
}  // namespace grundy
