// Tables of positions made to deceive: their digests and counts are right, their rows are not.
// Nothing of them is proved, nothing of them is read beyond its bounds; run under AddressSanitizer.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/verify.hpp>

#include "session/stored_graph.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/forged_graphs.hpp"

namespace grundy::verify_test {
namespace {

using testing::HasSubstr;
using testing_support::code_of;
using testing_support::error_of;
using testing_support::forge_graph_file;
using testing_support::ForgedAttributes;

class GraphForgery : public testing::Test {
 protected:
  GraphFile computed(const std::string& game, Reduction reduction = Reduction::kComponents,
                     bool misere = false, bool adjacency = false) {
    EXPECT_TRUE(
        compute({.game = PositionGame{std::get<std::shared_ptr<const GraphGame>>(
                                          resolve_game(game, GameKind::kGraph, reduction).rule),
                                      misere},
                 .about = {.game = game},
                 .machine = {.backend = "threads", .threads = 1},
                 .output = {.path = path, .overwrite = true, .adjacency = adjacency}})
            .complete);
    return read_graph_file(path);
  }

  VerifyReport check(ProofKind proof = ProofKind::kFull, EntryRange range = {},
                     VerifyRequest request = {.table = {}}) {
    request.table = path;
    request.proof = proof;
    request.range = range;
    request.machine.backend = "threads";
    request.machine.threads = 1;
    return verify(request);
  }

  /// The row that is refused, and that the sentence says why.
  void expect_wrong(HeapSize row, const char* what) {
    const VerifyReport report = check();
    ASSERT_TRUE(report.wrong) << what;
    EXPECT_EQ(report.wrong->entry, row) << report.wrong->sentence;
    EXPECT_THAT(report.wrong->sentence, HasSubstr(what));
    EXPECT_FALSE(report.proved && report.proved->last >= row);
  }

  void expect_corrupt(const char* what) {
    const Error error = error_of([this] { static_cast<void>(check()); });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(what));
    EXPECT_THAT(error.what(), HasSubstr("t.h5"));
  }

  testing_support::TemporaryDirectory dir;
  std::filesystem::path path = dir / "t.h5";
};

/// Rows by (layer, key), as a reader wants them; all columns move with their keys.
void sort_rows(GraphFile& file) {
  GraphTable& table = file.table;
  std::vector<std::uint64_t> order(table.size());
  std::iota(order.begin(), order.end(), 0);
  std::uint64_t begin = 0;
  for (const GraphLayer& layer : table.layers) {
    std::ranges::sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                      order.begin() + static_cast<std::ptrdiff_t>(layer.end),
                      [&](std::uint64_t a, std::uint64_t b) {
                        return std::ranges::lexicographical_compare(table.key(a), table.key(b));
                      });
    begin = layer.end;
  }
  const GraphFile old = file;
  for (std::uint64_t row = 0; row < order.size(); ++row) {
    std::ranges::copy(old.table.key(order[row]),
                      table.keys.begin() + static_cast<std::ptrdiff_t>(row * table.key_words));
    table.values[row] = old.table.values[order[row]];
    table.moves[row] = old.table.moves[order[row]];
    file.outcomes[row] = old.outcomes[order[row]];
    if (!table.misere.empty()) table.misere[row] = old.table.misere[order[row]];
  }
  for (std::uint64_t& row : table.start) {
    row = static_cast<std::uint64_t>(std::ranges::find(order, row) - order.begin());
  }
}

/// Spoils the key of one row.
void spoil_key(GraphFile& file, std::mt19937_64& random) {
  GraphTable& table = file.table;
  const std::uint64_t row = random() % table.size();
  const std::span<std::uint64_t> key(&table.keys[row * table.key_words], table.key_words);
  std::uint64_t& word = key[random() % key.size()];
  switch (random() % 6) {
    case 0:
      for (std::uint64_t& any : key) any = random();
      break;
    case 1:
      std::ranges::fill(key, ~std::uint64_t{0});
      break;
    case 2:
      word ^= std::uint64_t{1} << random() % 64;
      break;
    case 3:
      word += 1 + random() % 300;
      break;
    case 4:  // one byte: the size of a heap
      word |= std::uint64_t{255} << 8 * (random() % 8);
      break;
    default:
      std::ranges::copy(table.key(random() % table.size()), key.begin());
  }
}

