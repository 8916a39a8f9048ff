/// @file
/// Lists of P-positions of games on positions: written files are read and proved, and faults are
/// found.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/games.hpp>
#include <grundy/outcomes.hpp>

#include "core/digest.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using testing_support::code_of;
using testing_support::TemporaryDirectory;

Request request_for(const char* game, bool misere, Reduction reduction,
                    const std::filesystem::path& output = {}) {
  const AnyGame any = resolve_game(game, GameKind::kGraph, reduction);
  Request request{
      .game = PositionGame{std::get<std::shared_ptr<const GraphGame>>(any.rule), misere},
      .about = GameDescription::of(any, any.notation)};
  request.output.path = output;
  return request;
}

/// The keys of value 0, by the engine that follows the definition.
std::vector<std::uint64_t> zeros_by_definition(Request request) {
  const bool misere = std::get<PositionGame>(request.game).misere;
  request.machine.engine = "reference";
  request.output.path.clear();
  const Report report = compute(request);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t row = 0; row < report.rows.size(); ++row) {
    if ((misere ? report.rows.misere : report.rows.values)[row] != 0) continue;
    const auto key = report.rows.key(row);
    keys.insert(keys.end(), key.begin(), key.end());
  }
  return keys;
}

TEST(PPositionsFile, HasTheZerosOfTheValues) {
  const TemporaryDirectory directory;
  std::set<unsigned> widths;
  int number = 0;
  for (const char* game : {"cram:4x4", "node-kayles:path:11", "node-kayles:petersen:5,2",
                           "node-kayles:complete:66", "heaps:kayles:5,4,3", "hexad"}) {
    for (const auto& [misere, reduction] :
         {std::pair{false, Reduction::kSymmetry}, std::pair{true, Reduction::kSymmetry},
          std::pair{false, Reduction::kNone}}) {
      const auto path = directory.path() / (std::to_string(number++) + ".h5");
      const Request request = request_for(game, misere, reduction, path);
      const auto made = compute_p_positions(request);
      ASSERT_TRUE(made.has_value());
      EXPECT_EQ(made->list.keys, zeros_by_definition(request)) << game;
      EXPECT_EQ(kind_of(path), FileKind::kPPositions);
      EXPECT_NE(kind_of(path), FileKind::kPositions);
      const PPositions back = read_p_positions(path);
      EXPECT_EQ(back.info, made->info);
      EXPECT_EQ(back.misere, misere);
      EXPECT_EQ(back.list.keys, made->list.keys);
      widths.insert(back.list.key_words);
      for (const bool full : {false, true}) {
        const PPositionsCheck check = check_p_positions({.file = path, .full = full});
        EXPECT_EQ(check.wrong, "") << game << ' ' << misere << ' ' << full;
        EXPECT_TRUE(check.complete);
        EXPECT_EQ(check.proved, full ? made->info.stats.positions : made->list.size());
      }
    }
  }
  EXPECT_EQ(widths, (std::set<unsigned>{1, 2, 4})) << "keys of every width are walked through";
}

// A title of the game alone would claim the numbers of normal play.
TEST(PPositionsFile, NamesMiserePlay) {
  const TemporaryDirectory directory;
  for (const auto& [misere, title] :
       {std::pair{false, "Cram"}, std::pair{true, "Cram in misère play"}}) {
    const auto path = directory.path() / (misere ? "misere.h5" : "normal.h5");
    auto made = compute_p_positions(request_for("cram:2x3", misere, Reduction::kSymmetry, path));
    EXPECT_EQ(made->info.title, title);
    EXPECT_EQ(read_p_positions(path).info.title, title);
    made->info.title = "Cram";  // as early files have it
    write_p_positions(path, *made, true, true);
    EXPECT_EQ(read_p_positions(path).info.title, title);
  }
}

// Bouton 1902: the player to move loses a sum of heaps whose nim-sum is 0. Misère play is the same,
// except that if no heap has two tokens, an odd number of them loses.
TEST(PPositionsFile, AgreesWithBouton) {
  const std::pair<const char*, bool> starts[] = {
      {"heaps:nim:3,5,6", true}, {"heaps:nim:3,5,7", false}, {"heaps:nim:1,1,1", false}};
  for (const auto& [game, is_p] : starts) {
    const auto made = compute_p_positions(request_for(game, false, Reduction::kSymmetry));
    EXPECT_EQ(made->info.root_value, is_p ? 0U : 1U) << game;
  }
  EXPECT_EQ(compute_p_positions(request_for("heaps:nim:3,5,6", true, Reduction::kSymmetry))
                ->info.root_value,
            0U);
  EXPECT_EQ(compute_p_positions(request_for("heaps:nim:1,1,1", true, Reduction::kSymmetry))
                ->info.root_value,
            0U);
}

