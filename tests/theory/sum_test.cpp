// Options, moves and sums of heap games, against enumeration and against play on the product graph.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>
#include <grundy/sum.hpp>

#include "games/heap/naive.hpp"

namespace grundy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Heaps = std::vector<HeapSize>;

GameValues game_of(const std::string& notation, HeapSize count) {
  GameValues game{.name = notation, .rule = HeapRule::parse(notation), .first = {}, .period = {}};
  const auto values = test::naive_values(game.rule, count);
  game.first.assign(values.begin(), values.end());
  game.period = find_period(game.rule, std::span<const Nimber>(game.first));
  return game;
}

std::vector<HeapMove> options(const HeapRule& rule, HeapSize n, HeapSize most_small = kNoBound) {
  std::vector<HeapMove> all;
  for_each_option(
      rule, n,
      [&](const HeapMove& move) {
        all.push_back(move);
        return Flow::kContinue;
      },
      most_small);
  return all;
}

constexpr const char* kNotations[] = {
    "0.77",   "0.07",   "4.3",      "4!.0",     "0.8F",        "0.137",    "hex:0.29",
    "0.[3]",  "4.[3]",  "0.7=3?7!", "0.{2,3}",  "4.*!",        "0.*",      "0.*?[7]",
    "0.[13]", "&8;=.7", "0.C?",     "S{1,2,5}", "AllBut{2,4}", "S{primes}"};

TEST(ForEachOption, GivesTheOptionsOfTheDefinitionOnceEach) {
  for (const char* notation : kNotations) {
    const HeapRule rule = HeapRule::parse(notation);
    for (HeapSize n = 0; n <= 16; ++n) {
      std::set<Heaps> expected;
      if (rule.take_break() != nullptr) {
        expected = test::options(*rule.take_break(), n);
      } else {
        for (const HeapSize s : rule.subtraction()->allowed_up_to(n)) {
          expected.insert(s == n ? Heaps{} : Heaps{n - s});
        }
      }
      std::set<Heaps> found;
      for (const HeapMove& move : options(rule, n)) {
        EXPECT_EQ(std::accumulate(move.left.begin(), move.left.end(), move.taken), n);
        EXPECT_TRUE(found.insert(move.left).second) << notation << ' ' << n;
      }
      EXPECT_EQ(found, expected) << notation << ' ' << n;
    }
  }
}

TEST(ForEachOption, KeepsTheOrderOfItsPromise) {
  const auto moves = options(HeapRule::parse("0.77"), 5);
  EXPECT_THAT(moves, ElementsAre(HeapMove{1, {4}}, HeapMove{1, {1, 3}}, HeapMove{1, {2, 2}},
                                 HeapMove{2, {3}}, HeapMove{2, {1, 2}}));
}

TEST(ForEachOption, BoundsAllHeapsButTheLargest) {
  for (const char* notation : kNotations) {
    const HeapRule rule = HeapRule::parse(notation);
    for (HeapSize bound = 1; bound <= 4; ++bound) {
      std::vector<HeapMove> expected = options(rule, 14);
      std::erase_if(expected, [&](const HeapMove& move) {
        return rule.take_break() != nullptr && move.left.size() > 1 &&
               move.left[move.left.size() - 2] > bound;
      });
      EXPECT_EQ(options(rule, 14, bound), expected) << notation << ' ' << bound;
    }
  }
}

TEST(ForEachOption, StopsWhenTold) {
  int seen = 0;
  for (const char* notation : {"0.8F", "S{1,2,5}", "AllBut{2}"}) {
    seen = 0;
    for_each_option(HeapRule::parse(notation), 30,
                    [&](const HeapMove&) { return ++seen == 2 ? Flow::kStop : Flow::kContinue; });
    EXPECT_EQ(seen, 2) << notation;
  }
}

