/// @file
/// Shared helpers of the tests of the sparse-space engine.
// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>

#include "engines/heap/heap_testing.hpp"
#include "engines/heap/reference_engine.hpp"
#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/split.hpp"
#include "engines/heap/sparse/table.hpp"
#include "kernels/kernels.hpp"

namespace grundy::testing_support {

inline void expect_equal_to_reference(const HeapEngine& engine, const std::string& notation,
                                      HeapSize count) {
  const HeapRule rule = HeapRule::parse(notation);
  const auto expected = values_by(ReferenceEngine(), rule, count);
  const auto values = values_by(engine, rule, count);
  for (HeapSize n = 0; n < count; ++n) {
    ASSERT_EQ(values[n], expected[n]) << notation << ", heap " << n;
  }
}

/// An octal code of up to six digits with a move that splits.
inline std::string random_splitting_code(std::mt19937& random) {
  std::string code = random() % 4 == 0 ? "4." : "0.";
  bool splits = code[0] == '4';
  const auto length = 1 + random() % 5;
  for (unsigned i = 0; i < length; ++i) {
    const unsigned digit = random() % 8;
    splits |= digit >= 4;
    code += static_cast<char>('0' + digit);
  }
  if (!splits) code += '4';
  return code;
}

/// A game with few rare heaps in a table of the slow way.
struct Learning {
  const KernelSet& kernels = available_kernels().front();
  sparse::SparseTable table;
  sparse::PhaseShape shape{};

  explicit Learning(HeapSize block = 256, std::string_view rule = "0.167")
      : table(sparse::splitting_moves(HeapRule::parse(rule)).value(), kernels) {
    while (table.size() < 16384) table.append();
    table.set_split(sparse::choose_split(table.moves(), table.values()).split);
    shape = {.block = block, .lookback = 4096, .code_limit = sparse::code_limit_of(table)};
  }
};

}  // namespace grundy::testing_support