/// A number of tokens; a move takes one or two of them.
struct OneOrTwo {
  using Position = std::uint32_t;
  [[nodiscard]] Position start() const { return 20; }
  [[nodiscard]] std::uint32_t potential(Position n) const { return n; }
  [[nodiscard]] Position canonical(Position n) const { return n; }
  template <class Visit>
  void options(Position n, Visit visit) const {
    if (n > 0) visit(n - 1);
    if (n > 1) visit(n - 2);
  }
};

// A game without components may be wrapped as if it had some, which is the default.
TEST(PPositionsFile, OfAGameOfOnesOwnIsProvedWithTheGame) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "own.h5";
  const auto game = make_graph_game(OneOrTwo());
  const auto made = compute_p_positions(
      {.game = PositionGame{game}, .about = {.game = "one-or-two"}, .output = {.path = path}});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->list.keys, (std::vector<std::uint64_t>{0, 3, 6, 9, 12, 15, 18}));
  const PPositionsCheck check = check_p_positions({.file = path, .game = game, .full = true});
  EXPECT_TRUE(check.holds()) << check.wrong;
  EXPECT_EQ(check.proved, 21u);
  EXPECT_EQ(code_of([&] { check_p_positions({.file = path}); }), ErrorCode::kUsage);
}

/// Writes a list whose rows were changed, with a seal and numbers that fit them.
void forge(const std::filesystem::path& path, PPositions list) {
  list.list.values.assign(list.list.values.size(), 0);
  list.info.stats.p_positions = list.list.size();
  list.info.stats.digest = rows_digest(list.list.keys, {}, {});
  write_p_positions(path, list, true, true);
}

TEST(PPositionsFile, AWrongListIsFound) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "list.h5";
  const auto made = compute_p_positions(request_for("cram:3x4", false, Reduction::kSymmetry, path));
  const std::size_t rows = made->list.size();
  ASSERT_EQ(made->list.key_words, 1U);
  for (std::size_t lost = 0; lost < rows; ++lost) {
    PPositions list = *made;
    list.list.keys.erase(list.list.keys.begin() + static_cast<std::ptrdiff_t>(lost));
    list.list.values.pop_back();
    list.list.moves.pop_back();
    std::vector<GraphLayer> layers;
    for (GraphLayer layer : made->list.layers) {
      if (layer.end > lost) --layer.end;
      if (layer.end > (layers.empty() ? 0 : layers.back().end)) layers.push_back(layer);
    }
    list.list.layers = layers;
    forge(path, list);
    std::vector<PPositionsCheck> checks;
    for (const std::size_t threads : {1, 2, 5}) {
      checks.push_back(check_p_positions(
          {.file = path, .full = true, .machine = {.backend = "threads", .threads = threads}}));
    }
    EXPECT_NE(checks.front().wrong, "") << lost;
    for (const PPositionsCheck& check : checks) {
      EXPECT_EQ(check.wrong, checks.front().wrong) << lost;
      EXPECT_EQ(check.proved, checks.front().proved) << lost;
    }
  }
  // A position with a listed option is not one of the list.
  const Request none = request_for("cram:3x4", false, Reduction::kSymmetry);
  const Report values = compute(none);
  int added = 0;
  for (std::uint64_t row = 0; row < values.rows.size(); row += 3) {
    if (values.rows.values[row] == 0) continue;
    PPositions list = *made;
    const std::uint64_t key = values.rows.key(row)[0];
    std::uint64_t at = 0;
    for (GraphLayer& layer : list.list.layers) {
      if (layer.potential > values.rows.potential(row)) break;
      const bool here = layer.potential == values.rows.potential(row);
      while (at < layer.end && (!here || list.list.keys[at] < key)) ++at;
      if (here) break;
    }
    const bool has_layer = at < rows && list.list.potential(at) == values.rows.potential(row);
    if (!has_layer) continue;
    for (GraphLayer& layer : list.list.layers) {
      if (layer.end > at) ++layer.end;
    }
    list.list.keys.insert(list.list.keys.begin() + static_cast<std::ptrdiff_t>(at), key);
    list.list.values.push_back(0);
    list.list.moves.push_back(0);
    forge(path, list);
    EXPECT_NE(check_p_positions({.file = path}).wrong, "") << row;
    EXPECT_NE(check_p_positions({.file = path, .full = true}).wrong, "") << row;
    ++added;
  }
  EXPECT_GT(added, 3);
}

