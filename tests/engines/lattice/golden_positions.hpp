/// @file
/// Golden rows that give the value of one position.
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engines/lattice/golden_rows.hpp"
#include "engines/lattice/lattice_testing.hpp"

namespace grundy::testing_support {

/// The game of a row as this library writes it; empty if it is not known.
inline std::string game_of(const std::string& game, const std::string& parameters, unsigned heaps) {
  const std::uint32_t k = number_behind(parameters, "k=");
  if (game == "wythoff") return "wythoff";
  if (game == "a-wythoff") return fmt::format("a-wythoff({})", number_behind(parameters, "a="));
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
    return fmt::format("cyclic-nimhoff({},{})", heaps, number_behind(parameters, "h="));
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

struct GoldenPosition {
  LatticePoint p{};
  Nimber value = 0;
  std::string line;
};

/// The heaps of a row; a rectangle of chocolate is as many rows as are given.
inline std::vector<std::uint32_t> heaps_of(const GoldenRow& row) {
  std::istringstream numbers(row.position);
  std::vector<std::uint32_t> heaps;
  for (std::uint32_t heap = 0; numbers >> heap;) heaps.push_back(heap);
  if (row.game != "chomp-rect") return heaps;
  if (heaps[0] == 1) return {0, heaps[1]};
  return std::vector<std::uint32_t>(heaps[0], heaps[1]);
}

/// Compares all such rows with tables that are just large enough, for heaps of at least `least` and
/// (if there are two) at most `most`. Returns the number of rows.
inline std::size_t check_positions(std::uint32_t least, std::uint32_t most) {
  std::map<std::string, std::vector<GoldenPosition>> games;
  std::size_t count = 0;
  for (const GoldenRow& row : golden_rows()) {
    if (kind_of(row) != RowKind::kPosition) continue;
    const std::vector<std::uint32_t> heaps = heaps_of(row);
    const std::uint32_t largest = std::ranges::max(heaps);
    if (largest < least || largest > most) continue;
    const std::string game = game_of(row.game == "chomp-rect" ? "chomp-shape" : row.game,
                                     row.parameters, static_cast<unsigned>(heaps.size()));
    EXPECT_FALSE(game.empty()) << row.line;
    GoldenPosition position{{}, static_cast<Nimber>(std::stoul(row.value)), row.line};
    std::ranges::copy(heaps, position.p.begin());
    games[game].push_back(position);
    ++count;
  }
  for (const auto& [game, rows] : games) {
    std::uint32_t size = 1;
    for (const GoldenPosition& row : rows) size = std::max(size, std::ranges::max(row.p) + 1);
    const auto table = cube_of(game, size);
    const unsigned plane = game.starts_with("nim-with-a-pass") ? 1 : 0;
    for (const GoldenPosition& row : rows) EXPECT_EQ(table.at(row.p, plane), row.value) << row.line;
  }
  return count;
}

/// Larger tables are for the slow tests.
inline constexpr std::uint32_t kSmallHeap = 1999;

}  // namespace grundy::testing_support
