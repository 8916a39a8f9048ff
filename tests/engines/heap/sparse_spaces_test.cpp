/// @file
/// The sparse spaces of octal games among heaps 1 to 131072: mask, rare heaps, the last of them.
/// Rows with many rare heaps are slow.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engines/heap/dense/engine.hpp"
#include "engines/heap/sparse/engine.hpp"
#include "engines/heap/sparse/split.hpp"
#include "heap_testing.hpp"

namespace grundy::sparse {
namespace {

constexpr HeapSize kFewRare = 400;

struct Row {
  std::string code;
  Nimber mask = 0;
  bool parity = false;
  HeapSize rare = 0;
  HeapSize last = 0;
};

/// The rows of more than kFewRare rare heaps, or the others.
std::vector<Row> space_rows(bool have_many) {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/octal_sparse_spaces.csv");
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    Row row;
    fields >> row.code >> std::hex >> row.mask >> std::dec >> row.parity >> row.rare >> row.last;
    EXPECT_TRUE(fields) << line;
    if ((row.rare > kFewRare) == have_many) rows.push_back(row);
  }
  return rows;
}

class SparseSpaces : public testing::TestWithParam<Row> {};

std::string name_of_space(const testing::TestParamInfo<Row>& test) {
  std::string name = test.param.code;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Games, SparseSpaces, testing::ValuesIn(space_rows(false)), name_of_space);
INSTANTIATE_TEST_SUITE_P(Long, SparseSpaces, testing::ValuesIn(space_rows(true)), name_of_space);

TEST_P(SparseSpaces, MaskAndRareHeapsTo131072) {
  const Row& row = GetParam();
  const HeapRule rule = HeapRule::parse(row.code);
  const DenseEngine dense;
  const SparseEngine sparse;
  const bool few = row.rare <= kFewRare;
  const auto values = testing_support::values_by(
      few ? static_cast<const HeapEngine&>(sparse) : dense, rule, 131073);
  const SplitChoice choice =
      choose_split(splitting_moves(rule).value(), std::span<const Nimber>(values));
  EXPECT_EQ(choice.split.mask, row.mask);
  EXPECT_EQ(choice.split.parity, row.parity);
  EXPECT_EQ(choice.rare, row.rare);
  HeapSize last = 131072;
  while (choice.split.is_common(values[last], last)) --last;
  EXPECT_EQ(last, row.last);
}

}  // namespace
}  // namespace grundy::sparse
