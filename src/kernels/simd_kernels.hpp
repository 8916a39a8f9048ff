/// @file
/// The sets of vector kernels: one source, compiled once for every Highway target.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "kernels/kernels.hpp"

namespace grundy {

/// Every compiled target: those that this processor runs, the fastest last, and the others.
struct SimdTargets {
  std::vector<KernelSet> available;
  std::vector<SkippedTarget> skipped;
};
SimdTargets simd_targets();

}  // namespace grundy
