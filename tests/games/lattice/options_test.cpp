/// @file
/// The options of a position: their number, the effect of equal heaps, and games with known
/// P-positions.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/games.hpp>
#include <grundy/lattice/options.hpp>

#include "games/lattice/definition.hpp"

namespace grundy {
namespace {

using testing::UnorderedElementsAre;

std::set<LatticePoint> options(const LatticeRule& rule, const LatticePoint& p) {
  std::set<LatticePoint> found;
  for_each_option(rule, p, [&](const LatticePoint& q) { found.insert(q); });
  return found;
}

void for_each_position(unsigned heaps, std::uint32_t size,
                       const std::function<void(const LatticePoint&)>& visit) {
  const Layout layout = Layout::of(LatticeShape::cube(heaps, size), 1);
  LatticePoint p{};
  for (std::uint64_t n = 0; n < layout.positions(); ++n, layout.step(p)) visit(p);
}

/// All values of positions with heaps below `size`, by the definition.
class ValueTable {
 public:
  ValueTable(LatticeRule rule, std::uint32_t size)
      : rule_(std::move(rule)),
        layout_(Layout::of(LatticeShape::cube(rule_.heaps(), size), rule_.planes())),
        values_(layout_.entries()) {
    Definition definition(rule_, layout_);
    for_each_position(rule_.heaps(), size,
                      [&](const LatticePoint& p) { definition.evaluate(p, values_.data()); });
  }
  [[nodiscard]] Nimber operator()(const LatticePoint& p) const {
    return values_[layout_.entry_of(p)];
  }

