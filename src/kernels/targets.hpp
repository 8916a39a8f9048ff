/// @file
/// The instruction-set targets for which the sources of kernels are compiled, and the way in which
/// a source provides its functions for each target.
///
/// A source of kernels is laid out like this:
///
///     namespace grundy::scalar { … constexpr NameKernels kKernels{…}; }        // plain C++, once
///     namespace grundy::HWY_NAMESPACE { … constexpr NameKernels kKernels{…}; } // once a target
///     #if HWY_ONCE
///     GRUNDY_KERNELS_OF_EVERY_TARGET(NameKernels)
///     #endif
///
/// Highway's foreach_target.h includes the source once for each target of the processor family. The
/// plain part comes before that include, because compilers do not warn about code that a system
/// header includes. For HWY_AVX3_DL it includes only sources that define HWY_WANT_AVX3_DL before. A
/// header with functions of a target (open_lookup.hpp) has an include guard for each target.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <hwy/targets.h>

namespace grundy {

/// The target `scalar`; the other targets have Highway's bits.
inline constexpr std::int64_t kScalarTarget = 0;

/// Defines Family::of_target(): the table `kKernels` of the namespace of a target, or null if the
/// source was not compiled for the target.
// clang-format off
#define GRUNDY_KERNELS_OF_EVERY_TARGET(Family)                          \
  namespace grundy {                                                    \
  const Family* Family::of_target(std::int64_t target) noexcept {       \
    switch (target) {                                                   \
      case kScalarTarget: return &scalar::kKernels;                     \
      case HWY_SSE4: return HWY_CHOOSE_SSE4(kKernels);                  \
      case HWY_AVX2: return HWY_CHOOSE_AVX2(kKernels);                  \
      case HWY_AVX3: return HWY_CHOOSE_AVX3(kKernels);                  \
      case HWY_AVX3_DL: return HWY_CHOOSE_AVX3_DL(kKernels);            \
      case HWY_NEON: return HWY_CHOOSE_NEON(kKernels);                  \
      default: return nullptr;                                          \
    }                                                                   \
  }                                                                     \
  }
// clang-format on

}  // namespace grundy
