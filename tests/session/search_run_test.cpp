/// @file
/// Searches for one value in several lives: facts are sealed, resumed, and refused.
// SPDX-License-Identifier: MIT
#include "session/search_run.hpp"

#include <chrono>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>

#include "run/run_lock.hpp"
#include "session/root_file.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

namespace grundy::testing {
namespace {

namespace fs = std::filesystem;
using testing_support::bytes_of;
using testing_support::code_of;
using testing_support::TemporaryDirectory;
using testing_support::write_bytes;

std::shared_ptr<const GraphGame> game_called(const std::string& notation) {
  return std::get<std::shared_ptr<const GraphGame>>(resolve_game(notation, GameKind::kGraph).rule);
}

Request search_for(const std::string& notation, const fs::path& file) {
  return {.game = PositionGame{game_called(notation)},
          .about = {.game = notation, .title = "Cram"},
          .machine = {.threads = 2},
          .output = {.path = file, .checkpoint = {.time = std::chrono::milliseconds(0)}}};
}

/// What a search for the start position has learnt.
std::vector<std::uint64_t> all_learnt(const GraphGame& game) {
  GraphSearch search(game);
  std::vector<std::uint64_t> keys, entries;
  game.start(keys);
  EXPECT_TRUE(search.value(keys));
  search.hand_over(100, [&](std::span<const std::uint64_t> piece) {
    EXPECT_LE(piece.size(), 100 * (game.key_words() + 1));
    entries.insert(entries.end(), piece.begin(), piece.end());
  });
  return entries;
}

/// Leaves what was learnt of `notation` in the directory for `file`.
void leave_sealed(const std::string& notation, const fs::path& file) {
  const Request request = search_for(notation, file);
  const GraphGame& game = *std::get<PositionGame>(request.game).game;
  GraphSearch search(game);
  std::vector<std::uint64_t> keys;
  game.start(keys);
  ASSERT_TRUE(search.value(keys));
  ASSERT_GT(SearchRun(request, game).seal(search), 100U);
}

/// A game whose keys have one, two or four words, and the value of its start: of Cram 5x6
/// by Beling's table, of 2x33 as of all odd lengths, of the sum by the values of its heaps.
struct Searched {
  std::string game;
  unsigned words;
  Nimber value;
};
void PrintTo(const Searched& searched, std::ostream* out) {
  *out << searched.game;
}

class SearchOfWords : public ::testing::TestWithParam<Searched> {};

INSTANTIATE_TEST_SUITE_P(All, SearchOfWords,
                         ::testing::Values(Searched{"cram:5x6", 1, 2}, Searched{"cram:2x33", 2, 1},
                                           Searched{"heaps:kayles:12,11,9", 4, 6}),
                         [](const auto& instance) {
                           return fmt::format("Words{}", instance.param.words);
                         });

TEST_P(SearchOfWords, WhatWasLearntIsNotLearntAgain) {
  const auto game = game_called(GetParam().game);
  ASSERT_EQ(game->key_words(), GetParam().words);
  const std::vector<std::uint64_t> entries = all_learnt(*game);
  const std::size_t count = entries.size() / (game->key_words() + 1);
  ASSERT_GT(count, 300U);
  GraphSearch first(*game), second(*game);
  ASSERT_TRUE(second.take_over(entries));
  const std::uint64_t before = second.known();
  EXPECT_GT(before, count / 5 * 4) << "little made room while the table was small";
  std::vector<std::uint64_t> keys;
  game->start(keys);
  EXPECT_EQ(second.value(keys), GetParam().value);
  EXPECT_EQ(first.value(keys), GetParam().value);
  EXPECT_EQ(second.known(), before);
  EXPECT_LT(second.searched(), 1 + first.searched() / 5);
  // Fewer positions of a sum are settled by one look.
  EXPECT_LT(before, first.known() / (GetParam().words < 4 ? 2 : 1))
      << "what took one position alone is left out";
}

TEST_P(SearchOfWords, TablesOfAnySizeFindTheValue) {
  const auto game = game_called(GetParam().game);
  std::vector<std::uint64_t> keys;
  game->start(keys);
  GraphSearch roomy(*game);
  EXPECT_EQ(roomy.value(keys), GetParam().value);
  for (const unsigned eighths : {5u, 7u}) {
    const std::uint64_t bytes = roomy.known() * (GetParam().words + 1) * eighths;
    GraphSearch search(*game, bytes);
    EXPECT_EQ(search.value(keys), GetParam().value);
    EXPECT_LE(search.bytes(), bytes);
  }
}

/// A kill leaves what was sealed while the search was at work.
TEST_P(SearchOfWords, AKilledSearchGoesOn) {
  const TemporaryDirectory place;
  const Request request = search_for(GetParam().game, place / "value.json");
  const GraphGame& game = *std::get<PositionGame>(request.game).game;
  std::vector<std::uint64_t> keys;
  game.start(keys);
  std::uint64_t sealed = 0;
  for (int life = 0; life < 2; ++life) {
    GraphSearch search(game);
    SearchRun run(request, game);
    EXPECT_GE(run.recall(search), sealed / 5 * 4);
    std::stop_source stop;
    std::jthread killer([&] {
      while (search.searched() == 0) std::this_thread::yield();
      EXPECT_GE(run.seal(search), sealed / 5 * 4);
      stop.request_stop();
    });
    static_cast<void>(search.value(keys, stop.get_token()));
    killer.join();
    sealed = read_search_run(place / "value.json.run").entries;
    EXPECT_GT(sealed, 0U);
  }
  const auto report = compute_root(request_of_search(place / "value.json.run"));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->value, GetParam().value);
  EXPECT_GT(report->recalled, 0U);
  EXPECT_GT(report->all_searched, report->searched);
  EXPECT_EQ(place.entries(), 1U) << "the directory is gone";
}

TEST(SearchRun, WhatCannotBeLearntIsRefused) {
  const auto game = game_called("cram:3x3");
  GraphSearch search(*game);
  const auto refused = [&](std::vector<std::uint64_t> entry) { return !search.take_over(entry); };
  EXPECT_TRUE(refused({1U << 9, 1})) << "no cell of the board";
  EXPECT_TRUE(refused({3, 0})) << "nothing is known";
  EXPECT_TRUE(refused({3, 1, 5})) << "half an entry";
  EXPECT_FALSE(refused({3, 3}));
}

TEST(SearchRun, AStoppedSearchGoesOn) {
  const TemporaryDirectory place;
  const Request request = search_for("cram:5x7", place / "cram.json");
  std::mt19937 random(7);
  std::uint64_t recalled = 0;
  for (int life = 0;; ++life) {
    ASSERT_LT(life, 1000);
    std::stop_source stop;
    const auto length = std::chrono::milliseconds(60 + random() % 100);
    std::jthread watch([&](const std::stop_token& ended) {
      const auto end = std::chrono::steady_clock::now() + length;
      while (!ended.stop_requested() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
      stop.request_stop();
    });
    const auto report = compute_root(request, {.stop = stop.get_token()});
    if (!report) {
      EXPECT_FALSE(fs::exists(place / "cram.json"));
      const SearchContents sealed = read_search_run(place / "cram.json.run");
      EXPECT_EQ(sealed.record.lives, static_cast<std::uint64_t>(life) + 1);
      EXPECT_GT(sealed.entries, recalled);
      recalled = sealed.entries;
      continue;
    }
    EXPECT_EQ(report->value, 1U);
    EXPECT_EQ(report->engine, "search");
    EXPECT_GT(report->recalled, recalled / 5 * 4);
    EXPECT_GE(report->all_seconds, report->seconds);
    break;
  }
  EXPECT_GT(recalled, 0U) << "no life was stopped";
  EXPECT_EQ(place.entries(), 1U) << "the directory is gone";
  EXPECT_EQ(read_root_file(place / "cram.json")["root_value"], 1);
}

TEST(SearchRun, TheRequestIsInTheDirectory) {
  const TemporaryDirectory place;
  leave_sealed("cram:4x7", place / "cram.json");
  Request request = request_of_search(place / "cram.json.run");
  EXPECT_EQ(request.about.game, "cram:4x7");
  EXPECT_EQ(request.output.path, place / "cram.json");
  const auto report = compute_root(request);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->value, 3U);
  EXPECT_EQ(report->recalled, report->known) << "all was known";
}

TEST(SearchRun, ADamagedFileIsRefused) {
  const TemporaryDirectory place;
  const fs::path file = place / "cram.json", learnt = place / "cram.json.run" / "learnt";
  leave_sealed("cram:5x5", file);
  const std::string whole = bytes_of(learnt);
  const Request request = search_for("cram:5x5", file);
  const auto code = [&](const std::string& bytes) {
    write_bytes(learnt, bytes);
    return code_of([&] { compute_root(request); });
  };
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 60) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    EXPECT_EQ(code(damaged), ErrorCode::kCorrupt) << "byte " << at;
    EXPECT_EQ(code(whole.substr(0, at)), ErrorCode::kCorrupt) << at << " bytes";
  }
  EXPECT_EQ(code(whole + '\0'), ErrorCode::kCorrupt);
  EXPECT_FALSE(fs::exists(file));
  write_bytes(learnt, whole);
  EXPECT_EQ(compute_root(request)->value, 0U);
}

