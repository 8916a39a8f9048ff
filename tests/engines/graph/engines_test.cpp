/// @file
/// The engines against each other, on every game of the catalogue; threads, memory, stopping.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/error.hpp>

#include "engines/graph/graph_testing.hpp"
#include "support/errors.hpp"

namespace grundy {
namespace {

using ::testing::HasSubstr;
using testing_support::graph_game;
using testing_support::root_of;
using testing_support::table_of;
using testing_support::value_at;

/// At least one game of each kind, small enough for the reference.
const std::vector<std::string> kGames{
    "heaps:nim:4,3,2",
    "heaps:nim:4,4,4",
    "heaps:S{1,2}:5,5",
    "heaps:kayles:7,5",
    "heaps:4.7:9",
    "heaps:S{1,3,4}:9,9,4",
    "cram:3x4",
    "cram:4x4",
    "node-kayles:3x5",
    "node-kayles:kings:4x4",
    "node-kayles:knights:3x4",
    "node-kayles:queens:4x4",
    "node-kayles:cycle:9",
    "node-kayles:petersen:5,2",
    "node-kayles:hypercube:3",
    "arc-kayles:cycle:9",
    "arc-kayles:complete:6",
    "chomp:4x5",
    "chomp:1x1",
    "chomp:5,3,3,1",
    "chomp:2x3x3",
    "subset-takeaway:3",
    "subset-takeaway:1",
    "welter:1,4,6,9",
    "silver-dollar:2,5,9",
    "hexad",
    "mock-turtles:7,12",
    "ruler:12,9",
    "turning-corners:5.6,3.3",
};

void expect_equal(const GraphTable& a, const GraphTable& b, const std::string& what) {
  EXPECT_EQ(a.keys, b.keys) << what;
  EXPECT_EQ(a.values, b.values) << what;
  EXPECT_EQ(a.misere, b.misere) << what;
  EXPECT_EQ(a.moves, b.moves) << what;
  EXPECT_EQ(a.layers, b.layers) << what;
  EXPECT_EQ(a.start, b.start) << what;
  EXPECT_EQ(a.stats(), b.stats()) << what;
}

// Games of `poset` are in files and are left out; chomp:2x3x3 is one.
TEST(GraphEngines, EveryGameOfTheCatalogueIsTried) {
  for (const NamedGame& named : catalogue()) {
    if (named.kind != GameKind::kGraph || named.name == "poset") continue;
    EXPECT_TRUE(std::ranges::any_of(
        kGames, [&](const std::string& game) { return game.starts_with(named.name); }))
        << named.name << " is not tried";
  }
}

TEST(GraphEngines, AgreeOnEveryGame) {
  for (const std::string& text : kGames) {
    const auto game = graph_game(text);
    const GraphTable reference = table_of(*game, "reference");
    for (const GraphEngine* engine : graph_engines().subspan(1)) {
      if (!engine->refusal(*game).empty()) continue;
      for (const std::size_t threads : {1u, 2u, 5u}) {
        expect_equal(table_of(*game, engine->name(), threads), reference, text);
      }
    }
    for (const std::size_t threads : {2u, 5u}) {
      expect_equal(table_of(*game, "auto", threads), reference, text);
    }
    EXPECT_EQ(root_of(text), reference.root_value()) << text;
  }
}

TEST(GraphEngines, AgreeOnMisereValuesOfWholePositions) {
  for (const std::string& text : kGames) {
    if (text.starts_with("turning") || text.starts_with("mock")) continue;  // too many positions
    const auto game = graph_game(text, Reduction::kSymmetry);
    const GraphTable reference = table_of(*game, "reference", 1, true);
    for (const GraphEngine* engine : graph_engines().subspan(1)) {
      if (!engine->refusal(*game).empty()) continue;
      expect_equal(table_of(*game, engine->name(), 2, true), reference, text);
    }
    expect_equal(table_of(*game, "auto", 1, true), reference, text);
    // The start position as one position has the value that its components add up to.
    EXPECT_EQ(reference.root_value(), root_of(text)) << text;
  }
}

TEST(GraphEngines, TheDenseOneTakesNumberedPositionsOnly) {
  EXPECT_EQ(select_graph_engine("auto", *graph_game("chomp:3x3")).name(), "dense");
  EXPECT_EQ(select_graph_engine("auto", *graph_game("chomp:3,2,2")).name(), "layered");
  const auto cram = graph_game("cram:3x3");
  EXPECT_EQ(&select_graph_engine("", *cram), &select_graph_engine("auto", *cram));
  EXPECT_THAT(testing_support::error_of([&] { select_graph_engine("dense", *cram); }).what(),
              ::testing::MatchesRegex("engine 'dense' cannot compute this game because .*; engines "
                                      "for this game: auto, layered, reference"));
  EXPECT_STREQ(testing_support::error_of([&] { select_graph_engine("fast", *cram); }).what(),
               "there is no engine for games on positions 'fast'; engines for this game: auto, "
               "layered, reference");
}

TEST(GraphEngines, TheRootOfANumberedGameIsThatOfItsTable) {
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 32;
  const auto chomp = graph_game("chomp:5x5"), cram = graph_game("cram:3x3");
  EXPECT_EQ(select_root_engine("auto", *chomp, kMuch), &select_graph_engine("dense", *chomp));
  EXPECT_EQ(select_root_engine("auto", *chomp, 1000), nullptr);
  EXPECT_EQ(select_root_engine("auto", *cram, kMuch), nullptr);
  EXPECT_EQ(select_root_engine("", *cram, kMuch), nullptr);
  EXPECT_EQ(select_root_engine("layered", *cram, 1000), &select_graph_engine("layered", *cram));
  EXPECT_THROW(select_root_engine("dense", *cram, kMuch), Error);
}

TEST(GraphEngines, SearchFindsLargeValues) {
  // One search finds the values of all positions, so it knows some of them from others.
  for (const std::string text : {"chomp:12,12,12,12,12", "heaps:nim:40,39,38"}) {
    const auto game = graph_game(text);
    const GraphTable table = table_of(*game);
    EXPECT_GT(std::ranges::max(table.values), 35u) << text;
    GraphSearch search(*game);
    for (std::uint64_t row = table.size(); row-- > 0;) {
      ASSERT_EQ(search.value(table.key(row)), table.values[row]) << game->text(table.key(row));
    }
  }
}

// Most positions are the same graph as another one, and what is known of one is told of the other.
TEST(GraphEngines, SearchFindsTheValuesOfPositionsThatPlayAlike) {
  for (const std::string text : {"cram:4x5", "cram:3x7", "cram:2x9"}) {
    const auto game = graph_game(text);
    ASSERT_TRUE(game->tells_alike(select_kernels("auto"))) << text;
    const GraphTable table = table_of(*game);
    const auto compare = [&](GraphSearch& search, std::uint64_t row) {
      ASSERT_EQ(search.value(table.key(row)), table.values[row]) << game->text(table.key(row));
    };
    GraphSearch upwards(*game), downwards(*game), small(*game, GraphSearch::least_bytes(*game));
    for (std::uint64_t row = 0; row < table.size(); ++row) {
      compare(upwards, row);
      compare(downwards, table.size() - 1 - row);
      compare(small, row);
    }
    EXPECT_LE(small.bytes(), GraphSearch::least_bytes(*game));
  }
  for (const std::string text :
       {"cram:1x8", "cram:2x33", "arc-kayles:kings:4x4", "node-kayles:4x5"}) {
    EXPECT_FALSE(graph_game(text)->tells_alike(select_kernels("auto"))) << text;
  }
  EXPECT_FALSE(graph_game("cram:4x5")->tells_alike(select_kernels("scalar")));
}

// Many threads in a table of the least size forget most of what they learn, meet in it all the
// time, and leave questions that others have answered.
TEST(GraphEngines, SearchFindsTheSameInAnyMemoryAndOnAnyThreads) {
  for (const std::string text : {"cram:4x5", "cram:3x7", "chomp:8,7,7,6,4", "node-kayles:4x6",
                                 "heaps:0.77:8,7,6", "arc-kayles:kings:4x4"}) {
    const auto game = graph_game(text);
    std::vector<std::uint64_t> keys;
    game->start(keys);
    const Nimber root = table_of(*game).root_value();
    for (const std::size_t threads : {1u, 2u, 5u}) {
      const auto executor = make_executor(threads, "threads");
      for (const std::optional<std::uint64_t> memory :
           {std::optional<std::uint64_t>(1000), std::optional<std::uint64_t>()}) {
        GraphSearch search(*game, memory, executor.get());
        EXPECT_EQ(search.value(keys), root) << text << ", threads " << threads;
        if (memory) {
          EXPECT_LE(search.known(), 1024u);
        }
        EXPECT_EQ(search.value(keys), root) << text << ", again";
      }
    }
  }
}

// A stop or an error ends all threads of a search, also those that wait for others.
TEST(GraphEngines, SearchesOfManyThreadsEndWhenStopped) {
  const auto game = graph_game("cram:5x8");
  std::vector<std::uint64_t> keys;
  game->start(keys);
  const auto executor = make_executor(4, "threads");
  std::stop_source source;
  std::jthread stopper([&source] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    source.request_stop();
  });
  EXPECT_FALSE(GraphSearch(*game, {}, executor.get()).value(keys, source.get_token()).has_value());
}

TEST(GraphEngines, RefuseMisereValuesOfComponents) {
  const auto game = graph_game("cram:3x3");
  const auto executor = make_executor(1, "threads");
  for (const GraphEngine* engine : graph_engines()) {
    if (!engine->refusal(*game).empty()) continue;
    EXPECT_THROW(static_cast<void>(engine->run({.game = *game,
                                                .kernels = select_kernels("auto"),
                                                .executor = *executor,
                                                .misere = true})),
                 Error);
  }
}

TEST(GraphEngines, StopAtTheLimitOfMemory) {
  const auto executor = make_executor(2, "threads");
  for (const std::string text : {"cram:4x6", "chomp:9x9"}) {
    const auto game = graph_game(text);
    const GraphTask task{.game = *game,
                         .kernels = select_kernels("auto"),
                         .executor = *executor,
                         .memory_limit = 200'000};
    const Error error = testing_support::error_of(
        [&] { static_cast<void>(select_graph_engine("auto", *game).run(task)); });
    EXPECT_EQ(error.code(), ErrorCode::kFailure) << text;
    EXPECT_THAT(error.what(), HasSubstr("allowed"));
  }
  const auto game = graph_game("cram:3x7");
  const GraphTable table = table_of(*game);
  const std::uint64_t all = graph_adjacency(*game, table).targets.size();
  EXPECT_THROW(static_cast<void>(graph_adjacency(*game, table, 8 * all)), Error);
  EXPECT_EQ(graph_adjacency(*game, table, 64 * all).targets.size(), all);
}

TEST(GraphEngines, PredictEnoughMemory) {
  // A limit of what is predicted for the true number of positions must suffice.
  for (const std::string text : {"cram:4x6", "chomp:8x8", "heaps:nim:9,9,9,9"}) {
    const auto game = graph_game(text);
    const GraphEngine& engine = select_graph_engine("auto", *game);
    const auto executor = make_executor(1, "threads");
    GraphTask task{.game = *game, .kernels = select_kernels("auto"), .executor = *executor};
    task.memory_limit = engine.memory_bytes(*game, table_of(*game).size());
    EXPECT_TRUE(engine.run(task).has_value()) << text;
  }
}

TEST(GraphEngines, StopWhenAsked) {
  std::stop_source source;
  source.request_stop();
  const auto executor = make_executor(1, "threads");
  for (const std::string text : {"cram:3x5", "chomp:5x5"}) {
    const auto game = graph_game(text);
    for (const GraphEngine* engine : graph_engines()) {
      if (!engine->refusal(*game).empty()) continue;
      EXPECT_FALSE(engine
                       ->run({.game = *game,
                              .kernels = select_kernels("auto"),
                              .executor = *executor,
                              .stop = source.get_token()})
                       .has_value());
    }
    std::vector<std::uint64_t> keys;
    game->start(keys);
    GraphSearch search(*game);
    EXPECT_FALSE(search.value(keys, source.get_token()).has_value());
    EXPECT_EQ(search.value(keys), root_of(text)) << "it goes on";
  }
}

TEST(GraphTable, PositionsCanBeWrittenAndFoundAgain) {
  for (const std::string& text : kGames) {
    const auto game = graph_game(text);
    const GraphTable table = table_of(*game);
    for (std::uint64_t row = 0; row < table.size(); row += 1 + table.size() / 50) {
      const std::string position = game->text(table.key(row));
      EXPECT_EQ(value_at(*game, table, position), table.values[row]) << text << ' ' << position;
      EXPECT_EQ(table.find(table.key(row), table.potential(row)), row);
    }
  }
}

TEST(GraphTable, KeysArePositionsAndFewOthersAre) {
  for (const std::string& text : kGames) {
    for (const Reduction reduction : {Reduction::kSymmetry, Reduction::kComponents}) {
      if (reduction == Reduction::kSymmetry && text.starts_with("turning")) continue;
      const auto game = graph_game(text, reduction);
      const GraphTable table = table_of(*game);
      for (std::uint64_t row = 0; row < table.size(); ++row) {
        ASSERT_TRUE(game->contains(table.key(row))) << text << ' ' << game->text(table.key(row));
      }
      // The words behind a position are zero, and only coins lie on all of them.
      const std::vector<std::uint64_t> ones(table.key_words, ~std::uint64_t{0});
      const bool coins = text.starts_with("turning") || text.starts_with("mock") ||
                         text.starts_with("ruler");  // 256 places for heads
      EXPECT_EQ(game->contains(ones), coins && game->splits()) << text;
    }
  }
}

TEST(GraphTable, AdjacencyGivesEveryValueAsAMex) {
  for (const std::string& text : kGames) {
    const auto game = graph_game(text);
    const GraphTable table = table_of(*game);
    const GraphAdjacency adjacency = graph_adjacency(*game, table);
    ASSERT_EQ(adjacency.position_end.size(), table.size());
    std::uint64_t option = 0, target = 0;
    for (std::uint64_t row = 0; row < table.size(); ++row) {
      EXPECT_EQ(adjacency.position_end[row] - option, table.moves[row]);
      std::vector<bool> seen(table.moves[row] + 1);
      for (; option < adjacency.position_end[row]; ++option) {
        Nimber sum = 0;
        for (; target < adjacency.option_end[option]; ++target) {
          EXPECT_LT(adjacency.targets[target], row);
          sum ^= table.values[adjacency.targets[target]];
        }
        if (sum < seen.size()) seen[sum] = true;
      }
      const auto mex = static_cast<Nimber>(std::ranges::find(seen, false) - seen.begin());
      ASSERT_EQ(table.values[row], mex) << text << ' ' << game->text(table.key(row));
    }
    EXPECT_EQ(target, adjacency.targets.size());
  }
}

}  // namespace
}  // namespace grundy
