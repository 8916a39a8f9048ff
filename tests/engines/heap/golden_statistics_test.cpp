/// @file
/// Large facts about single games: maxima, zeros and counts that were published or found by
/// independent programs (tests/golden/README.md).
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "heap_testing.hpp"

namespace grundy {
namespace {

using testing_support::values_of;

std::vector<HeapSize> zeros_of(const std::vector<Nimber>& values) {
  std::vector<HeapSize> zeros;
  for (HeapSize n = 0; n < values.size(); ++n) {
    if (values[n] == 0) zeros.push_back(n);
  }
  return zeros;
}

class OctalStatistics : public testing::TestWithParam<std::string> {};

std::vector<std::string> statistics_lines() {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/octal_statistics.csv");
  std::vector<std::string> lines;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) lines.push_back(line);
  return lines;
}

INSTANTIATE_TEST_SUITE_P(Games, OctalStatistics, testing::ValuesIn(statistics_lines()),
                         [](const auto& row) {
                           std::string code = row.param.substr(0, row.param.find(','));
                           std::replace(code.begin(), code.end(), '.', '_');
                           return code;
                         });

TEST_P(OctalStatistics, MaximumAndZerosTo131072) {
  std::istringstream line(GetParam());
  std::string code;
  std::getline(line, code, ',');
  HeapSize max_value = 0, argmax = 0, zeros = 0, last_zero = 0;
  char comma = 0;
  line >> max_value >> comma >> argmax >> comma >> zeros >> comma >> last_zero;
  ASSERT_TRUE(line) << GetParam();
  const auto values = values_of(code, 131073);
  const auto top = std::max_element(values.begin(), values.end());
  EXPECT_EQ(*top, max_value);
  EXPECT_EQ(static_cast<HeapSize>(top - values.begin()), argmax);
  EXPECT_EQ(zeros_of(values).size(), zeros);
  EXPECT_EQ(zeros_of(values).back(), last_zero);
}

// Recomputed to 2^20 by an independent program; the zeros are OEIS A036685, conjectured complete.
TEST(LargeFacts, GrundysGameTo2To20) {
  const auto values = values_of("4!.0", (1 << 20) + 1);
  const auto top = std::max_element(values.begin(), values.end());
  EXPECT_EQ(*top, 231u);
  EXPECT_EQ(top - values.begin(), 763622);
  EXPECT_EQ(values[82860], 108u);
  EXPECT_EQ(zeros_of(values).size(), 42u);
  EXPECT_EQ(zeros_of(values).back(), 1222u);
}

// Winning Ways, ch. 4; the values are OEIS A046695.
TEST(LargeFacts, ZerosOfOfficers) {
  EXPECT_EQ(zeros_of(values_of("0.6", 20000)),
            (std::vector<HeapSize>{0, 1, 4, 12, 20, 30, 46, 72, 98, 124, 150, 176, 314, 408}));
}

// D. Eppstein, "Faster evaluation of subtraction games" (FUN 2018), and the notes that led to it.
TEST(LargeFacts, ZerosOfSubtractASquare) {
  const auto zeros = zeros_of(values_of("S{squares}", 3276893));
  const std::pair<std::size_t, HeapSize> counts[] = {
      {22, 109},      {39, 204},       {66, 425},        {99, 827},
      {158, 1625},    {255, 3209},     {419, 6414},      {682, 12812},
      {1087, 25647},  {1752, 51202},   {2821, 102517},   {4497, 204817},
      {7436, 409687}, {12068, 819267}, {19659, 1638632}, {31742, 3276892}};
  for (const auto& [count, last] : counts) {
    EXPECT_EQ(std::upper_bound(zeros.begin(), zeros.end(), last) - zeros.begin(), count) << last;
  }
}

TEST(LargeFacts, ValuesOfSubtractASquareTo10To6) {
  const auto values = values_of("S{squares}", 1000001);
  EXPECT_EQ(std::count(values.begin(), values.end(), 0u), 13952);
  EXPECT_EQ(std::count(values.begin(), values.end(), 1u), 13952);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 168u);
  const HeapSize first[] = {25, 28, 29, 75, 103, 200, 234, 315};  // of the values 3, 4, ..
  for (Nimber value = 3; value <= 10; ++value) {
    EXPECT_EQ(std::find(values.begin(), values.end(), value) - values.begin(), first[value - 3]);
  }
}

TEST(LargeFacts, CountsOfSubtractAPrimeTo10To5) {
  const auto values = values_of("S{primes}", 100001);
  const std::ptrdiff_t counts[] = {15066, 15066, 10389, 4223, 22184, 22180,
                                   4964,  3236,  1883,  320,  104,   386};
  for (Nimber value = 0; value < std::size(counts); ++value) {
    EXPECT_EQ(std::count(values.begin(), values.end(), value), counts[value]) << value;
  }
}

// OEIS A014587.
TEST(LargeFacts, SubtractAFactorialReachesFourAt5050) {
  const auto values = values_of("S{factorials}", 5051);
  EXPECT_EQ(std::find(values.begin(), values.end(), 4u) - values.begin(), 5050);
}

}  // namespace
}  // namespace grundy
