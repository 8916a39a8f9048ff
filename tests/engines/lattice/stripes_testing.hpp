/// @file
/// Tables of two heaps, computed by ranks that are threads of this process.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "dist/weighing_team.hpp"
#include "engines/lattice/lattice_testing.hpp"
#include "engines/lattice/stripe_run.hpp"
#include "support/team.hpp"

namespace grundy::testing_support {

/// Compares in one word, so that a failure does not print all values.
inline bool are_equal(const std::vector<Nimber>& a, const std::vector<Nimber>& b) {
  return a == b;
}

/// The values of one stripe in their order, which also go to the table of all.
class StripeSink final : public ValueSink {
 public:
  StripeSink(TableSink& table, std::mutex& mutex, std::uint64_t most, bool fails)
      : table_(table), mutex_(mutex), most_(most), fails_(fails) {}
  Flow put(const Stretch& part) override {
    if (fails_ && values.size() >= most_) throw Error(ErrorCode::kFailure, "full");
    EXPECT_EQ(part.begin, values.size());
    part.values.visit([this](auto run) { values.insert(values.end(), run.begin(), run.end()); });
    const std::lock_guard lock(mutex_);
    table_.put(part);
    return fails_ || values.size() < most_ ? Flow::kContinue : Flow::kStop;
  }
  std::vector<Nimber> values;

 private:
  TableSink& table_;
  std::mutex& mutex_;
  std::uint64_t most_;
  bool fails_;
};

/// The shared settings and results of the ranks.
struct Shared {
  LatticeRule rule;
  LatticeShape shape;
  std::uint32_t tile;
  std::vector<std::size_t> threads{1};           ///< of the ranks, in turn
  std::uint64_t stop_after = ~std::uint64_t{0};  ///< values of a stripe
  bool fails = false;                            ///< sinks fail then, rather than stop

  TableSink table{shape, rule.planes()};
  std::vector<RunStatus> statuses{};
  std::vector<std::vector<Nimber>> values{};  ///< by stripe

  [[nodiscard]] const LatticeEngine& engine() const {
    return select_lattice_engine("wavefront", rule, shape);
  }
  /// @param known the values of each stripe and how many of them are known
  void run(std::uint64_t ranks,
           const std::vector<std::pair<std::vector<Nimber>, std::uint64_t>>& known = {}) {
    const auto borders = engine().stripes(rule, shape, tile).borders;
    const std::size_t stripes = borders.size() - 1;
    ASSERT_LE(ranks, stripes);
    values.assign(stripes, {});
    table = TableSink(shape, rule.planes());
    std::mutex mutex;
    statuses = on_all_ranks(ranks, [&](Team& team) {
      const auto executor = make_executor(threads[team.rank() % threads.size()], "threads");
      std::vector<std::unique_ptr<StripeSink>> sinks;
      std::vector<std::unique_ptr<KnownPrefix>> prefixes;
      std::vector<LatticeStripe> own;
      std::vector<std::size_t> numbers;
      for (std::size_t i = 0; i < stripes; ++i) {
        if (rank_of_stripe(shape, i, stripes, ranks) != team.rank()) continue;
        numbers.push_back(i);
        sinks.push_back(std::make_unique<StripeSink>(table, mutex, stop_after, fails));
        prefixes.push_back(known.empty()
                               ? nullptr
                               : std::make_unique<KnownPrefix>(known[i].first, known[i].second));
        own.push_back({borders[i], borders[i + 1], sinks.back().get(), prefixes.back().get()});
      }
      const LatticeTask task{.rule = rule,
                             .shape = shape,
                             .kernels = select_kernels("auto"),
                             .executor = *executor,
                             .tile = tile};
      const RunStatus status = engine().run_stripes(task, team, own);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        values[numbers[i]] = std::move(sinks[i]->values);
      }
      return status;
    });
  }
  void expect(const std::vector<Nimber>& expected) {
    for (const RunStatus status : statuses) ASSERT_EQ(status, RunStatus::kComplete);
    table.expect_complete();
    ASSERT_TRUE(are_equal(table.values(), expected));
  }
};

inline LatticeShape cube_of(const LatticeRule& rule, std::uint32_t size) {
  return LatticeShape::cube(2, size, rule.symmetric());
}

/// Calls `run(task, rank, stripes)` for each rank of a table whose values nobody wants; returns the
/// results by rank.
template <class Run>
auto on_ranks_of_a_table(const LatticeRule& rule, const LatticeShape& shape, std::uint64_t ranks,
                         const Run& run) {
  return on_all_ranks(ranks, [&](Team& rank) {
    const auto executor = make_executor(1);
    const auto borders =
        select_lattice_engine("wavefront", rule, shape).stripes(rule, shape, {}).borders;
    SinkOf nobody([](const Stretch&) { return Flow::kContinue; });
    std::vector<LatticeStripe> own;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      if (rank_of_stripe(shape, i, borders.size() - 1, ranks) == rank.rank()) {
        own.push_back({borders[i], borders[i + 1], &nobody});
      }
    }
    const LatticeTask task{
        .rule = rule, .shape = shape, .kernels = select_kernels("auto"), .executor = *executor};
    return run(task, rank, own);
  });
}

/// The bytes that two ranks of a box of Wythoff's game send each other, divided by the square of
/// its extent.
inline double bytes_over_the_middle_border(std::uint32_t size) {
  const LatticeRule rule = LatticeRule::parse("2: (1,0)* + (0,1)* + (1,1)*");
  std::atomic<std::uint64_t> bytes = 0;
  on_ranks_of_a_table(rule, LatticeShape::cube(2, size), 2,
                      [&](const LatticeTask& task, Team& rank, const auto& own) {
                        WeighingTeam team(rank, bytes);
                        return select_lattice_engine("wavefront", task.rule, task.shape)
                            .run_stripes(task, team, own);
                      });
  return static_cast<double>(bytes) / (double{1} * size * size);
}

/// The most bytes that the lines of a rank take while ranks compute the sorted table of Wythoff's
/// game.
inline std::uint64_t most_line_bytes_of_a_rank(std::uint32_t size, std::uint64_t ranks) {
  const LatticeRule rule = LatticeRule::parse("2: sym (1,0)* + (1,1)*");
  return std::ranges::max(on_ranks_of_a_table(
      rule, LatticeShape::cube(2, size, true), ranks,
      [](const LatticeTask& task, Team& rank, const auto& own) {
        std::uint64_t bytes = 0;
        EXPECT_EQ(run_stripes_of(task, rank, own, &bytes), RunStatus::kComplete);
        return bytes;
      }));
}

}  // namespace grundy::testing_support