TEST(GameValues, KaylesByItsOptions) {
  // Guy and Smith (1956): heaps 0 to 35, each the mex over for_each_option().
  GameValues kayles{.name = "Kayles", .rule = HeapRule::parse("0.77"), .first = {}, .period = {}};
  for (HeapSize n = 0; n <= 35; ++n) {
    std::set<unsigned> seen;
    for (const HeapMove& move : options(kayles.rule, n)) seen.insert(kayles.value(move));
    kayles.first.push_back(test::mex(seen));
  }
  EXPECT_THAT(kayles.first, ElementsAre(0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2,
                                        1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7));
}

TEST(WinningMoves, OfTheTextbookPosition) {
  const GameValues nim = game_of("0.[3]", 20);
  const std::vector<SumHeap> heaps{{&nim, 13}, {&nim, 12}, {&nim, 8}};
  EXPECT_EQ(sum_value(heaps), 9u);
  const auto winning = winning_moves(heaps);
  ASSERT_EQ(winning.size(), 3u);
  EXPECT_THAT(winning[0].moves, ElementsAre(HeapMove{9, {4}}));
  EXPECT_THAT(winning[1].moves, ElementsAre(HeapMove{7, {5}}));
  EXPECT_THAT(winning[2].moves, ElementsAre(HeapMove{7, {1}}));
  for (const MovesToValue& moves : winning) EXPECT_EQ(moves.listing, Listing::kEvery);
}

