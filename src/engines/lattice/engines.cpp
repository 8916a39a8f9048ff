/// @file
/// The list of lattice engines and the choice among them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>

#include "engines/lattice/frontier_engine.hpp"
#include "engines/lattice/layered_engine.hpp"
#include "engines/lattice/reference_engine.hpp"
#include "engines/lattice/wavefront_engine.hpp"

namespace grundy {
namespace {

const LatticeReferenceEngine kReference;
const LayeredEngine kLayered;
const FrontierEngine kFrontier;
const WavefrontEngine kWavefront;

/// Slowest first: `auto` takes the last one that accepts the rule.
constexpr std::array<const LatticeEngine*, 4> kEngines = {&kReference, &kLayered, &kFrontier,
                                                          &kWavefront};

void check_shape(const LatticeRule& rule, const LatticeShape& shape) {
  if (shape.heaps != rule.heaps()) {
    throw Error(ErrorCode::kUsage, fmt::format("the shape has {} heaps, but the rule has {}",
                                               shape.heaps, rule.heaps()));
  }
  for (unsigned i = 0; i < shape.heaps; ++i) {
    if (shape.extent[i] == 0) {
      throw Error(ErrorCode::kUsage, fmt::format("heap {} of the shape has no sizes", i + 1));
    }
    if (shape.sorted && shape.extent[i] != shape.extent[0]) {
      throw Error(ErrorCode::kUsage, "a sorted shape has the same sizes for every heap");
    }
  }
  if (!Layout::of(shape, rule.planes()).is_countable()) {
    throw Error(ErrorCode::kUsage, "the shape has more positions than 60 bits can count");
  }
  if (shape.sorted && !rule.symmetric()) {
    throw Error(ErrorCode::kUsage, "the moves of " + rule.canonical() +
                                       " change when heaps are permuted, so the positions with "
                                       "sorted heaps do not tell the others");
  }
}

}  // namespace

RunStatus LatticeEngine::run_stripes(const LatticeTask&, Team&,
                                     std::span<const LatticeStripe>) const {
  throw Error(ErrorCode::kFailure,
              fmt::format("the engine '{}' computes no stripes of a table", name()));
}

std::span<const LatticeEngine* const> lattice_engines() noexcept {
  return kEngines;
}

const LatticeEngine& select_lattice_engine(std::string_view name, const LatticeRule& rule,
                                           const LatticeShape& shape) {
  check_shape(rule, shape);
  std::string names = "auto";
  for (auto engine = kEngines.rbegin(); engine != kEngines.rend(); ++engine) {
    const std::string reason = (*engine)->refusal(rule, shape);
    if (reason.empty()) names += fmt::format(", {}", (*engine)->name());
    if (name != "auto" && name != (*engine)->name()) continue;
    if (reason.empty()) return **engine;
    if (name != "auto") {
      throw Error(ErrorCode::kUsage, fmt::format("engine '{}' cannot compute {} because {}", name,
                                                 rule.canonical(), reason));
    }
  }
  throw Error(ErrorCode::kUsage,
              fmt::format("there is no lattice engine '{}'; for {} there are: {}", name,
                          rule.canonical(), names));
}

}  // namespace grundy