const std::vector<std::string> kForgedGames{
    "heaps:nim:4,3,2",
    "heaps:nim:4,4,4",
    "heaps:nim:3,1,1,1,1,1,1,1,1",
    "heaps:S{1,3,4}:9,9,4",
    "heaps:kayles:7,5",
    "heaps:4.7:9",
    "cram:3x4",
    "node-kayles:3x4",
    "node-kayles:petersen:5,2",
    "node-kayles:queens:3x4",
    "arc-kayles:complete:6",
    "arc-kayles:2x5",
    "chomp:3x4",
    "chomp:5,3,3,1",
    "chomp:2x3x2",
    "poset:",
    "subset-takeaway:3",
    "welter:1,4,6",
    "silver-dollar:2,5,9",
    "hexad",
    "mock-turtles:3,7",
    "ruler:6,5",
    "turning-corners:0.5,1.2",
};

TEST_F(GraphForgery, SpoiledKeysOfEveryGameAreRefused) {
  for (const NamedGame& named : catalogue()) {
    if (named.kind != GameKind::kGraph) continue;
    EXPECT_TRUE(std::ranges::any_of(
        kForgedGames, [&](const std::string& game) { return game.starts_with(named.name); }))
        << named.name << " is not tried";
  }
  testing_support::write_bytes(dir / "order.txt", "1 < 2\n1 < 3\n3 < 5\n7\n");
  std::mt19937_64 random(4);
  unsigned tried = 0;
  for (std::string game : kForgedGames) {
    if (game == "poset:") game += (dir / "order.txt").string();
    for (const Reduction reduction : {Reduction::kNone, Reduction::kComponents}) {
      const GraphFile good = computed(game, reduction);
      for (int round = 0; round < 12; ++round) {
        GraphFile bad = good;
        for (auto rows = 1 + random() % 3; rows > 0; --rows) spoil_key(bad, random);
        if (round % 4 > 0) sort_rows(bad);
        if (bad.table.keys == good.table.keys) continue;
        ++tried;
        forge_graph_file(path, bad);
        try {
          const VerifyReport report = check();
          EXPECT_TRUE(report.wrong) << game << ' ' << round;
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << game << ": " << error.what();
        }
        try {  // what query and export do with such a table
          const GraphFile file = read_stored_graph(path);
          const auto resolved = game_of(file, path);
          check_keys(file.table, file.info.game, *resolved, *make_executor(1, "threads"), path);
          for (std::uint64_t row = 0; row < file.table.size(); ++row) {
            EXPECT_FALSE(resolved->text(file.table.key(row)).empty());
          }
          static_cast<void>(graph_adjacency(*resolved, file.table));
        } catch (const Error& error) {
          EXPECT_THAT(error.code(), testing::AnyOf(ErrorCode::kCorrupt, ErrorCode::kMismatch))
              << game << ": " << error.what();
        }
      }
    }
  }
  EXPECT_GT(tried, 400u);
}

// One number of one array is changed at a time; there is none that verify() does not prove.
TEST_F(GraphForgery, EveryArrayIsProved) {
  std::mt19937_64 random(8);
  const auto spoil = [&random](auto& numbers) {
    auto& number = numbers[random() % numbers.size()];
    using Number = std::remove_reference_t<decltype(number)>;
    number = static_cast<Number>(random() % 2 == 0 ? number + 1 - random() % 3 : random());
  };
  const std::vector<std::function<void(GraphFile&)>> changes{
      [&](GraphFile& f) { spoil(f.table.values); },
      [&](GraphFile& f) { spoil(f.table.misere); },
      [&](GraphFile& f) { spoil(f.table.moves); },
      [&](GraphFile& f) { spoil(f.table.start); },
      [&](GraphFile& f) { spoil(f.outcomes); },
      [&](GraphFile& f) { spoil(f.adjacency->position_end); },
      [&](GraphFile& f) { spoil(f.adjacency->option_end); },
      [&](GraphFile& f) { spoil(f.adjacency->targets); },
      [&](GraphFile& f) { f.table.layers[random() % f.table.layers.size()].potential += 1; },
      [&](GraphFile& f) {  // the first row of a layer goes to the one before it
        ++f.table.layers[random() % (f.table.layers.size() - 1)].end;
      }};
  for (const std::string game : {"cram:2x4", "heaps:nim:4,3,2", "chomp:3x4"}) {
    const GraphFile good = computed(game, Reduction::kNone, true, true);
    for (std::size_t i = 0; i < 20 * changes.size(); ++i) {
      GraphFile bad = good;
      changes[i % changes.size()](bad);
      if (bad.table == good.table && bad.outcomes == good.outcomes &&
          bad.adjacency == good.adjacency) {
        continue;
      }
      std::erase_if(bad.table.start, [&](std::uint64_t row) { return row >= bad.table.size(); });
      forge_graph_file(path, bad);
      try {
        EXPECT_TRUE(check().wrong) << game << ", change " << i % changes.size();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCorrupt) << game << ": " << error.what();
      }
    }
  }
}