 private:
  LatticeRule rule_;
  Layout layout_;
  std::vector<Nimber> values_;
};

TEST(LatticeOptions, OfTwoEqualHeapsEuclidReducesEither) {
  const LatticeRule rule = LatticeRule::parse("2: euclid0");
  EXPECT_THAT(options(rule, {2, 2}), UnorderedElementsAre(LatticePoint{0, 2}, LatticePoint{2, 0}));
  EXPECT_THAT(options(rule, {5, 2}), UnorderedElementsAre(LatticePoint{3, 2}, LatticePoint{1, 2}));
  EXPECT_TRUE(options(rule, {4, 0}).empty());
  EXPECT_TRUE(options(LatticeRule::parse("2: euclid"), {3, 3}).empty());
}

TEST(LatticeOptions, ChompCutsSomeOfTheEqualHeaps) {
  const LatticeRule rule = LatticeRule::parse("3: chomp");
  EXPECT_THAT(options(rule, {1, 1, 0}),
              UnorderedElementsAre(LatticePoint{0, 1, 0}, LatticePoint{1, 0, 0}));
  EXPECT_THAT(options(rule, {1, 2, 1}),
              UnorderedElementsAre(LatticePoint{0, 2, 1}, LatticePoint{1, 2, 0},
                                   LatticePoint{0, 2, 0}, LatticePoint{1, 1, 1}));
}

/// Rules that are each other's images have values that are; so no family tells heaps apart.
TEST(LatticeOptions, FamiliesDoNotDependOnTheNumbersOfTheHeaps) {
  for (const std::string family : {"euclid0", "euclid", "chomp", "balanced"}) {
    const ValueTable one(LatticeRule::parse("2: " + family + " + (0,1)"), 12);
    const ValueTable other(LatticeRule::parse("2: " + family + " + (1,0)"), 12);
    for_each_position(2, 12, [&](const LatticePoint& p) {
      ASSERT_EQ(one(p), other({p[1], p[0]})) << family << ' ' << p[0] << ' ' << p[1];
    });
  }
  EXPECT_EQ(ValueTable(LatticeRule::parse("2: euclid0 + (0,1)"), 2)({1, 1}), 2u);
}

TEST(LatticeOptions, TerminalPositionsHaveNone) {
  for (const char* text :
       {"3: (2,1,0)*{2,3} + (0,0,4)", "3: band(1,3;2)", "3: box(1,2) + (0,0,2)", "3: chomp",
        "3: ends", "3: balanced", "3: chomp + balanced", "3: box(1,2,3) + balanced + misere"}) {
    const LatticeRule rule = LatticeRule::parse(text);
    for (std::uint32_t i = 0; i < 7 * 7 * 7; ++i) {
      const LatticePoint p{i / 49, i / 7 % 7, i % 7};
      EXPECT_EQ(is_terminal(rule, p), options(rule, p).empty()) << text << ' ' << i;
    }
  }
  EXPECT_TRUE(is_terminal(LatticeRule::parse("2: euclid"), {3, 3}));
  EXPECT_FALSE(is_terminal(LatticeRule::parse("2: euclid0"), {3, 3}));
}

TEST(LatticeOptions, TheBoundCountsWhatIsTried) {
  for (const std::string_view text : {"3: chomp", "2: euclid0", "3: ends", "3: balanced",
                                      "3: sym box(1,2) + sym (1,0,0)*", "2: band(1,2;2)"}) {
    const LatticeRule rule = LatticeRule::parse(text);
    for_each_position(rule.heaps(), 5, [&](const LatticePoint& p) {
      double tried = 0;
      for_each_option(rule, p, [&](const LatticePoint&) { ++tried; });
      ASSERT_LE(tried, option_bound(rule, p)) << text;
    });
  }
}

/// Euclid's two games differ in who wins exactly where the heaps are equal.
TEST(LatticeGames, TheGamesOfEuclidDifferOnTheDiagonal) {
  const ValueTable positive(resolve_game("euclid").lattice(), 60);
  const ValueTable to_zero(resolve_game("euclid-to-zero").lattice(), 60);
  for_each_position(2, 60, [&](const LatticePoint& p) {
    if (p[0] == 0 || p[1] == 0) return;
    ASSERT_EQ((positive(p) == 0) == (to_zero(p) == 0), p[0] != p[1]) << p[0] << ' ' << p[1];
  });
}

/// CN(n, k) by its definition: choose k neighbours and leave any smaller position of them.
std::set<LatticePoint> circular_options(unsigned n, unsigned k, const LatticePoint& p) {
  std::set<LatticePoint> found;
  for (unsigned first = 0; first < n; ++first) {
    const std::function<void(unsigned, LatticePoint)> leave = [&](unsigned i, LatticePoint q) {
      if (i == k) {
        if (q != p) found.insert(q);
        return;
      }
      const unsigned heap = (first + i) % n;
      for (q[heap] = 0; q[heap] <= p[heap]; ++q[heap]) leave(i + 1, q);
    };
    leave(0, p);
  }
  return found;
}

TEST(LatticeGames, CircularNimIsWhatItsDefinitionSays) {
  for (const auto& [n, k] : {std::pair{2u, 1u}, {3u, 2u}, {4u, 2u}, {5u, 3u}, {4u, 4u}}) {
    const LatticeRule rule =
        resolve_game("circular-nim(" + std::to_string(n) + "," + std::to_string(k) + ")").lattice();
    for_each_position(n, 3, [&, n = n, k = k](const LatticePoint& p) {
      ASSERT_EQ(options(rule, p), circular_options(n, k, p)) << n << ' ' << k;
    });
  }
}

/// The theorems of Dufour and Heubach (2013).
TEST(LatticeGames, CircularNimHasTheKnownPPositions) {
  const auto check = [](std::string_view game, unsigned n, std::uint32_t size, auto is_p) {
    const ValueTable values(resolve_game(game).lattice(), size);
    for_each_position(n, size, [&](const LatticePoint& p) {
      ASSERT_EQ(values(p) == 0, is_p(p)) << game << ": " << testing::PrintToString(p);
    });
  };
  check("circular-nim(4,2)", 4, 7,
        [](const LatticePoint& p) { return p[0] == p[2] && p[1] == p[3]; });
  check("circular-nim(4,3)", 4, 7,
        [](const LatticePoint& p) { return p[0] == p[1] && p[1] == p[2] && p[2] == p[3]; });
  check("circular-nim(5,1)", 5, 4,
        [](const LatticePoint& p) { return (p[0] ^ p[1] ^ p[2] ^ p[3] ^ p[4]) == 0; });
  // What `form` says of the heaps, as they are numbered from some heap on in either direction.
  const auto up_to_symmetry = [](unsigned n, const LatticePoint& p, auto form) {
    for (unsigned i = 0; i < 2 * n; ++i) {
      const auto at = [&](unsigned j) { return p[(i < n ? i + j : i + n - j) % n]; };
      if (form(at)) return true;
    }
    return false;
  };
  // (m, b, c, d, b) with the largest heap m and m + b = c + d, up to rotation and reflection.
  check("circular-nim(5,2)", 5, 5, [](const LatticePoint& p) {
    for (unsigned i = 0; i < 5; ++i) {
      const auto at = [&](unsigned j) { return p[(i + j) % 5]; };
      if (at(0) == std::ranges::max(p) && at(1) == at(4) && at(0) + at(1) == at(2) + at(3)) {
        return true;
      }
    }
    return false;
  });
  // (0, b, c, d, b) with b = c + d.
  check("circular-nim(5,3)", 5, 5, [](const LatticePoint& p) {
    for (unsigned i = 0; i < 5; ++i) {
      const auto at = [&](unsigned j) { return p[(i + j) % 5]; };
      if (at(0) == 0 && at(1) == at(4) && at(1) == at(2) + at(3)) return true;
    }
    return false;
  });
  check("circular-nim(6,3)", 6, 4, [](const LatticePoint& p) {
    return p[0] + p[1] == p[3] + p[4] && p[1] + p[2] == p[4] + p[5];
  });
  // As of CN(6,3), and every second heap adds up to a P-position of Nim, with the least among them.
  check("circular-nim(6,4)", 6, 4, [&](const LatticePoint& p) {
    return up_to_symmetry(6, p, [&](auto at) {
      return at(0) + at(1) == at(3) + at(4) && at(1) + at(2) == at(4) + at(5) &&
             (at(0) ^ at(2) ^ at(4)) == 0 && at(0) == std::ranges::min(std::span(p).first(6));
    });
  });
  // (0, x, a, b, e, c, d, x) with a + b = c + d = x and e the smaller one of x and a + d.
  check("circular-nim(8,6)", 8, 3, [&](const LatticePoint& p) {
    return up_to_symmetry(8, p, [](auto at) {
      return at(0) == 0 && at(1) == at(7) && at(2) + at(3) == at(1) && at(5) + at(6) == at(1) &&
             at(4) == std::min(at(1), at(2) + at(6));
    });
  });
}

}  // namespace
}  // namespace grundy
