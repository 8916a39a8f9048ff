/// @file
/// Every engine against the reference on random rules, on several threads, with several tiles.
// SPDX-License-Identifier: MIT
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "engines/lattice/lattice_testing.hpp"
#include "engines/lattice/random_rules.hpp"
#include "support/errors.hpp"

namespace grundy {

namespace {

using testing_support::below;
using testing_support::random_rule;
using testing_support::table_by;
using testing_support::TableSink;
using testing_support::tile_edges;

/// All values in the order in which an engine hands them over.
std::vector<Nimber> stream_of(const LatticeEngine& engine, const LatticeRule& rule,
                              const LatticeShape& shape, Executor& executor, std::uint32_t tile) {
  class Stream final : public ValueSink {
   public:
    Flow put(const Stretch& part) override {
      part.values.visit([this](auto run) { values.insert(values.end(), run.begin(), run.end()); });
      return Flow::kContinue;
    }
    std::vector<Nimber> values;
  };
  Stream stream;
  const LatticeTask task{.rule = rule,
                         .shape = shape,
                         .kernels = select_kernels("auto"),
                         .executor = executor,
                         .stop = {},
                         .tile = tile};
  EXPECT_EQ(engine.run(task, stream), RunStatus::kComplete);
  return stream.values;
}

/// Compares every engine that accepts them, and outcomes, for a random rule, shape, number of
/// threads and size of tiles.
void agree_with_the_reference(unsigned heaps, bool lines) {
  constexpr std::uint32_t kSizes[] = {0, 0, 45, 14, 7, 4, 3, 3, 3};
  const LatticeRule rule = *random_rule(heaps, lines);
  LatticeShape shape = LatticeShape::cube(heaps, kSizes[heaps]);
  shape.sorted = rule.symmetric() && below(3) != 0;
  for (unsigned i = 0; i < heaps && !shape.sorted; ++i) shape.extent[i] -= below(3);
  constexpr std::size_t kThreads[] = {1, 2, 3, 5};
  const auto executor = make_executor(kThreads[below(4)]);
  const std::uint32_t tile = 8 + (below(2) == 0 ? below(9) : below(249));
  RC_LOG() << (shape.sorted ? "sorted, " : "") << executor->threads() << " threads, tile " << tile;

  const auto expected = table_by("reference", rule, shape).values();
  for (const LatticeEngine* engine : lattice_engines()) {
    if (!engine->refusal(rule, shape).empty()) continue;
    RC_LOG() << ", " << engine->name();
    RC_ASSERT(table_by(engine->name(), rule, shape, *executor, tile).values() == expected);
    if (engine->tile_order(rule, shape, tile).empty()) continue;
    // A prefix that is known, on another number of threads.
    const auto stream = stream_of(*engine, rule, shape, *executor, tile);
    const auto other = make_executor(kThreads[below(4)]);
    testing_support::KnownPrefix known(stream, stream.size() * (1 + below(8)) / 8);
    RC_LOG() << " taken up";
    RC_ASSERT(table_by(engine->name(), rule, shape, *other, tile, &known).values() == expected);
  }
  if (outcomes_are_in_values(rule, shape)) return;
  auto outcomes = expected;
  for (Nimber& value : outcomes) value = value == 0 ? 0 : 1;
  RC_ASSERT(testing_support::outcomes_of(rule, shape, *executor).values() == outcomes);
}

// Words of the sets of its engine end at 63, 64 and 65.
TEST(Outcomes, OfFourRowsOfChompAreThoseOfItsValues) {
  const auto executor = make_executor(2);
  const LatticeRule rule = resolve_game("chomp(4)", GameKind::kLattice).lattice();
  for (const std::uint32_t size : {1u, 2u, 3u, 17u, 63u, 64u, 65u, 66u}) {
    const LatticeShape shape = LatticeShape::cube(4, size, true);
    auto expected = table_by("frontier", rule, shape).values();
    for (Nimber& value : expected) value = value == 0 ? 0 : 1;
    EXPECT_EQ(testing_support::outcomes_of(rule, shape, *executor).values(), expected) << size;
  }
}

// A hundred rules each.
RC_GTEST_PROP(RandomRules, OfLinesOnTwoHeaps, ()) {
  agree_with_the_reference(2, true);
}
RC_GTEST_PROP(RandomRules, OnTwoHeaps, ()) {
  agree_with_the_reference(2, false);
}
RC_GTEST_PROP(RandomRules, OfLinesOnThreeHeaps, ()) {
  agree_with_the_reference(3, true);
}
RC_GTEST_PROP(RandomRules, OnThreeHeaps, ()) {
  agree_with_the_reference(3, false);
}
RC_GTEST_PROP(RandomRules, OnFourHeaps, ()) {
  agree_with_the_reference(4, false);
}
RC_GTEST_PROP(RandomRules, OnFiveHeaps, ()) {
  agree_with_the_reference(5, false);
}
RC_GTEST_PROP(RandomRules, OnSixHeaps, ()) {
  agree_with_the_reference(6, false);
}
RC_GTEST_PROP(RandomRules, OnSevenHeaps, ()) {
  agree_with_the_reference(7, false);
}
RC_GTEST_PROP(RandomRules, OnEightHeaps, ()) {
  agree_with_the_reference(8, false);
}

/// Tiles that are solved in parts, and steps with which many lines leave a part. The reference
/// takes too long for tables of this size.
RC_GTEST_PROP(RandomRules, OfLongStepsInLargeTiles, ()) {
  LatticeMoves moves;
  moves.heaps = 2;
  const std::uint32_t longest = below(2) == 0 ? 6 : 40;
  for (std::uint32_t rays = 1 + below(3); rays > 0; --rays) {
    LatticeRay ray;
    ray.step[0] = below(longest);
    ray.step[1] = below(longest) + (ray.step[0] == 0 ? 1 : 0);
    if (below(4) == 0) ray.multiples = {1, 2 + below(2)};
    moves.rays.push_back(ray);
  }
  moves.pass = below(6) == 0;
  moves.misere = below(6) == 0;
  if (below(3) != 0) testing_support::add_images(moves);
  const LatticeRule rule(moves);
  LatticeShape shape = LatticeShape::cube(2, 100 + below(500), rule.symmetric() && below(4) != 0);
  if (!shape.sorted) shape.extent[1] = 100 + below(500);
  const std::uint32_t tile = std::array{65u, 128u, 200u, 256u, 512u}[below(5)];
  RC_LOG() << shape.extent[0] << " x " << shape.extent[1] << (shape.sorted ? ", sorted" : "")
           << ", tile " << tile;
  const auto executor = make_executor(2);
  RC_ASSERT(table_by("wavefront", rule, shape, *executor, tile).values() ==
            table_by("frontier", rule, shape, *executor).values());
}

struct Cut {
  std::string_view engine, rule;
  std::uint32_t size;
};

/// A table does not depend on how it was cut, or on which engine computed it.
TEST(Engines, TilesAndThreadsChangeNothing) {
  for (const auto& [engine, text, size] :
       {Cut{"wavefront", "2: sym (1,0)* + (1,1)*", 300},
        Cut{"wavefront", "2: (1,0)* + (2,3)* + (1,1) + (0,1)*{1,4}", 300},
        Cut{"wavefront", "2: sym (1,2) + (3,3)", 300},
        Cut{"wavefront", "2: sym (2,0)* + (2,2)* + sym (1,2)*", 270},
        Cut{"wavefront", "2: sym (1,0)* + sym (1,3)* + (1,1)*{1,7} + sym (2,5)", 270},
        Cut{"wavefront", "2: sym (1,0)* + (1,1)* + pass", 270},
        Cut{"wavefront", "2: sym (1,2) + (3,3) + pass", 150},
        Cut{"wavefront", "2: sym (1,0)* + band(1,2;2)", 300},
        Cut{"wavefront", "2: sym (1,0)* + band(1,2;3) + misere", 270},
        Cut{"wavefront", "2: sym (1,0)* + band(1,2;40) + pass", 170},
        Cut{"wavefront", "2: sym (1,0)* + (1,2)* + (3,0) + band(1,2;9) + (1,1)*", 270},
        Cut{"marks", "2: (1,0)* + (2,3)* + (1,1) + (0,1)*{1,4}", 150},
        Cut{"marks", "2: (0,1)* + (1,2)*", 150},  // values outgrow their planes
        Cut{"marks", "2: sym (1,0)* + band(1,2;3) + misere", 130},
        Cut{"marks", "3: sym (1,0,0)* + balanced", 67},
        Cut{"marks", "3: balanced + (1,0,2) + misere", 35},
        Cut{"marks", "4: sym (1,0,0,0)* + balanced", 14},
        Cut{"quotients", "2: euclid", 300},
        Cut{"quotients", "2: euclid0", 300},
        Cut{"frontier", "2: sym (1,0)* + band(1,2;3)", 130},
        Cut{"frontier", "2: box(1) + box(1,2) + (0,2)", 70},
        Cut{"frontier", "3: sym (1,0,0)* + sym (1,1,0)* + (1,1,1)*", 48},
        Cut{"frontier", "3: (2,0,0)* + (0,2,3)* + (1,1,0)* + (0,1,1) + ends", 45},
        Cut{"frontier", "3: chomp", 60},
        Cut{"frontier", "3: sym (1,0,0)* + pass", 40},
        Cut{"frontier", "4: sym box(1) + sym box(1,2)", 14},
        Cut{"frontier", "4: sym box(1,2,3)", 12},
        Cut{"frontier", "7: sym (1,0,0,0,0,0,0) + sym (1,1,0,0,0,0,0)", 7},
        Cut{"frontier", "8: sym (1,1,1,0,0,0,0,0)", 6}}) {
    const LatticeRule rule = LatticeRule::parse(text);
    const LatticeShape shape = LatticeShape::cube(rule.heaps(), size, rule.symmetric());
    const auto expected = table_by("reference", rule, shape).values();
    for (const std::size_t threads : {1, 2, 3, 5}) {
      const auto executor = make_executor(threads, "threads");
      for (const std::uint32_t tile : tile_edges({16, 8, 64, 100, 200, 256, 33})) {
        ASSERT_EQ(table_by(engine, rule, shape, *executor, tile).values(), expected)
            << text << " tile " << tile << " threads " << threads;
      }
    }
  }
}

/// Rows of one, two and three groups of 64 positions, and of one position; values beyond 124
/// planes.
TEST(Engines, MarksOfLongRows) {
  const auto three = make_executor(3);
  const auto two_lives = [&](const LatticeRule& rule, const LatticeShape& shape) {
    const auto expected = table_by("reference", rule, shape).values();
    EXPECT_EQ(table_by("marks", rule, shape, *three).values(), expected) << rule.canonical();
    const LatticeEngine& marks = select_lattice_engine("marks", rule, shape);
    testing_support::KnownPrefix known(stream_of(marks, rule, shape, *three, 8),
                                       expected.size() * 2 / 3);
    EXPECT_EQ(table_by("marks", rule, shape, *three, 8, &known).values(), expected)
        << rule.canonical() << " taken up";
  };
  const auto box = [](std::initializer_list<std::uint32_t> extents) {
    LatticeShape shape{.heaps = static_cast<unsigned>(extents.size())};
    std::ranges::copy(extents, shape.extent.begin());
    return shape;
  };
  two_lives(LatticeRule::parse("2: (0,1)* + (1,2)*"), box({2, 4094}));
  two_lives(LatticeRule::parse("2: (0,1)* + (1,2)*"), box({150, 1}));
  two_lives(LatticeRule::parse("2: (0,5)*{1,3} + (2,1) + misere"), box({70, 128}));
  two_lives(LatticeRule::parse("3: balanced + (0,1,0)*"), box({1, 64, 128}));
  two_lives(LatticeRule::parse("3: balanced + (0,1,0)*"), box({70, 1, 65}));
  two_lives(LatticeRule::parse("3: sym (1,0,0)* + balanced"), box({9, 20, 129}));
  two_lives(LatticeRule::parse("4: sym (1,0,0,0) + sym (1,1,0,0)"),
            LatticeShape::cube(4, 66, true));
}

/// Marks keep values of two bytes, and a cell for each order of the heaps.
TEST(Engines, MarksHaveLimits) {
  const LatticeEngine& marks =
      select_lattice_engine("marks", LatticeRule::parse("2: (1,1)*"), LatticeShape::cube(2, 2));
  const LatticeRule two = LatticeRule::parse("2: sym (1,0)* + (1,1)*");
  EXPECT_EQ(marks.refusal(two, {.heaps = 2, .extent = {2, 4095}}), "");
  EXPECT_EQ(marks.refusal(two, {.heaps = 2, .extent = {2, 4096}}), "its values may be too large");
  const LatticeRule eight = LatticeRule::parse("8: sym (1,0,0,0,0,0,0,0)* + balanced");
  EXPECT_EQ(marks.refusal(eight, LatticeShape::cube(8, 5, true)), "");
  EXPECT_EQ(marks.refusal(eight, LatticeShape::cube(8, 10, true)),
            "it keeps all orders of the heaps");
  EXPECT_EQ(marks.refusal(LatticeRule::parse("2: (1,0) + pass"), LatticeShape::cube(2, 9)),
            "it has a pass");
  const LatticeShape shape = LatticeShape::cube(2, 20);
  const auto one = make_executor(1);
  testing_support::KnownPrefix wrong(std::vector<Nimber>(400, 5000), 100);
  EXPECT_EQ(testing_support::code_of([&] { table_by("marks", two, shape, *one, 8, &wrong); }),
            ErrorCode::kCorrupt);
}

/// Boxes that are no multiples of tiles, known prefixes, and rules that are refused.
TEST(Engines, QuotientsOfEuclid) {
  const auto three = make_executor(3);
  for (const std::string_view text : {"2: euclid", "2: euclid0"}) {
    const LatticeRule rule = LatticeRule::parse(text);
    for (const LatticeShape& shape :
         {LatticeShape{.heaps = 2, .extent = {1, 700}},
          LatticeShape{.heaps = 2, .extent = {700, 3}},
          LatticeShape{.heaps = 2, .extent = {90, 400}}, LatticeShape::cube(2, 333)}) {
      const auto expected = table_by("reference", rule, shape).values();
      EXPECT_EQ(table_by("auto", rule, shape, *three, 8).values(), expected) << text;
      const LatticeEngine& quotients = select_lattice_engine("quotients", rule, shape);
      testing_support::KnownPrefix known(stream_of(quotients, rule, shape, *three, 8),
                                         expected.size() / 2);
      EXPECT_EQ(table_by("quotients", rule, shape, *three, 8, &known).values(), expected) << text;
    }
  }
  for (const auto& [text, why] :
       {std::pair("2: euclid + (1,0)", "it has other moves than Euclid's game"),
        std::pair("2: euclid + euclid0", "it has other moves than Euclid's game"),
        std::pair("2: sym (1,0)*", "it has other moves than Euclid's game"),
        std::pair("2: euclid + pass", "it has a pass"),
        std::pair("2: euclid0 + misere", "it is of misère play")}) {
    const LatticeRule rule = LatticeRule::parse(text);
    const LatticeShape shape = LatticeShape::cube(2, 20);
    const LatticeEngine& quotients =
        select_lattice_engine("quotients", LatticeRule::parse("2: euclid"), shape);
    EXPECT_EQ(quotients.refusal(rule, shape), why) << text;
  }
}

/// A wrong value is found by its digest. Until then it must not lead out of the sets.
TEST(Engines, WrongKnownValuesOfBandsStayInTheSets) {
  const LatticeRule rule = LatticeRule::parse("2: sym (1,0)* + band(1,2;3)");
  const LatticeShape shape = LatticeShape::cube(2, 60);
  const auto one = make_executor(1);
  for (const Nimber wrong : {1000u, 5'000'000u, 0xfffffffeu}) {
    testing_support::KnownPrefix known(std::vector<Nimber>(3600, wrong), 1800);
    const std::vector<Nimber> values = table_by("wavefront", rule, shape, *one, 8, &known).values();
    EXPECT_EQ(values[0], wrong);
    EXPECT_LT(values.back(), 120u);
  }
}

/// Parts of a tile on the diagonal are no squares, and lines of mirrored rays leave them where no
/// corner of the tile is.
TEST(Engines, PartsOfLargeTilesKnowTheirLines) {
  const auto two = make_executor(2);
  for (const char* text : {"2: sym (2,34)* + sym (3,4)* + sym (3,9)", "2: sym (1,2)* + sym (2,7)*",
                           "2: sym (1,5)* + (2,2)* + sym (0,1)", "2: sym (1,0)* + band(1,2;3)",
                           "2: sym (1,0)* + band(1,2;2) + pass"}) {
    const LatticeRule rule = LatticeRule::parse(text);
    const LatticeShape shape = LatticeShape::cube(2, 1300, true);
    const auto expected = table_by("frontier", rule, shape).values();
    for (const std::uint32_t tile : {512, 320, 200}) {
      ASSERT_EQ(table_by("wavefront", rule, shape, *two, tile).values(), expected)
          << text << " tile " << tile;
    }
  }
}

/// Chains of several lengths in a tile: a direction has its lines in several ranges. A word that
/// passes for dead, although lines of one of them are not full, shows in these tables.
TEST(Engines, AWordIsDeadWhereAllLinesOfADirectionAreFull) {
  const auto two = make_executor(2);
  const struct {
    const char* rule;
    LatticeShape shape;
    std::uint32_t tile;
  } cuts[] = {
      {"2: (0,4)* + (4,4)* + (3,4)* + sym (2,1)*", {.heaps = 2, .extent = {863, 1707}}, 128},
      {"2: sym (2,1)* + sym (1,4)* + (2,4)*", {.heaps = 2, .extent = {2186, 1452}}, 256},
      {"2: sym (1,0)* + band(1,2;40)", {.heaps = 2, .extent = {700, 2300}}, 64}};
  for (const auto& [text, shape, tile] : cuts) {
    const LatticeRule rule = LatticeRule::parse(text);
    EXPECT_EQ(table_by("wavefront", rule, shape, *two, tile).values(),
              table_by("frontier", rule, shape, *two).values())
        << text;
  }
}

/// Engines with equal orders take up what the other has computed.
TEST(Engines, KnownTilesAreTakenUpByAnyEngineOfTheirOrder) {
  const auto one = make_executor(1);
  const auto three = make_executor(3);
  const std::vector<std::string_view> two{"reference", "frontier"};
  const std::vector<std::string_view> all{"reference", "marks", "frontier"};
  for (const auto& [text, takers] :
       {std::pair("wythoff-any(3)", all), std::pair("chomp(3)", two),
        std::pair("nim-with-a-pass(3)", two), std::pair("end-nim(3)", two)}) {
    const LatticeRule rule = resolve_game(text, GameKind::kLattice).lattice();
    const LatticeShape shape = LatticeShape::cube(3, 20, rule.symmetric());
    const auto expected = table_by("reference", rule, shape).values();
    std::vector<std::string_view> made;
    for (const LatticeEngine* maker : lattice_engines()) {
      std::vector<std::string_view> taken;
      for (const LatticeEngine* taker : lattice_engines()) {
        if (!maker->refusal(rule, shape).empty() || !taker->refusal(rule, shape).empty()) continue;
        const std::string order = maker->tile_order(rule, shape, 8);
        if (order.empty() || order != taker->tile_order(rule, shape, 16)) continue;
        taken.push_back(taker->name());
        const auto stream = stream_of(*maker, rule, shape, *three, 8);
        testing_support::KnownPrefix known(stream, stream.size() * 3 / 4);
        EXPECT_EQ(table_by(taker->name(), rule, shape, *one, 16, &known).values(), expected);
        EXPECT_GT(known.given(), stream.size() / 4);
      }
      if (taken.empty()) continue;
      EXPECT_EQ(taken, takers) << text;
      made.push_back(maker->name());
    }
    EXPECT_EQ(made, takers) << text;
  }
}

/// A game may take a move more than it has tokens, so that values need one bank of sets more.
TEST(Engines, APassIsAMove) {
  const auto two = make_executor(2);
  for (const std::uint32_t size : {511, 512, 513}) {
    const LatticeRule plane = LatticeRule::parse("2: sym (1,0)* + pass");
    const LatticeRule three = resolve_game("nim-with-a-pass(3)", GameKind::kLattice).lattice();
    for (const auto& [rule, shape] :
         {std::pair(plane, LatticeShape{.heaps = 2, .extent = {1, size}}),
          std::pair(three, LatticeShape{.heaps = 3, .extent = {1, 1, size}})}) {
      EXPECT_EQ(table_by("frontier", rule, shape, *two).values(),
                table_by("reference", rule, shape).values())
          << size;
    }
  }
}

/// Every set of kernels gives the table.
TEST(Engines, KernelsChangeNothing) {
  for (const auto& [engine, text, size] :
       {Cut{"wavefront", "2: sym (1,0)* + (1,1)* + sym (1,3)", 300},
        Cut{"frontier", "2: sym (1,0)* + band(1,2;2)", 130},
        Cut{"marks", "3: sym (1,0,0)* + balanced", 67},
        Cut{"frontier", "3: sym box(1) + sym box(1,2)", 30}}) {
    const LatticeRule rule = LatticeRule::parse(text);
    const LatticeShape shape = LatticeShape::cube(rule.heaps(), size, true);
    const auto expected = table_by("reference", rule, shape).values();
    const auto executor = make_executor(1, "threads");
    for (const KernelSet& kernels : available_kernels()) {
      TableSink sink(shape, 1);
      const LatticeTask task{
          .rule = rule, .shape = shape, .kernels = kernels, .executor = *executor, .stop = {}};
      select_lattice_engine(engine, rule, shape).run(task, sink);
      EXPECT_EQ(sink.values(), expected) << kernels.name << ' ' << text;
    }
  }
}

/// Values beyond 16 bits are exact.
TEST(Engines, WideValues) {
  const LatticeRule rule = LatticeRule::parse("2: (1,0)* + (0,1)*");
  constexpr std::uint32_t kLength = 70000;
  const LatticeShape shape{.heaps = 2, .extent = {3, kLength}, .sorted = false};
  for (const std::string_view engine : {"wavefront", "frontier"}) {
    const TableSink table = table_by(engine, rule, shape);
    for (std::uint32_t x = 0; x < 3; ++x) {
      for (std::uint32_t y = 0; y < kLength; ++y) ASSERT_EQ(table.at({x, y}), x ^ y) << engine;
    }
  }
}

TEST(LatticeEngines, ShapesAndNamesAreChecked) {
  const LatticeRule rule = LatticeRule::parse("2: (1,0)*");
  EXPECT_THROW(select_lattice_engine("auto", rule, LatticeShape::cube(3, 4)), Error);
  EXPECT_THROW(select_lattice_engine("auto", rule, LatticeShape::cube(2, 4, true)), Error);
  EXPECT_THROW(select_lattice_engine("auto", rule, LatticeShape::cube(2, 0)), Error);
  const LatticeShape shape = LatticeShape::cube(2, 4);
  EXPECT_STREQ(
      testing_support::error_of([&] { select_lattice_engine("none", rule, shape); }).what(),
      "there is no engine for several heaps 'none'; engines for 2: (1,0)*: auto, "
      "wavefront, frontier, marks, layered, reference");
  EXPECT_EQ(&select_lattice_engine("", rule, shape), &select_lattice_engine("auto", rule, shape));
  const LatticeRule chomp = LatticeRule::parse("2: chomp");
  EXPECT_THAT(
      testing_support::error_of([&] { select_lattice_engine("wavefront", chomp, shape); }).what(),
      ::testing::MatchesRegex("engine 'wavefront' cannot compute 2: chomp because .*; "
                              "engines for 2: chomp: auto, .*reference"));
}

}  // namespace
}  // namespace grundy
