/// @file
/// Every single position of tests/golden/state_spaces_lattice.csv, and sums of whole tables.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <grundy/lattice/rank.hpp>

#include "lattice/lattice_testing.hpp"
#include "lattice/sha256.hpp"

namespace grundy {
namespace {

using testing_support::cube_of;

/// Fields of a line; a field may stand in double quotes.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

/// The number behind `key=` in a text of parameters.
unsigned number_after(const std::string& text, const std::string& key) {
  const auto at = text.find(key + "=");
  return at == std::string::npos
             ? 0
             : static_cast<unsigned>(std::stoul(text.substr(at + key.size() + 1)));
}

/// The game of a row as this library writes it; empty if the row is not about one position.
std::string game_of(const std::string& game, const std::string& parameters, unsigned heaps) {
  const unsigned k = number_after(parameters, "k");
  if (game == "wythoff") return "wythoff";
  if (game == "a-wythoff") return fmt::format("a-wythoff({})", number_after(parameters, "a"));
  if (game == "wythoff3-any") return "wythoff-any(3)";
  if (game == "wythoff3-pairs") return "wythoff-pairs(3)";
  if (game == "wythoff3-all") return "wythoff-all(3)";
  if (game == "wythoff3-fraenkel") return "wythoff-balanced(3)";
  if (game == "moore-nim") return fmt::format("moore({},{})", heaps, k);
  if (game == "exact-nim") return fmt::format("exact-nim({},{})", heaps, k);
  if (game == "exact-slow-nim") return fmt::format("exact-slow-nim({},{})", heaps, k);
  if (game == "hypergraph-nim") return "cycle-nim(4)";
  if (game == "nim-with-pass") return fmt::format("nim-with-a-pass({})", heaps);
  if (game == "cyclic-nimhoff") {
    return fmt::format("cyclic-nimhoff({},{})", heaps, number_after(parameters, "h"));
  }
  if (game == "euclid-grossman") return "euclid";
  if (game == "euclid-cole-davie") return "euclid-to-zero";
  if (game == "end-nim") return fmt::format("end-nim({})", heaps);
  if (game == "chomp-shape") return fmt::format("chomp({})", heaps);
  if (game == "nimhof") {  // rules=1:0/1:1 are the rays (1,0) and (1,1)
    std::string rule = "2:";
    std::istringstream rays(parameters.substr(parameters.find('=') + 1));
    for (std::string ray; std::getline(rays, ray, '/');) {
      std::ranges::replace(ray, ':', ',');
      rule += fmt::format("{} ({})*", rule.size() > 2 ? " +" : "", ray);
    }
    return rule;
  }
  return {};
}

struct Row {
  Point p;
  Nimber value;
  std::string line;
};

TEST(LatticeGolden, EveryPosition) {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/state_spaces_lattice.csv");
  std::map<std::string, std::vector<Row>> games;
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const auto field = fields(line);
    std::istringstream numbers(field.at(2));
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t size = 0; numbers >> size;) sizes.push_back(size);
    if (field[0] == "chomp-rect") {
      sizes = sizes[0] == 1 ? std::vector<std::uint32_t>{0, sizes[1]}
                            : std::vector<std::uint32_t>(sizes[0], sizes[1]);  // rows x columns
    }
    const auto heaps = static_cast<unsigned>(sizes.size());
    if (heaps < 2 || heaps > 6) continue;
    const std::string game =
        game_of(field[0] == "chomp-rect" ? "chomp-shape" : field[0], field[1], heaps);
    if (game.empty()) continue;
    Row row{{}, static_cast<Nimber>(std::stoul(field.at(3))), line};
    for (unsigned i = 0; i < heaps; ++i) row.p[i] = sizes[i];
    // Tables stay small; large_test.cpp has the others.
    if (std::ranges::max(row.p) > (heaps == 2 ? 2047u : 127u)) continue;
    // A table of six rows of chocolate stays small.
    if (game.starts_with("chomp") && heaps > 4 && std::ranges::max(sizes) > 12) continue;
    games[game].push_back(row);
    ++count;
  }
  EXPECT_GE(count, 350u);
  for (const auto& [game, rows] : games) {
    std::uint32_t size = 1;
    for (const Row& row : rows) size = std::max(size, std::ranges::max(row.p) + 1);
    const auto table = cube_of(game, size);
    const unsigned plane = game.starts_with("nim-with-a-pass") ? 1 : 0;
    for (const Row& row : rows) EXPECT_EQ(table.at(row.p, plane), row.value) << row.line;
  }
}

