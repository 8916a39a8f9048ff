/// @file
/// Files of outcomes: written files are read and proved, and faults are found.
// SPDX-License-Identifier: MIT
#include "session/outcomes_file.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <random>
#include <string>

#include <gmock/gmock.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/games.hpp>
#include <grundy/heap/options.hpp>
#include <grundy/outcomes.hpp>

#include "support/damage.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"
#include "table/seal.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

using ::testing::HasSubstr;
using testing_support::code_of;
using testing_support::error_of;
using testing_support::TemporaryDirectory;

Request request_for(std::string_view game, const LatticeShape& shape,
                    const std::filesystem::path& output) {
  Request request{.game = LatticeGame{.rule = resolve_game(game, GameKind::kLattice).lattice(),
                                      .shape = shape}};
  request.output.path = output;
  return request;
}

Request request_for(std::string_view game, HeapSize last, const std::filesystem::path& output) {
  Request request{.game = HeapGame{.rule = resolve_game(game).heap(), .last = last}};
  request.output.path = output;
  return request;
}

/// The P-positions by the values of the game.
std::vector<std::uint64_t> zeros_of(const Request& request) {
  std::vector<std::uint64_t> zeros;
  const auto* heap = std::get_if<HeapGame>(&request.game);
  const auto* lattice = std::get_if<LatticeGame>(&request.game);
  const Layout layout = heap != nullptr ? Layout::of_heaps(heap->last + 1)
                                        : Layout::of(lattice->shape, lattice->rule.planes());
  Hooks hooks;
  std::vector<Nimber> all(layout.entries(), 1);
  hooks.values = [&](const Stretch& stretch) {
    for (std::size_t i = 0; i < stretch.values.size(); ++i) {
      all[stretch.begin + i] = stretch.values[i];
    }
    return Flow::kContinue;
  };
  compute(request, hooks);
  for (std::uint64_t entry = 0; entry < all.size(); ++entry) {
    if (all[entry] == 0) zeros.push_back(entry);
  }
  return zeros;
}

TEST(OutcomesFile, HasTheZerosOfTheValues) {
  const TemporaryDirectory directory;
  const std::pair<const char*, LatticeShape> games[] = {
      {"chomp(4)", LatticeShape::cube(4, 30, true)},
      {"wythoff", LatticeShape::cube(2, 200, true)},
      {"wythoff", {2, {90, 120}, false}},
      {"nim-with-a-pass(2)", LatticeShape::cube(2, 40)},
      {"3: sym (1,0,0)* + (1,1,1)*", LatticeShape::cube(3, 25)},
      {"euclid", LatticeShape::cube(2, 90)},
      {"chomp(3)", LatticeShape::cube(3, 20)}};
  int number = 0;
  for (const auto& [game, shape] : games) {
    const auto path = directory.path() / (std::to_string(number++) + ".h5");
    const OutcomeReport report = compute_outcomes(request_for(game, shape, path));
    EXPECT_TRUE(report.complete);
    EXPECT_EQ(kind_of(path), FileKind::kOutcomes);
    const OutcomesReader reader(path);
    const auto expected = zeros_of(request_for(game, shape, {}));
    EXPECT_EQ(reader.info().p_positions, expected.size());
    EXPECT_EQ(report.digest, reader.info().digest);
    EXPECT_EQ(reader.entries(0, expected.size()), expected) << game;
    for (std::uint64_t entry = 0; entry < report.entries; entry += 7) {
      EXPECT_EQ(reader.is_p_position(entry), std::ranges::binary_search(expected, entry));
    }
    const OutcomesCheck check = check_outcomes({.file = path, .full = true});
    EXPECT_EQ(check.wrong, "");
    EXPECT_EQ(check.proved, report.entries);
    Request again = request_for(game, shape, path);
    EXPECT_EQ(code_of([&] { compute_outcomes(again); }), ErrorCode::kUsage)
        << "what is there stays";
    again.output.overwrite = true;
    EXPECT_EQ(compute_outcomes(again).digest, report.digest);
  }
}

TEST(OutcomesFile, HasTheZerosOfTheValuesOfHeaps) {
  const TemporaryDirectory directory;
  int number = 0;
  for (const char* game :
       {"S{1,2,3}", "S{1}", "S{2,5,7}", "S{90,91,400}", "S{squares}", "S{fibonacci}",
        "S{factorials}", "0.033", "0.13", "0.1203", "0.2", "0.0302001"}) {
    for (const HeapSize last : {HeapSize{0}, HeapSize{63}, HeapSize{1'200'000}}) {
      const auto path = directory.path() / (std::to_string(number++) + ".h5");
      Request request = request_for(game, last, path);
      request.machine.threads = 1 + number % 3;
      compute_outcomes(request);
      const auto expected = zeros_of(request_for(game, last, {}));
      const OutcomesReader reader(path);
      EXPECT_EQ(reader.entries(0, reader.info().p_positions), expected) << game << " to " << last;
      EXPECT_EQ(check_outcomes({.file = path, .samples = 200}).wrong, "") << game;
    }
  }
}

