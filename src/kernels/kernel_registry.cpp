/// @file
/// The list of kernel sets and the choice among them.
// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <string>
#include <vector>

#include <grundy/error.hpp>

#include "kernels/kernels.hpp"
#include "kernels/scalar_kernels.hpp"
#include "kernels/simd_kernels.hpp"

namespace grundy {
namespace {

/// Built once, constant afterwards.
const SimdTargets& all_targets() {
  static const SimdTargets targets = [] {
    SimdTargets found = simd_targets();
    found.available.insert(found.available.begin(), scalar_kernels());
    return found;
  }();
  return targets;
}

}  // namespace

std::span<const KernelSet> available_kernels() {
  return all_targets().available;
}

std::span<const SkippedTarget> skipped_kernels() {
  return all_targets().skipped;
}

const KernelSet& select_kernels(std::string_view name) {
  std::string source = "kernel set";
  if (name.empty() || name == "auto") {
    const char* const forced = std::getenv("GRUNDY_KERNEL");
    if (forced == nullptr || *forced == '\0' || std::string_view(forced) == "auto") {
      return available_kernels().back();
    }
    name = forced;
    source = "kernel set of the environment variable GRUNDY_KERNEL";
  }
  std::string names = "auto";
  for (const KernelSet& set : available_kernels()) {
    if (set.name == name) return set;
    names += ", " + std::string(set.name);
  }
  std::string reason;
  for (const SkippedTarget& target : skipped_kernels()) {
    if (target.name == name) reason = " (" + std::string(target.reason) + ")";
  }
  throw Error(ErrorCode::kUsage, "the " + source + " '" + std::string(name) +
                                     "' does not exist on this machine" + reason +
                                     "; there are: " + names);
}

}  // namespace grundy
