/// @file
/// Tables of millions of positions against published numbers. Slow.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include <grundy/lattice/rank.hpp>

#include "lattice/lattice_testing.hpp"
#include "lattice/sha256.hpp"

namespace grundy {
namespace {

/// Sums over sorted positions; nothing is kept.
class SumSink final : public TileSink {
 public:
  Flow put(const Tile& tile) override {
    for (std::size_t i = 0; i < tile.values.size(); ++i) {
      const Nimber value = tile.values[i];
      sum += value;
      largest = std::max(largest, value);
      zeros += value == 0 ? 1 : 0;
    }
    positions += tile.values.size();
    return Flow::kContinue;
  }
  std::uint64_t sum = 0, zeros = 0, positions = 0;
  Nimber largest = 0;
};

template <class Run>
SumSink sums_of(std::string_view game, std::uint32_t size, Run&& run) {
  const auto executor = make_executor(0);
  const LatticeRule rule = resolve_lattice_game(game).rule;
  const LatticeShape shape = LatticeShape::cube(rule.heaps(), size, true);
  SumSink sink;
  const LatticeTask task{.rule = rule,
                         .shape = shape,
                         .kernels = select_kernels("auto"),
                         .executor = *executor,
                         .stop = {}};
  EXPECT_EQ(run(task, sink), RunStatus::kComplete);
  EXPECT_EQ(sink.positions, sorted_count(rule.heaps(), size));
  return sink;
}

SumSink values_of(std::string_view game, std::uint32_t size) {
  return sums_of(game, size, [](const LatticeTask& task, TileSink& sink) {
    return select_lattice_engine("auto", task.rule, task.shape).run(task, sink);
  });
}

TEST(LatticeLarge, WythoffSquares) {
  const auto executor = make_executor(0);
  const auto small = testing_support::full_cube("wythoff", 4096, *executor);
  EXPECT_EQ(std::accumulate(small.begin(), small.end(), std::uint64_t{0}), 42919217587u);
  EXPECT_EQ(testing_support::sha256_of(small),
            "d03393bc8814121eb87ff84b52a109b3bc756628efdd70759cfbb359a96356d4");
  const auto table = testing_support::full_cube("wythoff", 8192, *executor);
  const auto at = [&](std::size_t x, std::size_t y) { return table[8192 * x + y]; };
  EXPECT_EQ(std::accumulate(table.begin(), table.end(), std::uint64_t{0}), 343433717399u);
  EXPECT_EQ(std::ranges::max(table), 12307);
  EXPECT_EQ(std::ranges::count(table, 0), 6259);
  EXPECT_EQ(at(5062, 8191), 0);
  EXPECT_EQ(at(123, 8000), 8059);
  EXPECT_EQ(at(8191, 8191), 6429);
  EXPECT_EQ(at(2000, 3000), 750);
  EXPECT_EQ(at(1234, 2345), 3027);
  EXPECT_EQ(at(5000, 5000), 3968);
}

// The empty bar of chocolate is in the table with value 0, but does not occur.

TEST(LatticeLarge, ThreeRowChomp) {
  const SumSink chomp = values_of("chomp(3)", 401);
  EXPECT_EQ(chomp.positions - 1, 10827400u);
  EXPECT_EQ(chomp.sum, 3127821501u);
  EXPECT_EQ(chomp.largest, 863u);
  EXPECT_EQ(chomp.zeros - 1, 27908u);
}

TEST(LatticeLarge, ThreeRowChompOutcomes) {
  EXPECT_EQ(sums_of("chomp(3)", 1501, run_outcomes).zeros - 1, 387852u);
}

/// The comment on OEIS A395126.
TEST(LatticeLarge, FourRowChompHas4316097ZerosTo500) {
  EXPECT_EQ(sums_of("chomp(4)", 501, run_outcomes).zeros - 1, 4316097u);
}

TEST(LatticeLarge, WythoffWithThreeHeaps) {
  const SumSink any = values_of("wythoff-any(3)", 1001);
  EXPECT_EQ(any.zeros, 121060u);
}

TEST(LatticeLarge, FourHeapMooreHasPowersOfFiveZeros) {
  // 5^7 zeros in the cube; the sorted ones are counted by the permutations they stand for.
  const auto executor = make_executor(0);
  const LatticeRule rule = resolve_lattice_game("moore(4,2)").rule;
  const auto table =
      testing_support::table_by("auto", rule, LatticeShape::cube(4, 128, true), *executor).values();
  std::uint64_t zeros = 0;
  for (std::uint64_t rank = 0; rank < table.size(); ++rank) {
    if (table[rank] > 0) continue;
    Point p = position_of(4, rank);
    do {
      ++zeros;
    } while (std::next_permutation(p.begin(), p.begin() + 4));
  }
  EXPECT_EQ(zeros, 78125u);
}

}  // namespace
}  // namespace grundy
