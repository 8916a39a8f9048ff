/// @file
/// Every engine against the reference on random rules, on several threads, with several tiles.
// SPDX-License-Identifier: MIT
#include <random>

#include <gtest/gtest.h>

#include "lattice/lattice_testing.hpp"

namespace grundy {
namespace {

using testing_support::table_by;
using testing_support::TableSink;

/// Rules of all primitives that the dimension has, few and small enough for the reference.
class RandomRules {
 public:
  explicit RandomRules(std::uint32_t seed) : random_(seed) {}

  /// @param lines only rays and vectors of non-negative steps
  LatticeRule next(unsigned heaps, bool lines) {
    LatticeMoves moves;
    moves.heaps = heaps;
    const unsigned primitives = 1 + below(4);
    for (unsigned i = 0; i < primitives; ++i) {
      const unsigned kind = lines ? 0 : below(5);
      if (kind == 3) {
        moves.boxes.push_back({1 + below((1u << heaps) - 1)});
      } else if (kind == 4) {
        const unsigned first = below(heaps - 1);
        moves.bands.push_back({first, first + 1 + below(heaps - 1 - first), 1 + below(4)});
      } else {
        moves.rays.push_back(ray(heaps));
      }
    }
    if (!lines && below(8) == 0) moves.families.push_back(Family::kChomp);
    if (!lines && below(8) == 0) moves.families.push_back(Family::kEnds);
    if (!lines && below(16) == 0) moves.families.push_back(Family::kBalanced);
    moves.pass = !lines && below(6) == 0;
    if (below(2) == 0) symmetrize(moves);
    return LatticeRule(moves);
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }

  Ray ray(unsigned heaps) {
    Ray ray;
    while (ray.step == Point{}) {
      for (unsigned i = 0; i < heaps; ++i) ray.step[i] = below(3) == 0 ? below(4) : below(2);
    }
    if (below(2) == 0) ray.multiples.assign(1, 1);
    if (below(4) == 0) {
      ray.multiples.assign(1, 1 + below(3));
      ray.multiples.push_back(4 + below(3));
    }
    return ray;
  }

  static void symmetrize(LatticeMoves& moves) {
    const auto rays = moves.rays;
    for (Ray image : rays) {
      std::sort(image.step.begin(), image.step.begin() + moves.heaps);
      do {
        moves.rays.push_back(image);
      } while (std::next_permutation(image.step.begin(), image.step.begin() + moves.heaps));
    }
  }

  std::mt19937 random_;
};

std::uint32_t size_for(unsigned heaps) {
  constexpr std::uint32_t kSizes[] = {0, 0, 45, 14, 7, 5, 4};
  return kSizes[heaps];
}

class RandomRulesOn : public ::testing::TestWithParam<unsigned> {};

TEST_P(RandomRulesOn, AgreeWithTheReference) {
  const unsigned heaps = GetParam();
  RandomRules rules(heaps);
  std::vector<std::unique_ptr<Executor>> executors;
  for (const std::size_t threads : {1, 2, 3, 5}) executors.push_back(make_executor(threads));
  const int rounds = heaps <= 4 ? 120 : 24;  // the reference is slow there
  for (int i = 0; i < rounds; ++i) {
    const LatticeRule rule = rules.next(heaps, i % 2 == 0);
    LatticeShape shape = LatticeShape::cube(heaps, size_for(heaps));
    shape.sorted = rule.symmetric() && i % 3 != 0;
    if (!shape.sorted) shape.extent[0] -= 1 + static_cast<std::uint32_t>(i) % 3;
    const auto expected = table_by("reference", rule, shape).values();
    for (const LatticeEngine* engine : lattice_engines()) {
      if (!engine->refusal(rule, shape).empty()) continue;
      Executor& executor = *executors[static_cast<std::size_t>(i) % executors.size()];
      const TableSink table = table_by(engine->name(), rule, shape, executor, 8 + i % 9);
      ASSERT_EQ(table.values(), expected)
          << engine->name() << " " << rule.canonical() << (shape.sorted ? " sorted" : "");
    }
    if (!outcomes_refusal(rule, shape).empty()) continue;
    auto outcomes = expected;
    for (Nimber& value : outcomes) value = value == 0 ? 0 : 1;
    ASSERT_EQ(testing_support::outcomes_of(rule, shape, *executors[1]).values(), outcomes)
        << rule.canonical();
  }
}

struct Cut {
  std::string_view engine, rule;
  std::uint32_t size;
};

/// A table does not depend on how it was cut, nor on who computed it.
TEST(Engines, TilesAndThreadsChangeNothing) {
  for (const auto& [engine, text, size] :
       {Cut{"wavefront", "2: sym (1,0)* + (1,1)*", 300},
        Cut{"wavefront", "2: (1,0)* + (2,3)* + (1,1) + (0,1)*{1,4}", 300},
        Cut{"wavefront", "2: sym (1,2) + (3,3)", 300},
        Cut{"frontier", "2: sym (1,0)* + band(1,2;3)", 130},
        Cut{"frontier", "2: box(1) + box(1,2) + (0,2)", 70},
        Cut{"frontier", "3: sym (1,0,0)* + sym (1,1,0)* + (1,1,1)*", 48},
        Cut{"frontier", "3: (2,0,0)* + (0,2,3)* + (1,1,0)* + (0,1,1) + ends", 45},
        Cut{"frontier", "3: chomp", 60}, Cut{"frontier", "3: sym (1,0,0)* + pass", 40},
        Cut{"frontier", "4: sym box(1) + sym box(1,2)", 14},
        Cut{"frontier", "4: sym box(1,2,3)", 12}}) {
    const LatticeRule rule = LatticeRule::parse(text);
    const LatticeShape shape = LatticeShape::cube(rule.heaps(), size, rule.symmetric());
    const auto expected = table_by("reference", rule, shape).values();
    for (const std::size_t threads : {1, 2, 3, 5}) {
      const auto executor = make_executor(threads, "threads");
      for (const std::uint32_t tile : {8, 16, 33, 64, 100, 256}) {
        ASSERT_EQ(table_by(engine, rule, shape, *executor, tile).values(), expected)
            << text << " tile " << tile << " threads " << threads;
      }
    }
  }
}

/// Every set of kernels gives the table.
TEST(Engines, KernelsChangeNothing) {
  for (const auto& [engine, text, size] :
       {Cut{"wavefront", "2: sym (1,0)* + (1,1)* + sym (1,3)", 300},
        Cut{"frontier", "2: sym (1,0)* + band(1,2;2)", 130},
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

INSTANTIATE_TEST_SUITE_P(Heaps, RandomRulesOn, ::testing::Values(2, 3, 4, 5, 6));

}  // namespace
}  // namespace grundy
