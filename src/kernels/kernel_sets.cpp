/// @file
/// The list of kernel sets and the choice among them.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include <grundy/error.hpp>

#include "core/names.hpp"
#include "kernels/board_kernels.hpp"
#include "kernels/candidate_kernels.hpp"
#include "kernels/code_kernels.hpp"
#include "kernels/filter_kernels.hpp"
#include "kernels/kernels.hpp"
#include "kernels/letter_kernels.hpp"
#include "kernels/line_kernels.hpp"
#include "kernels/row_kernels.hpp"
#include "kernels/set_kernels.hpp"
#include "kernels/subtraction_kernels.hpp"
#include "kernels/tap_kernels.hpp"
#include "kernels/targets.hpp"

namespace grundy {
namespace {

/// A set that users can name, and the targets whose functions it may have.
struct NamedTarget {
  std::string_view name;
  std::string_view description;
  std::int64_t target;
  /// The functions of sources that were not compiled for the target, because they would not differ.
  std::int64_t others = kScalarTarget;
};

constexpr std::array kTargets = {
    NamedTarget{"scalar", "plain C++, any processor", kScalarTarget},
    NamedTarget{"sse4", "x86 with SSE4.2, AES and PCLMUL", HWY_SSE4},
    NamedTarget{"avx2", "x86 with AVX2, BMI2, FMA and F16C", HWY_AVX2},
    NamedTarget{"avx3", "x86 with AVX-512 F, BW, CD, DQ and VL", HWY_AVX3},
    NamedTarget{"avx3_dl",
                "x86 with AVX-512 VBMI, VBMI2, BITALG, VNNI and more (since Ice Lake, Zen 4)",
                HWY_AVX3_DL, HWY_AVX3},
    NamedTarget{"neon", "Arm with NEON", HWY_NEON},
};

bool runs_here(std::int64_t target) {
  return target == kScalarTarget || (hwy::SupportedTargets() & target) != 0;
}

/// The functions of a family in a set; null if its source was compiled for neither target.
template <class Family>
const Family* find_family(const NamedTarget& named) {
  const Family* const own = Family::of_target(named.target);
  return own != nullptr || named.others == kScalarTarget ? own : Family::of_target(named.others);
}
template <class Family>
const Family& family_of(const NamedTarget& named) {
  return *find_family<Family>(named);
}

/// Whether a source was compiled for the target of the set, and all others for one of its targets.
bool is_compiled(const NamedTarget& named) {
  return FilterKernels::of_target(named.target) != nullptr &&
         find_family<ValueKernels>(named) != nullptr;
}

struct AllSets {
  std::vector<KernelSet> available;
  std::vector<SkippedTarget> skipped;
};

AllSets list_sets() {
  AllSets sets;
  for (const NamedTarget& named : kTargets) {
    if (!is_compiled(named)) {
      sets.skipped.push_back({named.name, "this program was compiled without it"});
    } else if (!runs_here(named.target)) {
      sets.skipped.push_back({named.name, "this processor lacks its instructions"});
    } else {
      sets.available.push_back({family_of<ValueKernels>(named), named.name, named.description,
                                family_of<BoardKernels>(named), family_of<CandidateKernels>(named),
                                family_of<CodeKernels>(named), family_of<FilterKernels>(named),
                                family_of<LetterKernels>(named), family_of<LineKernels>(named),
                                family_of<RowKernels>(named), family_of<SetKernels>(named),
                                family_of<SubtractionKernels>(named),
                                family_of<TapKernels>(named)});
    }
  }
  return sets;
}

/// Built once, constant afterwards.
const AllSets& all_sets() {
  static const AllSets sets = list_sets();
  return sets;
}

}  // namespace

std::span<const KernelSet> available_kernels() {
  return all_sets().available;
}

std::span<const SkippedTarget> skipped_kernels() {
  return all_sets().skipped;
}

const KernelSet& select_kernels(std::string_view name) {
  std::string source = "kernel set";
  if (leaves_choice(name)) {
    const char* const forced = std::getenv("GRUNDY_KERNEL");
    if (forced == nullptr || leaves_choice(forced)) {
      return available_kernels().back();
    }
    name = forced;
    source = "kernel set (GRUNDY_KERNEL)";
  }
  std::vector<std::string> names{kAutoName};
  std::string list = "there are: " + names.back();
  for (const KernelSet& set : available_kernels()) {
    if (same_name(name, set.name)) return set;
    names.emplace_back(set.name);
    list += ", " + names.back();
  }
  for (const SkippedTarget& target : skipped_kernels()) {
    if (same_name(name, target.name)) {
      throw Error(ErrorCode::kUsage, "the " + source + " '" + std::string(target.name) +
                                         "' does not exist on this machine (" +
                                         std::string(target.reason) + "); " + list);
    }
  }
  throw Error(ErrorCode::kUsage, no_such_name(source, name, names, list));
}

}  // namespace grundy
