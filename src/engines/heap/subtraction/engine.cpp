// SPDX-License-Identifier: MIT
#include "engines/heap/subtraction/engine.hpp"

#include <algorithm>
#include <memory>

#include "engines/heap/block_run.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/subtraction/all_but.hpp"
#include "engines/heap/subtraction/levels.hpp"
#include "engines/heap/subtraction/planes.hpp"
#include "engines/heap/subtraction/solver.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

using Kind = SubtractionRule::Kind;

/// Squares reach all values up to about sqrt(n) / 8, and a finite set reaches at most its size. The
/// other named sets are thin, or have few values (primes: 0 to 11 as far as is known).
bool has_many_values(const SubtractionRule& rule) {
  constexpr std::size_t kManyElements = 48;
  return rule.kind == Kind::kSquares || rule.elements.size() > kManyElements;
}

std::unique_ptr<SubtractionSolver> make_solver(const SubtractionRule& rule, const HeapTask& task) {
  if (rule.kind == Kind::kAllBut) {
    constexpr HeapSize kBlock = 1u << 14;
    return std::make_unique<AllButSolver>(rule, task.count, task.block.value_or(kBlock));
  }
  if (has_many_values(rule)) {
    return std::make_unique<PlaneSolver>(rule, task.count, task.block, task.kernels.taps,
                                         task.executor);
  }
  return std::make_unique<LevelSolver>(rule, task.count, task.block, task.kernels.subtraction,
                                       task.executor);
}

/// The power of n with which the work for heaps 0 .. n grows.
double work_exponent(const SubtractionRule& rule) {
  switch (rule.kind) {
    case Kind::kPrimes:
      return 2;
    case Kind::kSquares:
      return 1.75;  // the number of options; and of values, as far as they cost
    default:
      return 1;
  }
}

}  // namespace

std::string_view SubtractionEngine::summary() const noexcept {
  return "subtraction games: level bitsets, planes of marks, or chains of equal values";
}

std::string SubtractionEngine::refusal(const HeapRule& rule) const {
  return rule.as_subtraction() ? "" : "a move of this game does more than remove tokens";
}

std::uint64_t SubtractionEngine::memory_bytes(const HeapRule& rule, HeapSize count,
                                              Nimber max_value) const {
  const auto subtraction = rule.as_subtraction();
  const std::uint64_t table = count * byte_count(width_for(max_value)) + 2 * ValueBuffer::kPadding;
  if (subtraction->kind == Kind::kAllBut) {
    return table + AllButSolver::memory_bytes(*subtraction, count);
  }
  if (has_many_values(*subtraction)) {
    return table + PlaneSolver::memory_bytes(*subtraction, count, std::uint64_t{max_value} + 1);
  }
  return table + LevelSolver::memory_bytes(*subtraction, count, std::uint64_t{max_value} + 1);
}

RunStatus SubtractionEngine::run(const HeapTask& task, ValueSink& sink) const {
  const auto rule = task.rule.as_subtraction();
  const auto solver = make_solver(*rule, task);
  ValueBuffer table;
  load_known_values(task, table);
  const HeapSize known = table.size();
  for (HeapSize begin = 0, end = 0; begin < known; begin = end) {
    end = std::min(begin + solver->block(begin), known);
    solver->adopt(begin, end, table);
  }
  return run_blocks(task,
                    {.block = [&](HeapSize begin) { return solver->block(begin); },
                     .solve = [&](HeapSize begin, HeapSize) { solver->solve(begin, table); },
                     .work_exponent = work_exponent(*rule)},
                    table, sink);
}

}  // namespace grundy