TEST_F(GraphForgery, AKeyThatIsNoPositionIsNamed) {
  GraphFile file = computed("heaps:nim:4,3,2");
  // A heap of 200, of which no moves are listed.
  const std::uint64_t row = file.table.layers[2].end - 1;
  file.table.keys[row] = 200;
  forge_graph_file(path, file);
  expect_corrupt("is no position of it");
  expect_corrupt(("the key of row " + std::to_string(row) + " ").c_str());
}

TEST_F(GraphForgery, RowsOutOfOrderAreNamed) {
  const GraphFile good = computed("cram:3x4");
  const auto wide = std::ranges::find_if(good.table.layers, [&](const GraphLayer& layer) {
    return &layer != &good.table.layers.front() && layer.end - (&layer)[-1].end > 2;
  });
  ASSERT_NE(wide, good.table.layers.end());
  const std::uint64_t last = wide->end - 1;
  GraphFile bad = good;
  std::swap(bad.table.keys[last], bad.table.keys[last - 1]);
  forge_graph_file(path, bad);
  expect_corrupt("the key of row ");
  bad = good;
  bad.table.keys[last] = bad.table.keys[last - 1];
  forge_graph_file(path, bad);
  expect_corrupt(("the key of row " + std::to_string(last) + " is not larger").c_str());
  bad = good;
  std::swap(bad.table.layers[1].potential, bad.table.layers[2].potential);
  forge_graph_file(path, bad);
  expect_corrupt("behind a row of layer");
  bad = good;
  bad.table.layers.back().potential = kPotentialLimit;
  forge_graph_file(path, bad);
  expect_corrupt("layers are below");
}

TEST_F(GraphForgery, WrongOutcomesAreFound) {
  const GraphFile good = computed("cram:3x4");
  for (const std::uint64_t row : {std::uint64_t{1}, good.table.size() - 1}) {
    GraphFile bad = good;
    bad.outcomes[row] ^= 1;
    forge_graph_file(path, bad);
    expect_wrong(row, "is_p_position");
    bad.outcomes[row] = 2;
    forge_graph_file(path, bad);
    expect_wrong(row, "is_p_position says 2");
  }
}

TEST_F(GraphForgery, WrongAdjacencyIsFound) {
  for (const Reduction reduction : {Reduction::kComponents, Reduction::kNone}) {
    const GraphFile good = computed("cram:3x4", reduction, false, true);
    const auto& ends = good.adjacency->position_end;
    forge_graph_file(path, good);
    EXPECT_FALSE(check().wrong);
    const std::uint64_t row = good.table.size() - 2;
    GraphFile bad = good;
    bad.adjacency->targets.back() ^= 1;
    forge_graph_file(path, bad);
    expect_wrong(good.table.size() - 1, "adjacency");
    bad = good;  // an option of a row is given to the next one
    --bad.adjacency->position_end[row];
    forge_graph_file(path, bad);
    expect_wrong(row, "adjacency");
    bad = good;  // options in another order are the same options
    ASSERT_GT(ends[row] - ends[row - 1], 1u);
    if (reduction == Reduction::kNone) {
      std::reverse(bad.adjacency->targets.begin() + static_cast<std::ptrdiff_t>(ends[row - 1]),
                   bad.adjacency->targets.begin() + static_cast<std::ptrdiff_t>(ends[row]));
      forge_graph_file(path, bad);
      EXPECT_FALSE(check().wrong);
    }
    bad = good;
    bad.adjacency->targets.push_back(0);
    forge_graph_file(path, bad);
    expect_corrupt("adjacency");
    bad = good;
    bad.adjacency->option_end.clear();
    std::ranges::fill(bad.adjacency->position_end, 0);
    forge_graph_file(path, bad);
    expect_corrupt("adjacency");
  }
}

// The rows of a larger game prove each other; that the start position reaches them they do not.
TEST_F(GraphForgery, RowsThatAreNotReachedAreFound) {
  GraphFile file = computed("heaps:nim:4,3,2");
  const auto smaller = resolve_game("heaps:nim:4,2");
  std::vector<std::uint64_t> start;
  smaller.graph().start(start);
  const auto at = std::ranges::find(file.table.keys, start.at(0));
  ASSERT_NE(at, file.table.keys.end());
  file.info.game = "heaps:nim:4,2";
  file.table.start = {static_cast<std::uint64_t>(at - file.table.keys.begin())};
  forge_graph_file(path, file);
  EXPECT_FALSE(check(ProofKind::kSamples).wrong);
  EXPECT_TRUE(check(ProofKind::kRange, {0, file.table.size() - 1}).wrong);
  const VerifyReport report = check();
  ASSERT_TRUE(report.wrong);
  EXPECT_THAT(report.wrong->sentence, HasSubstr("not reached from the start position"));
  EXPECT_THAT(report.wrong->sentence, HasSubstr("'4+3+2'"));
}

