/// @file
/// P-positions of four-row Chomp, compared with the definition.
// SPDX-License-Identifier: MIT
#include "theory/four_row_chomp.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace grundy {
namespace {

/// All P-positions with rows up to `longest`, by the moves: a square is taken with all squares
/// below it and to the right of it, and not the poison, the first one.
std::vector<FourRows> by_definition(std::uint32_t longest) {
  std::set<FourRows> lost;
  const auto wins = [&lost](const FourRows& rows) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::uint32_t left = i == 0 ? 1 : 0; left < rows[i]; ++left) {
        FourRows option = rows;
        for (std::size_t j = i; j < 4; ++j) option[j] = std::min(option[j], left);
        if (lost.contains(option)) return true;
      }
    }
    return false;
  };
  FourRows r{};
  for (r[0] = 0; r[0] <= longest; ++r[0]) {
    for (r[1] = 0; r[1] <= r[0]; ++r[1]) {
      for (r[2] = 0; r[2] <= r[1]; ++r[2]) {
        for (r[3] = 0; r[3] <= r[2]; ++r[3]) {
          if (!wins(r)) lost.insert(r);
        }
      }
    }
  }
  return {lost.begin(), lost.end()};
}

TEST(FourRowChomp, AgreesWithTheDefinition) {
  const std::vector<FourRows> expected = by_definition(26);
  for (const std::uint32_t longest : {0U, 1U, 2U, 7U, 26U}) {
    std::vector<FourRows> found;
    for_each_p_position_of_chomp(longest, [&](const FourRows& rows) {
      found.push_back(rows);
      return Flow::kContinue;
    });
    const auto end = std::ranges::find_if(
        expected, [longest](const FourRows& rows) { return rows[0] > longest; });
    EXPECT_EQ(found, std::vector<FourRows>(expected.begin(), end)) << longest;
  }
}

TEST(FourRowChomp, EndsWhereItIsToldTo) {
  int visits = 0;
  for_each_p_position_of_chomp(
      100, [&visits](const FourRows&) { return ++visits == 5 ? Flow::kStop : Flow::kContinue; });
  EXPECT_EQ(visits, 5);
}

}  // namespace
}  // namespace grundy