/// The heaps from which the player to move loses, by definition.
std::vector<std::uint64_t> losses(const HeapRule& rule, HeapSize last, bool misere) {
  std::vector<std::uint64_t> lost;
  std::vector<bool> is_won;
  for (HeapSize n = 0; n <= last; ++n) {
    bool has_option = false, wins = false;
    for_each_option(rule, n, [&](const HeapMove& move) {
      has_option = true;
      wins = wins || !is_won[move.left.empty() ? 0 : move.left.front()];
      return Flow::kContinue;
    });
    is_won.push_back(wins || (misere && !has_option));
    if (!is_won.back()) lost.push_back(n);
  }
  return lost;
}

/// Formulas with some of the ways in which options are listed.
std::string random_formulas(std::mt19937& random) {
  const auto number = [&](unsigned most) { return std::to_string(1 + random() % most); };
  std::string text = "n -> ";
  switch (random() % 6) {
    case 0:
      text += "n - " + number(3) + ", floor(n/" + std::to_string(2 + random() % 3) + ")";
      break;
    case 1:
      text += "n - d : d | n, d < n";
      break;
    case 2:
      text += "n - d : gcd(d, n) = 1, d > " + number(3);
      break;
    case 3:
      text += "n - d*d";
      break;
    case 4:
      text += "n - d : d in primes, d mod 3 in {0," + number(2) + "}";
      break;
    default:
      text += "d : not d | n, d < n - " + number(4);
  }
  return random() % 2 == 0 ? text : text + "; n - " + number(9) + " : n mod 4 = " + number(3);
}

/// A rule whose moves split no heap: a subtraction set, a code or formulas.
std::string random_heap_rule(std::mt19937& random) {
  switch (random() % 6) {
    case 0:
      return random_formulas(random);
    case 1:
      return "AllBut{" + std::to_string(1 + random() % 9) + "," +
             std::to_string(10 + random() % 9) + "}";
    case 2: {  // a code without an end
      std::string text = "0.";
      for (auto digits = random() % 4; digits > 0; --digits) {
        text += static_cast<char>('0' + random() % 4);
      }
      text += "[1";
      for (auto digits = random() % 4; digits > 0; --digits) {
        text += static_cast<char>('0' + random() % 4);
      }
      return text + "]";
    }
    default:
      break;
  }
  std::string text = random() % 2 == 0 ? "S{" : "0.";
  if (text == "0.") {
    for (auto digits = 1 + random() % 8; digits > 0; --digits) {
      text += static_cast<char>('0' + random() % 4);
    }
    return text + "1";
  }
  unsigned element = 0;
  for (auto size = 1 + random() % 5; size > 0; --size) {
    text += std::to_string(element += 1 + static_cast<unsigned>(random() % 9)) + ",";
  }
  text.back() = '}';
  return text;
}

TEST(OutcomesFile, HasThePPositionsOfRandomHeapRules) {
  const TemporaryDirectory directory;
  std::mt19937 random(18);
  for (int trial = 0; trial < 120; ++trial) {
    const std::string game = random_heap_rule(random);
    const auto path = directory.path() / (std::to_string(trial) + ".h5");
    Request request = request_for(game, HeapSize{random() % 300}, path);
    auto& heaps = std::get<HeapGame>(request.game);
    for (const bool misere : {false, true}) {
      heaps.misere = misere;
      request.output.overwrite = misere;
      compute_outcomes(request);
      const OutcomesReader reader(path);
      EXPECT_EQ(reader.info().misere, misere);
      EXPECT_EQ(reader.entries(0, reader.info().p_positions),
                losses(heaps.rule, heaps.last, misere))
          << game << " to " << heaps.last;
      EXPECT_EQ(check_outcomes({.file = path, .full = true}).wrong, "") << game;
    }
  }
}

