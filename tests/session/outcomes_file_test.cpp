/// @file
/// Files of outcomes: what is written is read and proved, and what is wrong is found.
// SPDX-License-Identifier: MIT
#include "session/outcomes_file.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/outcomes.hpp>

#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy {
namespace {

using testing_support::code_of;
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
      {"3: sym (1,0,0)* + (1,1,1)*", LatticeShape::cube(3, 25)}};
  int number = 0;
  for (const auto& [game, shape] : games) {
    const auto path = directory.path() / (std::to_string(number++) + ".h5");
    const OutcomeReport report = compute_outcomes(request_for(game, shape, path));
    EXPECT_TRUE(report.complete);
    EXPECT_TRUE(is_outcomes_file(path));
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

// D. Eppstein, 11011110.github.io, 16 November 2016: how many P-positions subtract-a-square has.
TEST(OutcomesFile, CountsThoseOfSubtractASquare) {
  const std::pair<HeapSize, std::uint64_t> counts[] = {
      {109, 22}, {204, 39}, {6414, 419}, {204'817, 4497}, {1'638'632, 19'659}};
  for (const auto& [last, count] : counts) {
    EXPECT_EQ(compute_outcomes(request_for("S{squares}", last, {})).p_positions, count) << last;
  }
}

TEST(OutcomesFile, RefusesOtherHeapGames) {
  for (const char* game : {"kayles", "AllBut{1}", "S{primes}", "0.[13]", "4.0", "mark"}) {
    EXPECT_EQ(code_of([&] { compute_outcomes(request_for(game, HeapSize{100}, {})); }),
              ErrorCode::kUsage)
        << game;
  }
  EXPECT_EQ(code_of([&] { compute_outcomes(request_for("S{squares}", HeapSize{1} << 33, {})); }),
            ErrorCode::kUsage);
}

/// Writes a list that is not that of the game, with everything else made to match.
void forge(const std::filesystem::path& path,
           const std::function<void(std::vector<std::uint64_t>&)>& change) {
  const LatticeShape shape = LatticeShape::cube(2, 100, true);
  std::vector<std::uint64_t> list = zeros_of(request_for("wythoff", shape, {}));
  change(list);
  const LatticeRule rule = resolve_game("wythoff", GameKind::kLattice).lattice();
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

TEST(OutcomesFile, DamageIsRefused) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "w.h5";
  compute_outcomes(request_for("wythoff", LatticeShape::cube(2, 300, true), path));
  const std::string bytes = testing_support::bytes_of(path);
  for (std::size_t i = 0; i < 64; ++i) {
    std::string bad = bytes;
    bad[i * (bytes.size() - 1) / 63] ^= 0x10;
    testing_support::write_bytes(directory.path() / "bad.h5", bad);
    EXPECT_EQ(code_of([&] { check_outcomes({.file = directory.path() / "bad.h5", .full = true}); }),
              ErrorCode::kCorrupt)
        << i;
  }
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
