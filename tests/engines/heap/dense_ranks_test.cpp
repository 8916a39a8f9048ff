/// @file
/// Ranks that share a table of the engine `dense` all get the values of a single rank, and stop
/// together.
// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "engines/heap/dense/engine.hpp"
#include "engines/heap/heap_testing.hpp"
#include "engines/heap/known_values.hpp"
#include "support/team.hpp"

namespace grundy {
namespace {

using testing_support::CollectSink;
using testing_support::on_all_ranks;
using testing_support::values_by;

/// The results of a rank when its engine has ended.
struct Ended {
  RunStatus status;
  std::vector<Nimber> values;
};

struct RanksCase {
  std::string game;
  HeapSize count;
};

class DenseRanks : public ::testing::TestWithParam<RanksCase> {
 protected:
  static Ended run(const DenseEngine& engine, Team& team, const HeapTask& of_all, ValueSink& sink) {
    const auto executor = make_executor(1 + team.rank() % 3, "threads");
    const HeapTask task{.rule = of_all.rule,
                        .count = of_all.count,
                        .kernels = of_all.kernels,
                        .executor = *executor,
                        .stop = of_all.stop,
                        .block = of_all.block,
                        .known = team.rank() == 0 ? of_all.known : nullptr,
                        .team = &team};
    return {engine.run(task, sink), {}};
  }
};

/// Teams that divide groups of heaps, pairs of heaps, and both; engines whose tables widen early.
TEST_P(DenseRanks, AllGetTheValuesOfOne) {
  const auto& [game, count] = GetParam();
  const HeapRule rule = HeapRule::parse(game);
  const std::vector<Nimber> expected = values_by(kDenseEngine, rule, count);
  const HeldValues known(
      Values(std::span<const Nimber>(expected)).subspan(0, count / 3 / 320 * 320));
  const DenseEngine usual, narrow(DenseEngine::Limits{.u8 = 3, .u16 = 9});
  for (const std::uint64_t ranks : {1, 2, 3, 4, 9, 11, 16}) {
    for (const bool begins_behind : {false, true}) {
      for (const DenseEngine* engine : {&usual, &narrow}) {
        const HeapTask of_all{.rule = rule,
                              .count = count,
                              .kernels = select_kernels("auto"),
                              .executor = testing_support::single_thread(),
                              .known = begins_behind ? &known : nullptr};
        const auto ended = on_all_ranks(ranks, [&](Team& team) {
          CollectSink sink(CollectSink::kNever, begins_behind ? known.count() : 0);
          Ended end = run(*engine, team, of_all, sink);
          end.values = sink.values();
          return end;
        });
        for (const Ended& rank : ended) {
          EXPECT_EQ(rank.status, RunStatus::kComplete);
          const std::size_t from = begins_behind ? known.count() : 0;
          ASSERT_EQ(rank.values, std::vector(expected.begin() + static_cast<std::ptrdiff_t>(from),
                                             expected.end()))
              << ranks << " ranks";
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Games, DenseRanks,
                         ::testing::Values(RanksCase{"0.06", 9000}, RanksCase{"4!.46", 5000},
                                           RanksCase{"0.77", 5000}, RanksCase{"0.3", 5000},
                                           RanksCase{"0.7" + std::string(2199, '3'), 2900},
                                           RanksCase{"0.737" + std::string(2199, '3'), 2900}),
                         [](const auto& game) { return "Game" + std::to_string(game.index); });

/// The sink of rank 0 has enough, at the end of a block or of all.
TEST(DenseRanksStop, WhenRankZeroHasEnough) {
  const HeapRule rule = HeapRule::parse("0.06");
  for (const HeapSize enough : {1u, 4000u, 4096u, 5000u, 7999u, 8000u}) {
    const auto ended = on_all_ranks(3, [&](Team& team) {
      const auto executor = make_executor(2, "threads");
      HeapSize end = 0;
      SinkOf sink([&](const Stretch& block) {
        EXPECT_LT(end, enough) << "a sink that has enough gets nothing more";
        end = block.begin + block.values.size();
        return team.rank() == 0 && end >= enough ? Flow::kStop : Flow::kContinue;
      });
      SinkOf all([](const Stretch&) { return Flow::kContinue; });
      const HeapTask task{.rule = rule,
                          .count = 8000,
                          .kernels = select_kernels("auto"),
                          .executor = *executor,
                          .team = &team};
      return kDenseEngine.run(task, team.rank() == 0 ? static_cast<ValueSink&>(sink) : all);
    });
    EXPECT_EQ(ended[0], RunStatus::kStoppedBySink);
    EXPECT_EQ(ended[1], ended[2]);
    EXPECT_NE(ended[1], RunStatus::kCancelled) << enough;
  }
}

TEST(DenseRanksStop, WhenAnyIsAsked) {
  const HeapRule rule = HeapRule::parse("0.06");
  for (const std::uint64_t asked : {0u, 2u}) {
    const auto ended = on_all_ranks(3, [&](Team& team) {
      const auto executor = make_executor(1, "threads");
      std::stop_source source;
      if (team.rank() == asked) source.request_stop();
      SinkOf sink([](const Stretch&) { return Flow::kContinue; });
      const HeapTask task{.rule = rule,
                          .count = 8000,
                          .kernels = select_kernels("auto"),
                          .executor = *executor,
                          .stop = source.get_token(),
                          .team = &team};
      return kDenseEngine.run(task, sink);
    });
    for (const RunStatus status : ended) EXPECT_EQ(status, RunStatus::kCancelled);
  }
}

}  // namespace
}  // namespace grundy