// In normal play values tell those of formulas, primes and AllBut, and say nothing about misère
// play.
TEST(OutcomesFile, HasThePPositionsOfNamedRulesInBothPlays) {
  for (const char* game :
       {"nim", "mark", "S{primes}", "0.[3]", "AllBut{1,4}", "0.[13]", "0.0[1]"}) {
    Request request = request_for(game, HeapSize{700}, {});
    auto& heaps = std::get<HeapGame>(request.game);
    request.machine.threads = 2;
    for (const bool misere : {false, true}) {
      heaps.misere = misere;
      const OutcomeReport report = compute_outcomes(request);
      const auto lost = losses(heaps.rule, heaps.last, misere);
      EXPECT_EQ(report.p_positions, lost.size()) << game;
      EXPECT_TRUE(std::ranges::equal(report.first, std::span(lost).first(report.first.size())))
          << game;
    }
  }
}

TEST(OutcomesFile, HasNoMisereOutcomesOfHeapsThatSplit) {
  Request request = request_for("kayles", HeapSize{20}, {});
  std::get<HeapGame>(request.game).misere = true;
  EXPECT_THAT(error_of([&] { compute_outcomes(request); }).what(),
              HasSubstr("its genera tell who wins"));
}

// Formulas that make no smaller heap of one are refused at that heap.
TEST(OutcomesFile, MisereFormulasMustLeaveLess) {
  Request request = request_for("n -> n - 1 + floor(n/5000)", HeapSize{6000}, {});
  std::get<HeapGame>(request.game).misere = true;
  EXPECT_EQ(code_of([&] { compute_outcomes(request); }), ErrorCode::kUsage);
}

