// SPDX-License-Identifier: MIT
#include <grundy/lattice/outcomes.hpp>

#include "engines/lattice/chomp_outcomes.hpp"
#include "engines/lattice/engines.hpp"

namespace grundy {
namespace {

bool sets_follow(const LatticeRule& rule, const LatticeShape& shape) {
  return lattice_frontier_engine().refusal(rule, shape).empty();
}

}  // namespace

bool outcomes_are_in_values(const LatticeRule& rule, const LatticeShape& shape) {
  return !sets_follow(rule, shape) && !marked_outcomes_refusal(rule, shape).empty();
}

std::uint64_t outcomes_memory_bytes(const LatticeRule& rule, const LatticeShape& shape) {
  if (is_four_row_chomp(rule, shape)) return chomp_outcomes_bytes(shape);
  if (sets_follow(rule, shape)) return frontier_outcomes_bytes(rule, shape);
  return marked_outcomes_bytes(rule, shape);
}

RunStatus run_outcomes(const LatticeTask& task, ValueSink& sink) {
  if (is_four_row_chomp(task.rule, task.shape)) return run_chomp_outcomes(task, sink);
  if (sets_follow(task.rule, task.shape)) return run_frontier_outcomes(task, sink);
  return run_marked_outcomes(task, sink);
}

}  // namespace grundy
