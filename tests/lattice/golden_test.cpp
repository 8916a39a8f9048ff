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
    if (field[0] == "chomp-rect" && sizes[0] >= 2 && sizes[0] <= 6) {
      sizes = std::vector<std::uint32_t>(sizes[0], sizes[1]);  // rows x columns
    } else if (field[0] == "chomp-rect") {
      continue;
    }
    const auto heaps = static_cast<unsigned>(sizes.size());
    if (heaps < 2 || heaps > 6) continue;
    const std::string game =
        game_of(field[0] == "chomp-rect" ? "chomp-shape" : field[0], field[1], heaps);
    if (game.empty()) continue;
    Row row{{}, static_cast<Nimber>(std::stoul(field.at(3))), line};
    for (unsigned i = 0; i < heaps; ++i) row.p[i] = sizes[i];
    // Tables stay small.
    if (std::ranges::max(row.p) > (heaps == 2 ? 2047u : 60u)) continue;
    // A table of six rows of chocolate stays small.
    if (game.starts_with("chomp") && heaps > 4 && std::ranges::max(sizes) > 12) continue;
    games[game].push_back(row);
    ++count;
  }
  EXPECT_GE(count, 330u);
  for (const auto& [game, rows] : games) {
    std::uint32_t size = 1;
    for (const Row& row : rows) size = std::max(size, std::ranges::max(row.p) + 1);
    const auto table = cube_of(game, size);
    const unsigned plane = game.starts_with("nim-with-a-pass") ? 1 : 0;
    for (const Row& row : rows) EXPECT_EQ(table.at(row.p, plane), row.value) << row.line;
  }
}

std::uint64_t sum_of(const std::vector<Nimber>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

/// Sum of the full square or cube from a table of sorted positions.
std::uint64_t sum_of_cube(unsigned heaps, const std::vector<Nimber>& ranked) {
  std::uint64_t sum = 0;
  for (std::uint64_t rank = 0; rank < ranked.size(); ++rank) {
    const Point p = position_of(heaps, rank);
    std::uint64_t permutations = 1;
    unsigned equal = 1;
    for (unsigned i = 1; i < heaps; ++i) {
      equal = p[i] == p[i - 1] ? equal + 1 : 1;
      permutations = permutations * (i + 1) / equal;
    }
    sum += permutations * ranked[rank];
  }
  return sum;
}

TEST(LatticeGolden, SumsOfWholeTables) {
  const auto wythoff = cube_of("wythoff", 256).values();
  EXPECT_EQ(std::ranges::max(wythoff), 391u);
  const auto any = cube_of("wythoff-any", 64).values();
  EXPECT_EQ(sum_of_cube(3, any), 11660735u);
  EXPECT_EQ(std::ranges::count(any, 0u), 505);
  EXPECT_EQ(sum_of_cube(3, cube_of("wythoff-pairs", 64).values()), 11291589u);
  EXPECT_EQ(sum_of_cube(3, cube_of("wythoff-all", 64).values()), 8257536u);
  EXPECT_EQ(sum_of_cube(4, cube_of("moore(4,2)", 8).values()), 47902u);
  EXPECT_EQ(sum_of_cube(4, cube_of("moore(4,2)", 16).values()), 1768640u);
}

TEST(LatticeGolden, ThreeRowChomp) {
  const auto chomp = cube_of("chomp(3)", 61).values();
  EXPECT_EQ(chomp.size() - 1, 39710u);
  EXPECT_EQ(sum_of(chomp), 1723392u);
  EXPECT_EQ(std::ranges::max(chomp), 129u);
  EXPECT_EQ(std::ranges::count(chomp, 0u) - 1, 683);  // the empty bar does not occur
}

TEST(LatticeGolden, FourRowChomp) {
  const auto chomp = cube_of("chomp(4)", 21).values();
  EXPECT_EQ(std::ranges::count(chomp, 0u) - 1, 432);
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
