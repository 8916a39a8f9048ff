/// @file
/// The list of lattice engines and the choice among them.
// SPDX-License-Identifier: MIT
#include "engines/lattice/engines.hpp"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>

#include "core/names.hpp"

namespace grundy {
namespace {

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
  // Slowest first: `auto` takes the last engine that accepts the rule.
  static const std::array<const LatticeEngine*, 4> engines{
      &lattice_reference_engine(), &lattice_layered_engine(), &lattice_frontier_engine(),
      &lattice_wavefront_engine()};
  return engines;
}

const LatticeEngine& select_lattice_engine(std::string_view name, const LatticeRule& rule,
                                           const LatticeShape& shape) {
  check_shape(rule, shape);
  const bool any = same_name(name, "auto");
  std::vector<std::string> all{"auto"}, able{"auto"};
  const auto engines = lattice_engines();
  for (auto engine = engines.rbegin(); engine != engines.rend(); ++engine) {
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
