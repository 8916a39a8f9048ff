/// @file
/// The record of the P-positions of four-row Chomp, counted by the way that proves its list.
// SPDX-License-Identifier: MIT
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/csv.hpp"
#include "theory/four_row_chomp.hpp"

namespace grundy {
namespace {

TEST(ChompRecord, TheRecordIsCountedASecondTime) {
  std::ifstream file(std::filesystem::path(GRUNDY_GOLDEN_DIR) / "records" / "chomp-4-2000" /
                     "counts.csv");
  std::string line;
  ASSERT_TRUE(std::getline(file, line));
  std::vector<std::uint64_t> record{1};  // the bar without squares
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = testing_support::csv_fields(line);
    ASSERT_EQ(std::stoul(fields.at(0)), record.size());
    record.push_back(std::stoull(fields.at(1)));
  }
  ASSERT_EQ(record.size(), 2001U);
  std::vector<std::uint64_t> counts(record.size());
  for_each_p_position_of_chomp(2000, [&](const FourRows& rows) {
    ++counts[rows[0]];
    return Flow::kContinue;
  });
  EXPECT_EQ(counts, record);
}

}  // namespace
}  // namespace grundy
