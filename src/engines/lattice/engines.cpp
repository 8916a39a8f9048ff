/// @file
/// The list of lattice engines and the choice among them.
// SPDX-License-Identifier: MIT
#include "engines/lattice/engines.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>

#include "core/engine_choice.hpp"

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

void report_positions(const LatticeTask& task, std::uint64_t done) {
  if (task.progress == nullptr) return;
  const std::uint64_t all = Layout::of(task.shape, 1).positions();
  task.progress->report({done, all, static_cast<double>(done) / static_cast<double>(all)});
}

RunStatus LatticeEngine::run_stripes(const LatticeTask&, Team&,
                                     std::span<const LatticeStripe>) const {
  throw Error(ErrorCode::kFailure,
              fmt::format("the engine '{}' computes no stripes of a table", name()));
}

std::span<const LatticeEngine* const> lattice_engines() noexcept {
  // Slowest first: `auto` takes the last engine that accepts the rule, and the first one accepts
  // every rule.
  static const std::array<const LatticeEngine*, 6> engines{
      &lattice_reference_engine(), &lattice_layered_engine(),  &lattice_marks_engine(),
      &lattice_quotients_engine(), &lattice_frontier_engine(), &lattice_wavefront_engine()};
  return engines;
}

const LatticeEngine& select_lattice_engine(std::string_view name, const LatticeRule& rule,
                                           const LatticeShape& shape) {
  check_shape(rule, shape);
  const auto engines = lattice_engines();
  const auto refusal = [&](const LatticeEngine& engine) { return engine.refusal(rule, shape); };
  if (!leaves_choice(name)) {
    return named_engine(name, engines, "several heaps", rule.canonical(), refusal);
  }
  return **std::find_if(engines.rbegin(), engines.rend(),
                        [&](const LatticeEngine* engine) { return refusal(*engine).empty(); });
}

}  // namespace grundy