TEST(WinningMoves, OfAPPositionAreNone) {
  const GameValues kayles = game_of("0.77", 40);
  for (HeapSize n = 0; n < 40; ++n) {
    const std::vector<SumHeap> twice{{&kayles, n}, {&kayles, n}};
    EXPECT_EQ(sum_value(twice), 0u);
    for (const MovesToValue& moves : winning_moves(twice)) EXPECT_THAT(moves.moves, IsEmpty());
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
        for (const HeapMove& move : options(rules_[game], position[game][heap])) {
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

TEST(SumValue, IsTheValueOnTheProductGraph) {
  std::mt19937 random(20);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<GameValues> games;
    std::vector<HeapRule> rules;
    for (int i = 0; i < 2; ++i) {
      games.push_back(game_of(random_octal(random), 8));
      rules.push_back(games.back().rule);
    }
    ProductGraph graph(rules);
    Position position(2);
    std::vector<SumHeap> heaps;
    for (int i = 0; i < 3; ++i) {
      const std::size_t game = random() % 2;
      position[game].push_back(random() % 7);
    }
    for (std::size_t game = 0; game < 2; ++game) {
      std::ranges::sort(position[game]);
      for (const HeapSize heap : position[game]) heaps.push_back({&games[game], heap});
    }
    ASSERT_EQ(sum_value(heaps), graph.value(position))
        << games[0].name << ' ' << games[1].name << ' ' << testing::PrintToString(position);

    // The winning moves are exactly those to P-positions of the graph.
    const auto winning = winning_moves(heaps);
    std::size_t at = 0;
    for (std::size_t game = 0; game < 2; ++game) {
      for (std::size_t heap = 0; heap < position[game].size(); ++heap, ++at) {
        std::vector<HeapMove> expected = options(rules[game], position[game][heap]);
        std::erase_if(expected, [&](const HeapMove& move) {
          return graph.value(ProductGraph::after(position, game, heap, move)) != 0;
        });
        EXPECT_EQ(winning[at].moves, expected) << games[game].name;
      }
    }
  }
}

TEST(SumValue, EquivalenceIsThatTheSumIsP) {
  const GameValues kayles = game_of("0.77", 15);
  const GameValues dawson = game_of("0.07", 15);
  const std::vector<HeapRule> rules{kayles.rule, dawson.rule};
  ProductGraph both(rules);
  for (HeapSize a = 0; a < 9; ++a) {
    for (HeapSize b = 0; b < 9; ++b) {
      EXPECT_EQ(kayles.value(a) == dawson.value(b), both.value({{a}, {b}}) == 0) << a << ' ' << b;
    }
  }
}

TEST(GameValues, BeyondTheListComeFromPeriodOrCallbackOrNowhere) {
  GameValues kayles = game_of("0.77", 200);
  ASSERT_TRUE(kayles.periodic());
  EXPECT_EQ(kayles.value(1'000'000'000'000'000'000), kayles.first[76]);  // 10^18 = 4 mod 12
  kayles.period = {};
  EXPECT_THROW(static_cast<void>(kayles.value(200)), Error);
  kayles.beyond = [](HeapSize n) { return static_cast<Nimber>(n % 7); };
  EXPECT_EQ(kayles.value(200), 4u);
}

TEST(MovesToValue, OfASubtractionGameAreListedForHugeHeaps) {
  const GameValues game = game_of("S{1,2,5}", 60);
  const HeapSize n = 1'000'000'000'000'000'000;
  const MovesToValue found = moves_to_value(game, n, 0);
  EXPECT_EQ(found.listing, Listing::kEvery);
  for (const HeapMove& move : found.moves) EXPECT_EQ(game.value(move), 0u);
  std::size_t expected = 0;
  for (const HeapSize s : {1, 2, 5}) expected += game.value(n - s) == 0 ? 1 : 0;
  EXPECT_EQ(found.moves.size(), expected);
}

TEST(MovesToValue, OfAnAllButGameAreListedForHugeHeaps) {
  for (const char* notation : {"0.[3]", "AllBut{1,2,3}", "AllBut{2,4}", "AllBut{1,5,6}"}) {
    GameValues game = game_of(notation, 300);
    ASSERT_GT(game.period.saltus, 0u) << notation;
    GameValues by_search = game;
    by_search.period = {};
    for (const HeapSize n : {0, 1, 5, 17, 100, 250}) {
      for (Nimber wanted = 0; wanted <= game.value(n) + 3; ++wanted) {
        EXPECT_EQ(moves_to_value(game, n, wanted).moves, moves_to_value(by_search, n, wanted).moves)
            << notation << ' ' << n << ' ' << wanted;
      }
    }
    const Nimber below = game.value(4'000'000'000) - 12345;  // so it is reached
    const MovesToValue huge = moves_to_value(game, 4'000'000'000, below);
    EXPECT_EQ(huge.listing, Listing::kEvery);
    EXPECT_FALSE(huge.moves.empty());
    for (const HeapMove& move : huge.moves) EXPECT_EQ(game.value(move), below);
  }
}

TEST(MovesToValue, OneIsFoundThroughThePeriod) {
  const GameValues kayles = game_of("0.77", 200);
  const HeapSize n = 1'000'000'000'000'000'000;
  // A heap whose options can still be listed, in the same residue class.
  const HeapSize like_n = 76 + 12 * 60;
  for (Nimber wanted = 0; wanted < 16; ++wanted) {
    const MovesToValue every = moves_to_value(kayles, like_n, wanted);
    ASSERT_EQ(every.listing, Listing::kEvery);
    const MovesToValue one = moves_to_value(kayles, n, wanted, 1000);
    EXPECT_EQ(one.moves.empty(), every.moves.empty()) << wanted;
    EXPECT_EQ(one.listing, every.moves.empty() ? Listing::kEvery : Listing::kOne) << wanted;
    for (const HeapMove& move : one.moves) EXPECT_EQ(kayles.value(move), wanted);
  }
}

TEST(MovesToValue, WithoutPeriodSaysThatItDoesNotKnow) {
  GameValues kayles = game_of("0.77", 200);
  kayles.period = {};
  const MovesToValue found = moves_to_value(kayles, 150, 3, 2);
  EXPECT_EQ(found.listing, Listing::kUnknown);
  EXPECT_THAT(found.moves, IsEmpty());
  EXPECT_EQ(moves_to_value(kayles, 150, 3).listing, Listing::kEvery);
}

}  // namespace
}  // namespace grundy