// A proof of as many rows as fit into the time draws them, so that each part of a list has its turn
// and another seed has other rows.
TEST(PPositionsFile, RowsAreDrawnFromTheWholeList) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "list.h5";
  auto made = compute_p_positions(request_for("cram:5x5", false, Reduction::kSymmetry, path));
  PPositions list = *made;
  list.list.keys.clear();
  list.list.values.clear();
  list.list.layers.clear();
  std::uint64_t row = 0;
  constexpr std::uint64_t kWhole = 2000;  // more rows than are proved at once
  for (const GraphLayer& layer : made->list.layers) {
    for (; row < layer.end; ++row) {
      if (row > kWhole && row % 3 == 0 && row + 1 < made->list.size()) continue;
      list.list.keys.push_back(made->list.key(row)[0]);
      list.list.values.push_back(0);
    }
    list.list.layers.push_back({layer.potential, list.list.values.size()});
  }
  list.list.moves.resize(list.list.values.size());
  forge(path, list);
  std::set<std::string> faults;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const PPositionsCheck check = check_p_positions({.file = path, .seconds = 1e-9, .seed = seed});
    EXPECT_NE(check.wrong, "") << seed;
    faults.insert(check.wrong);
  }
  EXPECT_GT(faults.size(), 1U);
  const PPositionsCheck nothing = check_p_positions({.file = path, .seconds = 0});
  EXPECT_EQ(nothing.proved, 0U);
  EXPECT_EQ(nothing.wrong, "");
  const ListCheckRequest small{.file = path, .machine = {.memory = 1000}};
  EXPECT_EQ(code_of([&] { check_p_positions(small); }), ErrorCode::kFailure);
}

// Layers of many thousand positions, which several tasks prove.
TEST(PPositionsFile, LargeLayersAreProvedOnAllThreadsAlike) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "list.h5";
  const auto made = compute_p_positions(request_for("cram:4x5", false, Reduction::kNone, path));
  EXPECT_GT(made->info.stats.positions, 50'000U);
  const auto check_with = [&](std::size_t threads) {
    return check_p_positions(
        {.file = path, .full = true, .machine = {.backend = "threads", .threads = threads}});
  };
  for (const std::size_t threads : {1, 3}) {
    const PPositionsCheck check = check_with(threads);
    EXPECT_EQ(check.wrong, "");
    EXPECT_EQ(check.proved, made->info.stats.positions);
  }
  const std::uint64_t lost = made->list.size() / 2;
  PPositions list = *made;
  list.list.keys.erase(list.list.keys.begin() + static_cast<std::ptrdiff_t>(lost));
  list.list.values.pop_back();
  list.list.moves.pop_back();
  for (GraphLayer& layer : list.list.layers) {
    if (layer.end > lost) --layer.end;
  }
  forge(path, list);
  const PPositionsCheck one = check_with(1), three = check_with(3);
  EXPECT_NE(one.wrong, "");
  EXPECT_EQ(one.wrong, three.wrong);
  EXPECT_EQ(one.proved, three.proved);
}

TEST(PPositionsFile, RefusesComponentsAndExistingFiles) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "list.h5";
  const Request of_components = request_for("cram:3x3", false, Reduction::kComponents, path);
  EXPECT_EQ(code_of([&] { compute_p_positions(of_components); }), ErrorCode::kUsage);
  EXPECT_FALSE(std::filesystem::exists(path));
  Request whole = request_for("cram:3x3", false, Reduction::kSymmetry, path);
  EXPECT_TRUE(compute_p_positions(whole));
  EXPECT_EQ(code_of([&] { compute_p_positions(whole); }), ErrorCode::kUsage);
  whole.output.overwrite = true;
  EXPECT_TRUE(compute_p_positions(whole));
  EXPECT_EQ(code_of([&] { read_graph_file(path); }), ErrorCode::kUsage) << "another kind";
}

}  // namespace
}  // namespace grundy
