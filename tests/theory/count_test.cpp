// Counts of sums by value, against enumeration and against the literature.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <grundy/count.hpp>
#include <grundy/error.hpp>
#include <grundy/types.hpp>

#include "theory/analysis_testing.hpp"

namespace grundy {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{1} << 30;

std::vector<std::uint64_t> histogram(std::span<const Nimber> values) {
  std::vector<std::uint64_t> counts;
  for (const Nimber v : values) {
    if (v >= counts.size()) counts.resize(v + 1);
    ++counts[v];
  }
  return counts;
}

/// All tuples of heaps, one after the other; those in ascending order are the multisets.
SumCounts enumerate(const std::vector<Nimber>& values, unsigned heaps, std::size_t size) {
  std::vector<std::uint64_t> ordered(size), unordered(size);
  std::vector<std::size_t> tuple(heaps, 0);
  std::uint64_t all = 0, all_unordered = 0;
  for (;;) {
    Nimber sum = 0;
    for (const std::size_t i : tuple) sum ^= values[i];
    ++ordered[sum];
    ++all;
    if (std::ranges::is_sorted(tuple)) {
      ++unordered[sum];
      ++all_unordered;
    }
    std::size_t at = 0;
    while (at < heaps && ++tuple[at] == values.size()) tuple[at++] = 0;
    if (at == heaps) break;
  }
  SumCounts counts;
  for (const auto n : ordered) counts.ordered.push_back(std::to_string(n));
  for (const auto n : unordered) counts.unordered.push_back(std::to_string(n));
  counts.all_ordered = std::to_string(all);
  counts.all_unordered = std::to_string(all_unordered);
  return counts;
}

TEST(CountSums, AgreesWithEnumeration) {
  const std::vector<std::vector<Nimber>> tables = {
      {0}, {5}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 1, 4, 3, 2}, {2, 2, 2, 7, 7}, {0, 0, 0, 0}};
  for (const auto& values : tables) {
    const auto counted = histogram(values);
    for (unsigned heaps = 1; heaps <= 5; ++heaps) {
      const HeapChoice choice{counted, heaps};
      const SumCounts found = count_sums({&choice, 1}, kMemory);
      const SumCounts expected = enumerate(values, heaps, found.ordered.size());
      EXPECT_EQ(found.ordered, expected.ordered);
      EXPECT_EQ(found.unordered, expected.unordered);
      EXPECT_EQ(found.all_ordered, expected.all_ordered);
      EXPECT_EQ(found.all_unordered, expected.all_unordered);
    }
  }
}

TEST(CountSums, OfSeveralGamesMultiply) {
  const std::vector<Nimber> a{0, 1, 2, 1}, b{0, 3, 5};
  const auto of_a = histogram(a), of_b = histogram(b);
  const HeapChoice choices[] = {{of_a, 2}, {of_b, 1}};
  const SumCounts found = count_sums(choices, kMemory);
  std::vector<std::uint64_t> ordered(8), unordered(8);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      for (const Nimber c : b) {
        ++ordered[a[i] ^ a[j] ^ c];
        if (i <= j) ++unordered[a[i] ^ a[j] ^ c];
      }
    }
  }
  for (std::size_t v = 0; v < 8; ++v) {
    EXPECT_EQ(found.ordered[v], std::to_string(ordered[v])) << v;
    EXPECT_EQ(found.unordered[v], std::to_string(unordered[v])) << v;
  }
}

TEST(CountSums, NimOfAPowerOfTwoIsUniform) {
  // The values 0 .. 2^b - 1 form a group, so every value has 2^(b (K-1)) ordered sums.
  const std::vector<std::uint64_t> nim(1024, 1);
  const HeapChoice choice{nim, 64};
  const SumCounts found = count_sums({&choice, 1}, kMemory);
  ASSERT_EQ(found.ordered.size(), 1024u);
  EXPECT_EQ(found.ordered[0].size(), 190u);  // 2^630
  EXPECT_EQ(std::set(found.ordered.begin(), found.ordered.end()).size(), 1u);
  EXPECT_EQ(found.all_ordered.size(), 193u);  // 2^640
}

TEST(CountSums, HugeNumbersOfHeapsAreExact) {
  // n heaps of value 0 and n of value 1: half of the pairs cancel.
  const std::vector<std::uint64_t> two{std::uint64_t{1} << 63, std::uint64_t{1} << 63};
  const HeapChoice choice{two, 2};
  const SumCounts found = count_sums({&choice, 1}, kMemory);
  EXPECT_EQ(found.ordered[0], "170141183460469231731687303715884105728");  // 2^127
  EXPECT_EQ(found.ordered[1], found.ordered[0]);
  // 2 * C(n+1, 2) and n^2 for n = 2^63
  EXPECT_EQ(found.unordered[0], "85070591730234615875067023894796828672");
  EXPECT_EQ(found.unordered[1], "85070591730234615865843651857942052864");
}

TEST(CountSums, RefusesWhatCannotBe) {
  const std::vector<std::uint64_t> nim(16, 1);
  const HeapChoice many{nim, 65};
  EXPECT_THROW(count_sums({&many, 1}, kMemory), Error);
  const HeapChoice none{{}, 1};
  EXPECT_THROW(count_sums({&none, 1}, kMemory), Error);
  const HeapChoice choice{nim, 64};
  EXPECT_THROW(count_sums({&choice, 1}, 1000), Error);
}

/// A row of sum_counts.csv.
struct Row {
  std::string kind, parameters, position, count;
};

std::vector<Row> golden_rows() {
  std::ifstream in(GRUNDY_GOLDEN_DIR "/sum_counts.csv");
  std::vector<Row> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    Row row;
    for (std::string* field : {&row.kind, &row.parameters, &row.position, &row.count}) {
      std::getline(fields, *field, ',');
    }
    rows.push_back(row);
  }
  return rows;
}

std::uint64_t number_after(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) throw std::runtime_error(words + " is missing in " + text);
  return std::stoull(text.substr(at + words.size()));
}

TEST(CountSums, Golden) {
  const std::map<std::string, std::string> notations{
      {"nim", "0.[3]"}, {"kayles", "0.77"}, {"subtract-a-square", "S{squares}"}};
  int checked = 0;
  for (const Row& row : golden_rows()) {
    SCOPED_TRACE(row.kind + ' ' + row.parameters + ' ' + row.position);
    const bool bouton = row.parameters == "nim 3 nonzero heaps <= n";
    const std::uint64_t last =
        bouton ? std::stoull(row.position) : number_after(row.parameters, "heaps 0..");
    const auto heaps = static_cast<unsigned>(bouton ? 3 : number_after(row.parameters, "k="));
    const std::string game = row.parameters.substr(0, row.parameters.find(' '));
    const auto values = testing_support::values_of(notations.at(game), last + 1);
    const auto counted = histogram(std::span(values).subspan(bouton ? 1 : 0));
    const HeapChoice choice{counted, heaps};
    const SumCounts found = count_sums({&choice, 1}, kMemory);
    const bool ordered = row.kind == "p-count-ordered";
    EXPECT_EQ((ordered ? found.ordered : found.unordered)[0], row.count);
    ++checked;
  }
  EXPECT_EQ(checked, 28);
}

}  // namespace
}  // namespace grundy
