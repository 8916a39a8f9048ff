/// @file
/// Shared helpers of the tests of position graphs.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/machine.hpp>

#include "kernels/kernels.hpp"
#include "support/csv.hpp"

namespace grundy::testing_support {

inline std::shared_ptr<const GraphGame> graph_game(const std::string& text,
                                                   Reduction reduction = Reduction::kComponents) {
  return std::get<std::shared_ptr<const GraphGame>>(
      resolve_game(text, GameKind::kGraph, reduction).rule);
}

inline GraphTable table_of(const GraphGame& game, std::string_view engine = "auto",
                           std::size_t threads = 1, bool misere = false) {
  const auto executor = make_executor(threads, "threads");
  auto table = select_graph_engine(engine, game)
                   .run({.game = game,
                         .kernels = select_kernels("auto"),
                         .executor = *executor,
                         .misere = misere});
  EXPECT_TRUE(table.has_value());
  return std::move(*table);
}

inline GraphTable table_of(const std::string& text, std::string_view engine = "auto") {
  return table_of(*graph_game(text), engine);
}

/// The value of the start position, by search.
inline Nimber root_of(const std::string& text) {
  const auto game = graph_game(text);
  std::vector<std::uint64_t> keys;
  game->start(keys);
  return GraphSearch(*game).value(keys).value();
}

/// The value of a position of a table, typed.
inline Nimber value_at(const GraphGame& game, const GraphTable& table, std::string_view position,
                       bool misere = false) {
  std::vector<std::uint64_t> keys;
  game.parse(position, keys);
  Nimber sum = 0;
  for (std::size_t i = 0; i < keys.size(); i += table.key_words) {
    const auto key = std::span(keys).subspan(i, table.key_words);
    std::uint32_t potential = 0;
    game.potentials(key, {&potential, 1});
    const auto row = table.find(key, potential);
    EXPECT_TRUE(row.has_value()) << position;
    if (row) sum ^= (misere ? table.misere : table.values)[*row];
  }
  return sum;
}

/// One row of a golden file.
struct GoldenRow {
  std::string parameters, position;
  std::string value;
  std::string confirmed;
};

/// Cells of a board of the size "3 5".
inline unsigned cells(const std::string& size) {
  unsigned rows = 0, columns = 0;
  EXPECT_EQ(std::sscanf(size.c_str(), "%u %u", &rows, &columns), 2);
  return rows * columns;
}

/// The rows of one game.
inline std::vector<GoldenRow> golden_rows(const std::string& game,
                                          const char* file = "state_spaces_graph.csv") {
  std::ifstream in(std::string(GRUNDY_GOLDEN_DIR "/") + file);
  EXPECT_TRUE(in) << file;
  std::vector<GoldenRow> rows;
  for (std::string line; std::getline(in, line);) {
    const auto fields = csv_fields(line);
    if (fields[0] == game && fields.size() == 6) {
      rows.push_back({fields[1], fields[2], fields[3], fields[5]});
    }
  }
  EXPECT_FALSE(rows.empty()) << game;
  return rows;
}

/// "3 5" as two numbers joined by `between`.
inline std::string joined(const std::string& position, char between) {
  std::string text = position;
  for (char& c : text) c = c == ' ' ? between : c;
  return text;
}

}  // namespace grundy::testing_support
