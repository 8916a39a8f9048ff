/// @file
/// Shared helpers of the tests of the sparse-space engine.
// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>

#include "engines/heap/heap_testing.hpp"
#include "engines/heap/reference_engine.hpp"

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

}  // namespace grundy::testing_support