TEST_F(GraphForgery, MisereValuesOfComponentsAreRefused) {
  GraphFile file = computed("cram:3x4");
  file.table.misere = file.table.values;
  forge_graph_file(path, file);
  expect_corrupt("misère values do not add up");
  // Chomp is never split, so the same column is one of values there, and wrong ones are named.
  file = computed("chomp:3x4", Reduction::kComponents, true);
  file.table.misere.back() ^= 1;
  forge_graph_file(path, file);
  expect_wrong(file.table.size() - 1, "misère value");
}

TEST_F(GraphForgery, AttributesThatCannotBeAreRefused) {
  const GraphFile file = computed("cram:3x4");
  const auto refused = [&](const ForgedAttributes& forged, const char* what) {
    forge_graph_file(path, file, forged);
    expect_corrupt(what);
  };
  refused({.texts = {{"play_convention", "misere"}}, .numbers = {}}, "'misere' play");
  refused({.texts = {{"reduction", "all"}}, .numbers = {}}, "no reduction");
  refused({.texts = {}, .numbers = {{"max_value", (std::uint64_t{1} << 32) + 3}}}, "max_value");
  refused({.texts = {}, .numbers = {{"root_value", (std::uint64_t{1} << 32) + 1}}}, "root_value");
  refused({.texts = {}, .numbers = {{"p_positions", 1}}}, "counts");
  refused({.texts = {}, .numbers = {{"key_words", 3}}}, "width");
  refused({.texts = {}, .numbers = {{"key_words", std::uint64_t{1} << 63}}}, "width");
  refused({.texts = {}, .numbers = {{"key_words", 2}}}, "key");
}

TEST_F(GraphForgery, NamesOfGamesThatCannotBePlayedAreRefused) {
  GraphFile file = computed("cram:3x4");
  for (const std::string game :
       {"cram", "cram:", "cram:9x9", "cram:4x4", "hexad:1", "heaps:nim:300",
        "heaps:S{1}:", "node-kayles:none.txt", "poset:none.txt", "chomp:32x1024", "welter:64",
        "ruler:0", "heaps:nim:4,3,2", "turning-corners:1.1"}) {
    file.info.game = game;
    forge_graph_file(path, file);
    expect_corrupt("is ");
  }
}

TEST_F(GraphForgery, MemoryIsAskedForBeforeItIsTaken) {
  const GraphFile file = computed("cram:3x4", Reduction::kNone, false, true);
  VerifyRequest request{.table = {}};
  const std::uint64_t bytes =
      8 * (file.table.size() + file.adjacency->position_end.size() +
           file.adjacency->option_end.size() + file.adjacency->targets.size());
  request.machine.memory = bytes;  // values come on top
  EXPECT_EQ(code_of([&] { static_cast<void>(check(ProofKind::kFull, {}, request)); }),
            ErrorCode::kFailure);
  request.force = true;
  EXPECT_FALSE(check(ProofKind::kFull, {}, request).wrong);
  request.force = false;
  request.machine.memory = 2 * bytes;
  EXPECT_FALSE(check(ProofKind::kFull, {}, request).wrong);
}

TEST_F(GraphForgery, AnEngineThatIsNamedComputesTheTableAnew) {
  const GraphFile file = computed("cram:3x4");
  VerifyRequest request{.table = {}, .machine = {.engine = "reference"}};
  const VerifyReport report = check(ProofKind::kFull, {}, request);
  EXPECT_FALSE(report.wrong);
  EXPECT_THAT(report.method, HasSubstr("engine reference"));
  EXPECT_EQ(report.proved, (EntryRange{0, file.table.size() - 1}));
  request.machine.engine = "dense";  // the positions of Cram are not numbered
  EXPECT_EQ(code_of([&] { static_cast<void>(check(ProofKind::kFull, {}, request)); }),
            ErrorCode::kUsage);
  request.machine.engine = "auto";
  request.machine.kernel = "warp";
  EXPECT_EQ(code_of([&] { static_cast<void>(check(ProofKind::kFull, {}, request)); }),
            ErrorCode::kUsage);
}

// Cram on one cell has no component with a move, so its table has no row.
TEST_F(GraphForgery, ATableWithoutRowsIsRight) {
  const GraphFile file = computed("cram:1x1");
  EXPECT_EQ(file.table.size(), 0u);
  EXPECT_FALSE(check().wrong);
  EXPECT_FALSE(check(ProofKind::kSamples).wrong);
  EXPECT_EQ(code_of([&] { static_cast<void>(check(ProofKind::kRange)); }), ErrorCode::kUsage);
}

}  // namespace
}  // namespace grundy::verify_test
