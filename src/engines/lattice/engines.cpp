/// @file
/// The list of lattice engines and the choice among them.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>

#include "core/names.hpp"
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

/// Slowest first: `auto` takes the last engine that accepts the rule.
constexpr std::array<const LatticeEngine*, 4> kEngines = {&kReference, &kLayered, &kFrontier,
                                                          &kWavefront};

void check_shape(const LatticeRule& rule, const LatticeShape& shape) {
  if (shape.heaps != rule.heaps()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the game has {} heaps, but the shape has sizes for {}", rule.heaps(),
                            shape.heaps));
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
  const bool any = same_name(name, "auto");
  std::vector<std::string> all{"auto"}, able{"auto"};
  for (auto engine = kEngines.rbegin(); engine != kEngines.rend(); ++engine) {
    const std::string reason = (*engine)->refusal(rule, shape);
    all.emplace_back((*engine)->name());
    if (reason.empty()) able.push_back(all.back());
    if (!any && !same_name(name, all.back())) continue;
    if (reason.empty()) return **engine;
    if (!any) {
      throw Error(ErrorCode::kUsage, fmt::format("engine '{}' cannot compute {} because {}",
                                                 all.back(), rule.canonical(), reason));
    }
  }
  throw Error(ErrorCode::kUsage, no_such_name("engine for several heaps", name, all,
                                              fmt::format("for {} there are: {}", rule.canonical(),
                                                          fmt::join(able, ", "))));
}

}  // namespace grundy
