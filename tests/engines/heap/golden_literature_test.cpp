/// @file
/// Places where printed tables or comments are wrong or easily misread, and single large facts.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "heap_testing.hpp"

namespace grundy {
namespace {

using testing_support::values_of;

/// The first heap at which two games differ, among heaps below `count`.
std::optional<HeapSize> first_difference(std::string_view a, std::string_view b, HeapSize count) {
  const auto x = values_of(a, count);
  const auto y = values_of(b, count);
  const auto at = std::mismatch(x.begin(), x.end(), y.begin()).first;
  if (at == x.end()) return std::nullopt;
  return static_cast<HeapSize>(at - x.begin());
}

// Flammenkamp's table of octal games merges the two.
TEST(LiteratureStatus, Game161IsNot36) {
  EXPECT_EQ(first_difference("0.161", "0.36", 1000), 519u);
  EXPECT_EQ(values_of("0.161", 520)[519], 2u);
  EXPECT_EQ(values_of("0.36", 520)[519], 4u);
}

// The locator of Winning Ways, ch. 4, sends 0.27 to 0.06.
TEST(LiteratureStatus, Game27Is26) {
  EXPECT_EQ(first_difference("0.27", "0.26", 5000), std::nullopt);
  EXPECT_NE(first_difference("0.27", "0.06", 5000), std::nullopt);
}

// The same locator sends 0.314 to 0.31.
TEST(LiteratureStatus, Game314IsNot31) {
  EXPECT_EQ(first_difference("0.314", "0.31", 100), 5u);
}

// Winning Ways, p. 93: heaps of 0.17 are those of Dawson's Kayles, odd ones xor 1. OEIS A071431
// lists where that fails.
TEST(LiteratureStatus, Game17IsDawsonsKaylesXorParityOnlyUpTo48) {
  const auto game = values_of("0.17", 70);
  const auto dawson = values_of("0.07", 70);
  std::vector<HeapSize> failures;
  for (HeapSize n = 0; n < game.size(); ++n) {
    if (game[n] != (dawson[n] ^ (n % 2))) failures.push_back(n);
  }
  EXPECT_EQ(failures, (std::vector<HeapSize>{49, 51, 69}));
}

// A comment at OEIS A071513 takes 0.37371 for 0.3737.
TEST(LiteratureStatus, Game37371IsNot3737) {
  EXPECT_EQ(first_difference("0.37371", "0.3737", 100), 5u);
  EXPECT_EQ(values_of("0.37371", 6)[5], 5u);
  EXPECT_EQ(values_of("0.3737", 6)[5], 0u);
}

// Codes 0.414W have the values of 0.1707, one heap later, for W = 0 and 2 only: with a 1 in W a
// heap of 4 tokens may be taken whole. OEIS A071506 corrects Winning Ways there.
TEST(LiteratureStatus, Game1707Is414WithoutWholeHeapsOfFour) {
  const auto shifted = values_of("0.1707", 5000);
  for (const char* same : {"0.414", "0.4142"}) {
    const auto values = values_of(same, 5001);
    EXPECT_EQ(std::vector<Nimber>(values.begin() + 1, values.end()), shifted) << same;
  }
  for (const char* other : {"0.4141", "0.4143"}) {
    EXPECT_EQ(first_difference("0.414", other, 100), 4u) << other;
  }
}

}  // namespace
}  // namespace grundy
