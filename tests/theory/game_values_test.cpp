// Options and moves of heap games, against enumeration.
// SPDX-License-Identifier: MIT
#include "theory/game_values.hpp"

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
    for (const HeapMove& move : options(kayles.rule, n))
      seen.insert(static_cast<unsigned>(kayles.value(move)));
    kayles.first.push_back(test::mex(seen));
  }
  EXPECT_THAT(kayles.first, ElementsAre(0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2,
                                        1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7));
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
  const MovesToValue found = moves_to_value(game, n, 0).value();
  EXPECT_TRUE(found.complete);
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
        EXPECT_EQ(moves_to_value(game, n, wanted)->moves,
                  moves_to_value(by_search, n, wanted)->moves)
            << notation << ' ' << n << ' ' << wanted;
      }
    }
    for (const HeapSize n : {HeapSize{4'000'000'000}, HeapSize{1'000'000'000'000'000'000}}) {
      const std::uint64_t below = game.value(n) - 12345;  // so it is reached
      const MovesToValue huge = moves_to_value(game, n, below).value();
      EXPECT_TRUE(huge.complete);
      EXPECT_FALSE(huge.moves.empty());
      for (const HeapMove& move : huge.moves) EXPECT_EQ(game.value(move), below);
    }
  }
}

TEST(MovesToValue, OneIsFoundThroughThePeriod) {
  const GameValues kayles = game_of("0.77", 200);
  const HeapSize n = 1'000'000'000'000'000'000;
  // A heap whose options can still be listed, in the same residue class.
  const HeapSize like_n = 76 + 12 * 60;
  for (Nimber wanted = 0; wanted < 16; ++wanted) {
    const MovesToValue every = moves_to_value(kayles, like_n, wanted).value();
    ASSERT_TRUE(every.complete);
    const MovesToValue one = moves_to_value(kayles, n, wanted, 1000).value();
    EXPECT_EQ(one.moves.empty(), every.moves.empty()) << wanted;
    EXPECT_EQ(one.complete, every.moves.empty()) << wanted;
    for (const HeapMove& move : one.moves) EXPECT_EQ(kayles.value(move), wanted);
  }
}

TEST(MovesToValue, ToPassIsAMove) {
  const HeapRule rule = HeapRule::parse("0.77 pass 3");
  const GameValues game{.name = "0.77 pass 3", .rule = rule, .first = {0, 1, 2, 4}, .period = {}};
  // The heap of 3 has moves to 0, 1 and 2, so without its pass it has the value 3.
  for (Nimber wanted = 0; wanted < 6; ++wanted) {
    const MovesToValue found = moves_to_value(game, 3, wanted).value();
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.moves.empty(), wanted >= 3) << wanted;
    EXPECT_EQ(found.pass, wanted == 3) << wanted;
    EXPECT_FALSE(moves_to_value(game, 2, wanted)->pass) << wanted;
  }
  EXPECT_FALSE(moves_to_value(game, 3, 3, 1)->pass) << "one option is too few to tell";
}

TEST(MovesToValue, WithoutPeriodSaysThatItDoesNotKnow) {
  GameValues kayles = game_of("0.77", 200);
  kayles.period = {};
  const MovesToValue found = moves_to_value(kayles, 150, 3, 2).value();
  EXPECT_FALSE(found.complete);
  EXPECT_THAT(found.moves, IsEmpty());
  EXPECT_TRUE(moves_to_value(kayles, 150, 3)->complete);
}

}  // namespace
}  // namespace grundy
