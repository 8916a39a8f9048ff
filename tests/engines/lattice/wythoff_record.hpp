/// @file
/// The record of the periods of rows 0 to 511 of Wythoff's game.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/lattice/row_period.hpp>

#include "support/csv.hpp"

namespace grundy::testing_support {

inline std::vector<RowPeriod> recorded_wythoff_rows() {
  std::ifstream file(std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records" / "wythoff-rows-511" /
                     "periods.csv");
  std::vector<RowPeriod> rows;
  std::string line;
  EXPECT_TRUE(std::getline(file, line));
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = csv_fields(line);
    rows.push_back({.row = static_cast<std::uint32_t>(std::stoul(fields.at(0))),
                    .period = std::stoull(fields.at(1)),
                    .preperiod = std::stoull(fields.at(2)),
                    .saltus = std::stoull(fields.at(3))});
  }
  return rows;
}

}  // namespace grundy::testing_support
