/// @file
/// The rows of tests/golden/state_spaces_lattice.csv, and the kind of test for each row.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/csv.hpp"

namespace grundy::testing_support {

struct GoldenRow {
  std::string game, parameters, position, value;
  std::string line;  ///< for messages
};

inline std::vector<GoldenRow> golden_rows() {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/state_spaces_lattice.csv");
  std::vector<GoldenRow> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const auto field = csv_fields(line);
    rows.push_back({field.at(0), field.at(1), field.at(2), field.at(3), line});
  }
  return rows;
}

/// The number behind `key` in a text of parameters; 0 if it is not there.
inline std::uint32_t number_behind(const std::string& text, std::string_view key) {
  const auto at = text.find(key);
  return at == std::string::npos
             ? 0
             : static_cast<std::uint32_t>(std::stoul(text.substr(at + key.size())));
}

enum class RowKind { kPosition, kTable, kPeriod, kOpening };

/// The kind of a row: the value of a position, a number about a whole table, the period of a row of
/// Wythoff's game, or the winning first bite of Chomp.
inline RowKind kind_of(const GoldenRow& row) {
  for (const char* suffix : {"-digest", "-pe260", "-pcount"}) {
    if (row.game.ends_with(suffix)) return RowKind::kTable;
  }
  if (row.game.starts_with("wythoff-row-")) return RowKind::kPeriod;
  if (row.game == "chomp3-opening") return RowKind::kOpening;
  return RowKind::kPosition;
}

}  // namespace grundy::testing_support