// Over several blocks, whose first heaps the moves of the block before lead to.
TEST(OutcomesFile, HasTheMiserePPositionsOfManyHeaps) {
  for (const char* game : {"S{90,91,400}", "0.0302001", "mark"}) {
    Request request = request_for(game, HeapSize{600'000}, {});
    auto& heaps = std::get<HeapGame>(request.game);
    heaps.misere = true;
    request.machine.threads = 3;
    std::vector<std::uint64_t> lost;
    Hooks hooks;
    hooks.values = [&](const Stretch& stretch) {
      list_zeros(stretch, heaps.last + 1, lost);
      return Flow::kContinue;
    };
    compute_outcomes(request, hooks);
    EXPECT_EQ(lost, losses(heaps.rule, heaps.last, true)) << game;
  }
}

TEST(OutcomesFile, ValuesOfOneHeapInMisereAreRefused) {
  Request request = request_for("S{squares}", HeapSize{100}, {});
  std::get<HeapGame>(request.game).misere = true;
  EXPECT_THAT(error_of([&] { compute(request); }).what(), HasSubstr("do not add up"));
}

/// The file says of itself that it is of that play.
void claim_play(const std::filesystem::path& path, const char* play) {
  reseal_with(path, {{"play_convention", play}});
}

// Lists of misère play said `normal` where the rule tells otherwise.
TEST(OutcomesFile, ThePlayIsThatOfTheRule) {
  const TemporaryDirectory directory;
  const auto normal = directory.path() / "normal.h5", misere = directory.path() / "misere.h5",
             heaps = directory.path() / "heaps.h5";
  const LatticeShape shape = LatticeShape::cube(2, 30);
  compute_outcomes(request_for("wythoff", shape, normal));
  compute_outcomes(request_for("2: sym (1,0)* + (1,1)* + misere", shape, misere));
  Request one = request_for("S{squares}", HeapSize{100}, heaps);
  std::get<HeapGame>(one.game).misere = true;
  compute_outcomes(one);
  EXPECT_FALSE(OutcomesReader(normal).info().misere);
  EXPECT_TRUE(OutcomesReader(misere).info().misere);
  claim_play(misere, "normal");
  EXPECT_TRUE(OutcomesReader(misere).info().misere) << "an old file";
  EXPECT_EQ(check_outcomes({.file = misere, .full = true}).wrong, "");
  // Of one heap the file alone tells it, and the list is wrong in normal play.
  claim_play(heaps, "normal");
  EXPECT_NE(check_outcomes({.file = heaps, .full = true}).wrong, "");
  claim_play(normal, "misere");
  EXPECT_EQ(code_of([&] { OutcomesReader{normal}; }), ErrorCode::kCorrupt);
  claim_play(heaps, "other");
  EXPECT_EQ(code_of([&] { OutcomesReader{heaps}; }), ErrorCode::kCorrupt);
}

// D. Eppstein, 11011110.github.io, 16 November 2016: how many P-positions subtract-a-square has.
TEST(OutcomesFile, CountsThoseOfSubtractASquare) {
  const std::pair<HeapSize, std::uint64_t> counts[] = {
      {109, 22}, {204, 39}, {6414, 419}, {204'817, 4497}, {1'638'632, 19'659}};
  for (const auto& [last, count] : counts) {
    EXPECT_EQ(compute_outcomes(request_for("S{squares}", last, {})).p_positions, count) << last;
  }
}

TEST(OutcomesFile, RefusesOtherHeapGames) {
  for (const char* game : {"kayles", "4.0", "0.33 pass 2"}) {
    EXPECT_EQ(code_of([&] { compute_outcomes(request_for(game, HeapSize{100}, {})); }),
              ErrorCode::kUsage)
        << game;
  }
  EXPECT_EQ(code_of([&] { compute_outcomes(request_for("S{squares}", HeapSize{1} << 33, {})); }),
            ErrorCode::kUsage);
}

/// Writes a list that is not that of the game, with everything else made to match.
void forge(const std::filesystem::path& path,
           const std::function<void(std::vector<std::uint64_t>&)>& change,
           const char* game = "wythoff",
           const LatticeShape& shape = LatticeShape::cube(2, 100, true)) {
  std::vector<std::uint64_t> list = zeros_of(request_for(game, shape, {}));
  change(list);
  const LatticeRule rule = resolve_game(game, GameKind::kLattice).lattice();
  OutcomesInfo info{.title = "forged",
                    .canonical = rule.canonical(),
                    .description = rule.describe(),
                    .layout = Layout::of(shape, 1),
                    .provenance_json = "{}"};
  write_outcomes_file(path, info, [&](const TakeEntries& take) { take(list); });
}

TEST(OutcomesFile, AWrongListIsFound) {
  const TemporaryDirectory directory;
  const auto path = [&](const char* name) { return directory.path() / name; };
  forge(path("right"), [](auto&) {});
  forge(path("less"), [](auto& list) { list.erase(list.begin() + 20); });
  forge(path("more"), [](auto& list) { list.insert(list.begin() + 20, list[19] + 1); });
  EXPECT_EQ(check_outcomes({.file = path("right"), .full = true}).wrong, "");
  EXPECT_NE(check_outcomes({.file = path("less"), .full = true}).wrong, "");
  EXPECT_NE(check_outcomes({.file = path("more"), .full = true}).wrong, "");
  // Few positions are enough to find a list that is wrong in many.
  forge(path("half"), [](auto& list) { list.resize(list.size() / 2); });
  EXPECT_NE(check_outcomes({.file = path("half"), .samples = 1000}).wrong, "");
}

// A list of four-row Chomp is compared with the P-positions, and not asked position by position.
TEST(OutcomesFile, AWrongListOfChompIsFound) {
  const TemporaryDirectory directory;
  int number = 0;
  const LatticeShape shape = LatticeShape::cube(4, 16, true);
  const std::uint64_t entries = Layout::of(shape, 1).entries();
  using Change = std::function<void(std::vector<std::uint64_t>&)>;
  const auto check = [&](const Change& change) {
    const auto path = directory.path() / (std::to_string(number++) + ".h5");
    forge(path, change, "chomp(4)", shape);
    return check_outcomes({.file = path, .full = true});
  };
  const OutcomesCheck whole = check([](auto&) {});
  EXPECT_EQ(whole.wrong, "");
  EXPECT_EQ(whole.proved, entries);
  std::vector<std::uint64_t> list = zeros_of(request_for("chomp(4)", shape, {}));
  for (const std::size_t at : {std::size_t{0}, std::size_t{20}, list.size() - 1}) {
    const OutcomesCheck less = check([at](auto& rows) { rows.erase(rows.begin() + at); });
    EXPECT_THAT(less.wrong, testing::HasSubstr("not listed, but no option of it is either")) << at;
    EXPECT_EQ(less.proved, list[at]);
    const OutcomesCheck more = check([at](auto& rows) {
      rows.insert(rows.begin() + at + 1, rows[at] + 1);
      rows.erase(std::ranges::unique(rows).begin(), rows.end());
    });
    if (at + 1 < list.size() && list[at + 1] == list[at] + 1) continue;
    EXPECT_THAT(more.wrong, testing::HasSubstr("listed, but an option of it is too")) << at;
    EXPECT_EQ(more.proved, list[at] + 1);
  }
}

// A sample that costs more than the whole is the whole; where time is short it has some positions.
TEST(OutcomesFile, ASampleIsTheWholeWhereThereIsTime) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "s.h5";
  compute_outcomes(request_for("S{squares}", HeapSize{20'000}, path));
  EXPECT_EQ(check_outcomes({.file = path, .seconds = 1000}).proved, 20'001u);
  const OutcomesCheck some = check_outcomes({.file = path, .seconds = 1e-9});
  EXPECT_GT(some.proved, 0u);
  EXPECT_LT(some.proved, 20'001u);
  EXPECT_EQ(check_outcomes({.file = path, .samples = 20'000}).proved, 20'000u);
  EXPECT_EQ(check_outcomes({.file = path, .samples = 20'000}).wrong, "");
}

// Nearly every number is a move, and few heaps are listed.
TEST(OutcomesFile, TheProofAsksListedHeapsWhereTheyAreFewerThanMoves) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "n.h5";
  Request request = request_for("AllBut{1,4}", HeapSize{1'000'000}, path);
  std::get<HeapGame>(request.game).misere = true;
  compute_outcomes(request);
  const OutcomesCheck check = check_outcomes({.file = path, .full = true});
  EXPECT_EQ(check.wrong, "");
  EXPECT_EQ(check.proved, 1'000'001u);
  EXPECT_LT(check.seconds, 60) << "by 10^6 moves of each heap it takes an hour";
}

TEST(OutcomesFile, TheProofIsTheSameForEveryNumberOfThreads) {
  const TemporaryDirectory directory;
  for (const std::size_t row : {0, 7, 30}) {
    const auto path = directory.path() / (std::to_string(row) + ".h5");
    forge(path, [row](auto& list) { list.erase(list.begin() + row, list.begin() + row + 2); });
    for (const auto samples :
         {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(4000)}) {
      std::vector<OutcomesCheck> checks;
      for (const std::size_t threads : {1, 2, 5}) {
        checks.push_back(check_outcomes({.file = path,
                                         .full = !samples,
                                         .samples = samples,
                                         .seed = row,
                                         .machine = {.backend = "threads", .threads = threads}}));
      }
      EXPECT_NE(checks.front().wrong, "");
      for (const OutcomesCheck& check : checks) {
        EXPECT_EQ(check.wrong, checks.front().wrong);
        EXPECT_EQ(check.proved, checks.front().proved);
      }
    }
  }
}

TEST(OutcomesFile, ImpossibleShapesAreRefused) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "f.h5";
  const auto read = [&](const Layout& layout) {
    OutcomesInfo info{.title = "forged",
                      .canonical = "2: (1,0)*",
                      .description = "forged",
                      .layout = layout,
                      .provenance_json = "{}"};
    write_outcomes_file(path, info, [](const TakeEntries&) {});
    OutcomesReader reader(path);
    std::filesystem::remove(path);
  };
  constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 32;  // for LatticeShape
  EXPECT_NO_THROW(read({.heaps = 2, .extent = {kTooLarge - 1, 5}}));
  EXPECT_NO_THROW(read(Layout::of_heaps(kTooLarge)));
  const Layout bad[] = {{.heaps = 2, .extent = {kTooLarge, 5}},
                        {.heaps = 2, .extent = {5, kTooLarge}},
                        {.heaps = 2, .extent = {5, 0}},
                        {.heaps = 2, .extent = {5, 6}, .sorted = true},
                        {.heaps = 2, .extent = {5, 5}, .planes = 3},
                        {.heaps = 1, .extent = {kTooLarge + 1}},
                        {.heaps = 1, .extent = {5}, .planes = 2}};
  for (const Layout& layout : bad) {
    const Error error = error_of([&] { read(layout); });
    EXPECT_EQ(error.code(), ErrorCode::kCorrupt);
    EXPECT_THAT(error.what(), HasSubstr("its shape is not that of positions of heaps"));
    std::filesystem::remove(path);
  }
}

TEST(OutcomesFile, DamageIsRefused) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "w.h5";
  compute_outcomes(request_for("wythoff", LatticeShape::cube(2, 300, true), path));
  const std::string bytes = testing_support::bytes_of(path);
  testing_support::expect_damage_is_refused(path, 64,
                                            [&] { check_outcomes({.file = path, .full = true}); });
  EXPECT_EQ(code_of([&] {
              compute_outcomes(request_for("wythoff", LatticeShape::cube(2, 30, true), path));
            }),
            ErrorCode::kUsage);
  EXPECT_EQ(testing_support::bytes_of(path), bytes);
}

TEST(OutcomesFile, AStoppedRunLeavesNone) {
  const TemporaryDirectory directory;
  std::stop_source stop;
  stop.request_stop();
  Hooks hooks;
  hooks.stop = stop.get_token();
  const auto path = directory.path() / "c.h5";
  EXPECT_FALSE(
      compute_outcomes(request_for("chomp(4)", LatticeShape::cube(4, 60, true), path), hooks)
          .complete);
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace
}  // namespace grundy
