/// @file
/// The names of the kernel sets that this machine can run, for tests that run once with each.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "kernels/kernels.hpp"

namespace grundy::testing_support {

inline std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for (const KernelSet& set : available_kernels()) names.emplace_back(set.name);
  return names;
}

inline std::string kernel_name(const testing::TestParamInfo<std::string>& set) {
  return set.param;
}

}  // namespace grundy::testing_support