TEST(SearchRun, AnotherGameIsRefused) {
  const TemporaryDirectory place;
  leave_sealed("cram:4x7", place / "cram.json");
  const auto refused = [&](const Request& request) {
    return code_of([&] { compute_root(request); }) == ErrorCode::kUsage;
  };
  EXPECT_TRUE(refused(search_for("cram:3x7", place / "cram.json")));
  EXPECT_TRUE(refused(search_for("node-kayles:4x7", place / "cram.json")));
  write_bytes(place / "there.json", "");
  EXPECT_TRUE(refused(search_for("cram:4x7", place / "there.json"))) << "the file is there";
  fs::create_directory(place / "heaps.json.run");
  write_bytes(place / "heaps.json.run" / "run.json", "{}");
  EXPECT_TRUE(refused(search_for("cram:4x7", place / "heaps.json")));
  const Request heaps{.game = HeapGame{.rule = HeapRule::parse("0.77"), .last = 1000},
                      .output = {.path = place / "cram.json"}};
  EXPECT_EQ(code_of([&] { compute(heaps); }), ErrorCode::kUsage);
  EXPECT_TRUE(fs::exists(place / "cram.json.run" / "learnt"));
  EXPECT_FALSE(fs::exists(place / "cram.json"));
}

TEST(SearchRun, OneProcessIsAtWork) {
  const TemporaryDirectory place;
  leave_sealed("cram:4x7", place / "cram.json");
  const RunLock lock(place / "cram.json.run", false);
  const Request request = search_for("cram:4x7", place / "cram.json");
  EXPECT_EQ(code_of([&] { compute_root(request); }), ErrorCode::kFailure);
}

TEST(RootFile, IsCheckedByItsDigest) {
  const TemporaryDirectory place;
  const fs::path file = place / "root.json";
  Request request = search_for("cram:4x5", file);
  request.output.reproducible = true;
  ASSERT_EQ(compute_root(request)->value, 2U);
  const std::string text = bytes_of(file);
  EXPECT_TRUE(is_root_file(file));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("seconds")));
  std::string other = text;
  other.replace(other.find("\"root_value\": 2"), 15, "\"root_value\": 3");
  write_bytes(file, other);
  EXPECT_EQ(code_of([&] { read_root_file(file); }), ErrorCode::kCorrupt);
  EXPECT_FALSE(is_root_file(place / "nothing"));
  request.output.overwrite = true;
  EXPECT_EQ(compute_root(request)->value, 2U);
  EXPECT_EQ(bytes_of(file), text);
}

}  // namespace
}  // namespace grundy::testing
