/// @file
/// The choice among the kernels that one source holds once for every Highway target.
///
/// The source names its table of functions alike in the namespace of every target, kKernels say,
/// and picks one behind the last of them (HWY_ONCE):
///
///     return kernels_of_target(set, GRUNDY_EVERY_TARGET(kKernels), kPlain);
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>

#include <hwy/targets.h>

#include "kernels/kernels.hpp"

namespace grundy {

/// What a source holds for one target.
template <class Kernels>
struct TargetKernels {
  std::string_view name;   ///< KernelSet::name
  std::int64_t target;     ///< Highway's bit
  const Kernels* kernels;  ///< null if the source was not compiled for the target
};

/// The list for kernels_of_target(), the better of two targets of one name first.
// clang-format off
#define GRUNDY_EVERY_TARGET(kernels)                    \
  {                                                     \
    {"ssse3", HWY_SSSE3, HWY_CHOOSE_SSSE3(kernels)},    \
    {"sse4", HWY_SSE4, HWY_CHOOSE_SSE4(kernels)},       \
    {"avx2", HWY_AVX2, HWY_CHOOSE_AVX2(kernels)},       \
    {"avx3", HWY_AVX3_DL, HWY_CHOOSE_AVX3_DL(kernels)}, \
    {"avx3", HWY_AVX3, HWY_CHOOSE_AVX3(kernels)},       \
    {"neon", HWY_NEON, HWY_CHOOSE_NEON(kernels)},       \
  }
// clang-format on

/// The kernels of the same target as `set` that this processor can run, or `plain` if none are.
template <class Kernels>
const Kernels& kernels_of_target(
    const KernelSet& set,
    std::type_identity_t<std::initializer_list<TargetKernels<Kernels>>> targets,
    const Kernels& plain) {
  const std::int64_t supported = hwy::SupportedTargets();
  for (const TargetKernels<Kernels>& each : targets) {
    if (each.kernels != nullptr && each.name == set.name && (each.target & supported) != 0) {
      return *each.kernels;
    }
  }
  return plain;
}

}  // namespace grundy