template <class Values>
std::uint64_t sum_of(const Values& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

struct WholeTable {
  std::string_view game;
  std::uint32_t size;
  std::uint64_t sum;
  std::string_view sha256;  ///< of the full cube, row-major, 16-bit little-endian
};

/// Rows `*-digest` of the golden data.
TEST(LatticeGolden, WholeTables) {
  const auto executor = make_executor(2);
  for (const auto& [game, size, sum, sha256] :
       {WholeTable{"wythoff", 64, 160262,
                   "c581d0facc2e351b4357ea0edfe4be5402152b8b58361d3c38182e9b73d42526"},
        WholeTable{"wythoff", 1024, 669469906,
                   "09e245aab74aed5f75f24b583f64d4da7281104b70da78d201e8de04a45e9498"},
        WholeTable{"wythoff-any", 64, 11660735,
                   "d07dd7b77231d24e54d2ef12730d953261c674cef89fb1d66a8b21281e8bea64"},
        WholeTable{"wythoff-any", 128, 184538787,
                   "68e4c417e9b0f505c773c63422e795c782f01271850cc1c2fb4c25deb6062af0"},
        WholeTable{"wythoff-pairs", 64, 11291589,
                   "a31604baec31f78780d75c83a104d32ef175cec74f4ddfef46f157bc347621b9"},
        WholeTable{"wythoff-pairs", 128, 178681047,
                   "eed172e7c7f9e942a34544b2c23dc7ef45497c80ddbbd62d550f00dca4cda8e2"},
        WholeTable{"wythoff-all", 64, 8257536,
                   "180011d4ab89fae96bd24cd500eba023e1f65afee6d3daede8bab60e0c8ad270"}}) {
    const auto table = testing_support::full_cube(game, size, *executor);
    EXPECT_EQ(sum_of(table), sum) << game << ' ' << size;
    EXPECT_EQ(testing_support::sha256_of(table), sha256) << game << ' ' << size;
  }
  EXPECT_EQ(sum_of(testing_support::full_cube("moore(4,2)", 8, *executor)), 47902u);
  EXPECT_EQ(sum_of(testing_support::full_cube("moore(4,2)", 16, *executor)), 1768640u);
}

TEST(LatticeGolden, ThreeRowChomp) {
  const auto chomp = cube_of("chomp(3)", 61).values();
  EXPECT_EQ(chomp.size() - 1, 39710u);
  EXPECT_EQ(sum_of(chomp), 1723392u);
  EXPECT_EQ(std::ranges::max(chomp), 129u);
  EXPECT_EQ(std::ranges::count(chomp, 0u) - 1, 683);  // the empty bar does not occur
  // By ranks, the longest row changes slowest, as in the golden file, which has no empty bar.
  EXPECT_EQ(testing_support::sha256_of(std::vector<std::uint16_t>(chomp.begin() + 1, chomp.end())),
            "85ee95dcc455eef5f9fbe0104c3b336d2f51b387cef885db65923aec0739b7c1");
}

TEST(LatticeGolden, FourRowChomp) {
  const auto chomp = cube_of("chomp(4)", 21).values();
  EXPECT_EQ(std::ranges::count(chomp, 0u) - 1, 432);
}

/// OEIS A395126 and the numbers for shorter rows.
TEST(LatticeGolden, FourRowChompOutcomes) {
  const auto executor = make_executor(2);
  const LatticeRule rule = resolve_lattice_game("chomp(4)").rule;
  const auto outcomes =
      testing_support::outcomes_of(rule, LatticeShape::cube(4, 101, true), *executor).values();
  const auto zeros = [&](std::uint32_t longest) {
    return std::count(outcomes.begin() + 1,
                      outcomes.begin() + static_cast<std::ptrdiff_t>(sorted_count(4, longest + 1)),
                      0u);
  };
  EXPECT_EQ(zeros(12), 107);
  EXPECT_EQ(zeros(50), 4978);
  EXPECT_EQ(zeros(100), 34510);
}

TEST(LatticeGolden, ProjectEuler260) {
  const auto any = cube_of("wythoff-any", 101).values();
  std::uint64_t sum = 0;
  for (std::uint64_t rank = 0; rank < any.size(); ++rank) {
    if (any[rank] > 0) continue;
    const Point p = position_of(3, rank);
    sum += p[0] + p[1] + p[2];
  }
  EXPECT_EQ(sum, 173895u);
}

}  // namespace
}  // namespace grundy
