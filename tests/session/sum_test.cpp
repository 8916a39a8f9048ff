// Sums of games of any kind, against play on the product graph and against known values.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/heap/options.hpp>
#include <grundy/sum.hpp>

#include "games/heap/naive.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Heaps = std::vector<HeapSize>;

/// What the winning moves in one component leave.
std::vector<std::string> left(const SumMoves& winning) {
  std::vector<std::string> all;
  for (const SumMove& move : winning.moves) all.push_back(move.left.text);
  return all;
}

TEST(GameSum, OfTheTextbookPosition) {
  const GameSum nim = GameSum::read({"0.[3]:13,12,8"});
  EXPECT_EQ(nim.value(), 9u);
  EXPECT_FALSE(nim.is_p_position());
  const auto winning = nim.winning_moves();
  ASSERT_EQ(winning.size(), 3u);
  constexpr HeapSize kTaken[] = {9, 7, 7};
  constexpr HeapSize kLeft[] = {4, 5, 1};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(winning[i].complete);
    ASSERT_EQ(winning[i].moves.size(), 1u);
    EXPECT_EQ(winning[i].moves[0].taken, kTaken[i]);
    EXPECT_THAT(winning[i].moves[0].left.heaps, ElementsAre(kLeft[i]));
  }
}

TEST(GameSum, APPositionHasNoWinningMove) {
  for (HeapSize n = 0; n < 20; ++n) {
    const GameSum twice = GameSum::read({fmt::format("0.77:{0},{0}", n)});
    EXPECT_TRUE(twice.is_p_position());
    for (const SumMoves& moves : twice.winning_moves()) EXPECT_THAT(moves.moves, IsEmpty());
  }
}

/// A position of a sum: for every game its heaps, ascending.
using Position = std::vector<Heaps>;

/// Values of positions by the definition of the mex over all moves; nothing is known of sums.
class ProductGraph {
 public:
  explicit ProductGraph(const std::vector<HeapRule>& rules) : rules_(rules) {}

  Nimber value(const Position& position) {
    if (const auto known = known_.find(position); known != known_.end()) return known->second;
    std::set<unsigned> seen;
    for (std::size_t game = 0; game < position.size(); ++game) {
      for (std::size_t heap = 0; heap < position[game].size(); ++heap) {
        for (const HeapMove& move : test::moves_of(rules_[game], position[game][heap])) {
          seen.insert(value(after(position, game, heap, move)));
        }
      }
    }
    return known_[position] = test::mex(seen);
  }

  static Position after(Position position, std::size_t game, std::size_t heap,
                        const HeapMove& move) {
    Heaps& heaps = position[game];
    heaps.erase(heaps.begin() + static_cast<std::ptrdiff_t>(heap));
    heaps.insert(heaps.end(), move.left.begin(), move.left.end());
    std::ranges::sort(heaps);
    return position;
  }

 private:
  const std::vector<HeapRule>& rules_;
  std::map<Position, Nimber> known_;
};

std::string random_octal(std::mt19937& random) {
  std::string code = random() % 4 == 0 ? "4." : "0.";
  const auto digits = 1 + random() % 3;
  for (unsigned i = 0; i < digits; ++i) code += static_cast<char>('0' + random() % 8);
  return code;
}

TEST(GameSum, HasTheValueOnTheProductGraph) {
  std::mt19937 random(20);
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<std::string> codes{random_octal(random), random_octal(random)};
    const std::vector<HeapRule> rules{HeapRule::parse(codes[0]), HeapRule::parse(codes[1])};
    ProductGraph graph(rules);
    Position position(2);
    for (int i = 0; i < 3; ++i) position[random() % 2].push_back(random() % 7);
    std::vector<std::string> components;
    for (std::size_t game = 0; game < 2; ++game) {
      std::ranges::sort(position[game]);
      if (position[game].empty()) continue;
      components.push_back(fmt::format("{}:{}", codes[game], fmt::join(position[game], ",")));
    }
    const GameSum sum = GameSum::read(components);
    ASSERT_EQ(sum.value(), graph.value(position)) << fmt::format("{}", fmt::join(components, " "));

    // The winning moves are exactly those to P-positions of the graph.
    const auto winning = sum.winning_moves();
    std::size_t at = 0;
    for (std::size_t game = 0; game < 2; ++game) {
      for (std::size_t heap = 0; heap < position[game].size(); ++heap, ++at) {
        std::vector<HeapMove> expected = test::moves_of(rules[game], position[game][heap]);
        std::erase_if(expected, [&](const HeapMove& move) {
          return graph.value(ProductGraph::after(position, game, heap, move)) != 0;
        });
        std::vector<HeapMove> found;
        for (const SumMove& move : winning.at(at).moves) {
          found.push_back({move.taken.value(), move.left.heaps});
        }
        EXPECT_EQ(found, expected) << codes[game];
      }
    }
    EXPECT_EQ(at, winning.size());
  }
}

TEST(GameSum, EquivalenceIsThatTheSumIsP) {
  const std::vector<HeapRule> rules{HeapRule::parse("0.77"), HeapRule::parse("0.07")};
  ProductGraph both(rules);
  for (HeapSize a = 0; a < 6; ++a) {
    for (HeapSize b = 0; b < 6; ++b) {
      const std::string kayles = fmt::format("0.77:{}", a);
      const std::string dawson = fmt::format("0.07:{}", b);
      EXPECT_EQ(GameSum::read({kayles}).value() == GameSum::read({dawson}).value(),
                both.value({{a}, {b}}) == 0);
      EXPECT_EQ(GameSum::read({kayles, dawson}).is_p_position(), both.value({{a}, {b}}) == 0);
    }
  }
}

