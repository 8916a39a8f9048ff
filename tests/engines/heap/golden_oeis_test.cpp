/// @file
/// Every heap game of tests/golden/oeis_heap_games.csv (terms copied from the OEIS), and the games
/// that the OEIS calls shifts of them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include <gtest/gtest.h>

#include "heap_testing.hpp"
#include "support/csv.hpp"

namespace grundy {
namespace {

using testing_support::csv_fields;
using testing_support::values_of;

struct Row {
  std::string a_number, game, definition;
  std::vector<HeapSize> terms;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = [] {
    std::ifstream file(GRUNDY_GOLDEN_DIR "/oeis_heap_games.csv");
    std::vector<Row> out;
    std::string line;
    std::getline(file, line);  // the header
    while (std::getline(file, line)) {
      const auto fields = csv_fields(line);
      Row row{fields.at(0), fields.at(1), fields.at(2), {}};
      std::istringstream terms(fields.at(3));
      for (std::string term; std::getline(terms, term, ',');)
        row.terms.push_back(std::stoull(term));
      out.push_back(std::move(row));
    }
    return out;
  }();
  return all;
}

/// How the rows that are not named by a code are written here; rows of zeros by "... zeros".
const std::map<std::string, std::string, std::less<>> kNotations = {
    {"Grundy's game", "4!.0"},
    {"subtract-a-square", "S{squares}"},
    {"subtract-a-prime", "S{primes}"},
    {"subtract-a-factorial", "S{factorials}"},
    {"subtract-a-Fibonacci", "S{fibonacci}"},
    {"MARK", "n -> n - 1, floor(n/2)"},
};

std::string notation_of(const std::string& game) {
  const auto known = kNotations.find(game.substr(0, game.find(" zeros")));
  return known == kNotations.end() ? game : known->second;
}

/// The heap to which the first listed term belongs.
HeapSize first_heap(const Row& row) {
  static const std::regex pattern("first listed term is heap n=([0-9]+)");
  std::smatch match;
  EXPECT_TRUE(std::regex_search(row.definition, match, pattern)) << row.a_number;
  return std::stoull(match[1]);
}

TEST(GoldenOeis, TheFileIsAllThere) {
  EXPECT_EQ(rows().size(), 57u);
}

TEST(GoldenOeis, ValuesOfEveryGame) {
  for (const Row& row : rows()) {
    if (row.game.ends_with(" zeros")) continue;
    const HeapSize first = first_heap(row);
    const auto values = values_of(notation_of(row.game), first + row.terms.size());
    for (std::size_t i = 0; i < row.terms.size(); ++i) {
      ASSERT_EQ(values[first + i], row.terms[i]) << row.a_number << " at heap " << first + i;
    }
  }
}

TEST(GoldenOeis, ZerosOfGames) {
  int lists = 0;
  for (const Row& row : rows()) {
    if (!row.game.ends_with(" zeros")) continue;
    ++lists;
    const auto values = values_of(notation_of(row.game), row.terms.back() + 1);
    std::vector<HeapSize> zeros;
    for (HeapSize n = 0; n < values.size(); ++n) {
      if (values[n] == 0) zeros.push_back(n);
    }
    EXPECT_EQ(zeros, row.terms) << row.a_number;
  }
  EXPECT_EQ(lists, 2);
}

// The shift rule (Winning Ways, ch. 4: "first cousins"): where single tokens cannot be taken, the
// game is another one with heaps of other sizes. Definitions say e.g. ".11337 (.04 a(n-3), ...)".
TEST(GoldenOeis, ShiftedGames) {
  static const std::regex pattern("(\\.[0-7]+) (?:Dawson's Kayles = )?a\\(n-([0-9])\\)");
  int games = 0;
  for (const Row& row : rows()) {
    const std::sregex_iterator end;
    for (std::sregex_iterator at(row.definition.begin(), row.definition.end(), pattern); at != end;
         ++at) {
      ++games;
      const std::string cousin = (*at)[1];
      const HeapSize shift = std::stoull((*at)[2]);
      constexpr HeapSize kCount = 2000;
      const auto values = values_of(row.game, kCount);
      const auto shifted = values_of(cousin, kCount + shift);
      for (HeapSize n = 0; n < shift; ++n) EXPECT_EQ(shifted[n], 0u) << cousin << " at heap " << n;
      EXPECT_TRUE(std::equal(values.begin(), values.end(), shifted.begin() + shift))
          << cousin << " is not " << row.game << " shifted by " << shift;
    }
  }
  EXPECT_EQ(games, 25);
}

}  // namespace
}  // namespace grundy