// (3, 5) is a P-position of Wythoff's game, Cram on 3 x 4 has the value 1, and heap 5 of Kayles 4.
TEST(GameSum, MixesKindsInTheOrderInWhichTheyAreTyped) {
  const GameSum sum = GameSum::read({"Wythoff:3,5", "+", "cram:3x4", "*6", "kayles:5"});
  std::vector<std::string> labels;
  std::vector<std::uint64_t> values;
  for (const auto& component : sum.components()) {
    labels.push_back(component->label());
    values.push_back(component->value());
  }
  EXPECT_THAT(labels, ElementsAre("Wythoff's game (3, 5)", "cram:3x4", "Nim 6", "Kayles 5"));
  EXPECT_THAT(values, ElementsAre(0, 1, 6, 4));
  EXPECT_EQ(sum.value(), 3u);
  const auto winning = sum.winning_moves();
  ASSERT_EQ(winning.size(), 4u);
  ASSERT_THAT(left(winning[0]), ::testing::Not(IsEmpty()));
  EXPECT_THAT(sum.components()[0]->describe(winning[0].moves.front()),
              ::testing::StartsWith("in the position (3, 5) of Wythoff's game leave ("));
  EXPECT_THAT(left(winning[2]), ElementsAre("5"));
  // Every winning move, made, leaves a P-position.
  for (const SumMove& move : winning[0].moves) {
    const std::string text =
        fmt::format("wythoff:{},{}", move.left.heaps.at(0), move.left.heaps.at(1));
    EXPECT_TRUE(GameSum::read({text, "cram:3x4", "*6", "kayles:5"}).is_p_position()) << text;
  }
}

std::vector<std::string> labels_of(const std::string& text) {
  std::vector<std::string> labels;
  const GameSum sum = GameSum::read({text});
  for (const auto& component : sum.components()) labels.push_back(component->label());
  return labels;
}

// Blanks and plus signs separate components, and they are part of some notations.
TEST(GameSum, ReadsComponentsOfOneText) {
  EXPECT_THAT(labels_of("kayles:5 + wythoff:3,5 cram:3x4  + *6"),
              ElementsAre("Kayles 5", "Wythoff's game (3, 5)", "cram:3x4", "Nim 6"));
  EXPECT_THAT(labels_of("*5 + *6"), ElementsAre("Nim 5", "Nim 6"));
  EXPECT_THAT(labels_of("*5 *6 + kayles: 7, 8"),
              ElementsAre("Nim 5", "Nim 6", "Kayles 7", "Kayles 8"));
  EXPECT_THAT(labels_of("Dawson's Chess:5 + S{1, 2}:5"),
              ElementsAre("Dawson's Chess 5", ::testing::EndsWith(" 5")));
  EXPECT_THAT(labels_of("2: sym (1,0)* + (1,1)*:3,5"), ElementsAre(::testing::EndsWith("(3, 5)")));
  EXPECT_THAT(
      labels_of("*1 + 2: sym (1,0)* + (1,1)*:3,5 + moore(4, 2):1,2,3,4"),
      ElementsAre("Nim 1", ::testing::EndsWith("(3, 5)"), ::testing::EndsWith("(1, 2, 3, 4)")));
  EXPECT_THAT(labels_of("n -> n - 1, floor(n/2):5"), ElementsAre(::testing::EndsWith(" 5")));
}

TEST(GameSum, ValuesHave64Bits) {
  const GameSum huge = GameSum::read({"nim:18446744073709551615", "kayles:10^18"});
  EXPECT_EQ(huge.components()[0]->value(), ~std::uint64_t{0});
  EXPECT_EQ(huge.components()[1]->value(), 1u);
  EXPECT_EQ(left(huge.winning_moves()[0]), std::vector<std::string>{"1"});
}

TEST(GameSum, EndsWhenItIsStopped) {
  std::stop_source stop;
  stop.request_stop();
  for (const char* text : {"0.007:100000", "wythoff:500,500", "cram:5x5"}) {
    EXPECT_FALSE(GameSum::read({text}, {.stop = stop.get_token()}).has_value()) << text;
  }
  for (const char* text : {"kayles:50", "wythoff:30,40", "cram:3x5"}) {
    const GameSum sum = GameSum::read({text, "*9"});
    EXPECT_FALSE(sum.winning_moves(stop.get_token()).has_value()) << text;
    EXPECT_EQ(sum.winning_moves().size(), 2U) << "it answers afterwards";
  }
}

TEST(GameSum, RefusesWhatItCannotRead) {
  EXPECT_EQ(testing_support::code_of([] { GameSum::read({}); }), ErrorCode::kUsage);
  EXPECT_EQ(testing_support::code_of([] { GameSum::read({"kayles"}); }), ErrorCode::kUsage);
  EXPECT_EQ(testing_support::code_of([] { GameSum::read({"keyles:3"}); }), ErrorCode::kUsage);
}

}  // namespace
}  // namespace grundy
