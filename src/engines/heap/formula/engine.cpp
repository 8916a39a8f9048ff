// SPDX-License-Identifier: MIT
#include "engines/heap/formula/engine.hpp"

#include <algorithm>
#include <vector>

#include "core/value_buffer.hpp"
#include "engines/heap/block_run.hpp"
#include "engines/heap/formula/block_solver.hpp"
#include "engines/heap/known_values.hpp"
#include "games/heap/formula.hpp"

namespace grundy {

std::string FormulaEngine::refusal(const HeapRule& rule) const {
  return rule.formula() != nullptr ? "" : "its moves are not given by formulas";
}

std::uint64_t FormulaEngine::memory_bytes(const HeapRule& rule, HeapSize count,
                                          Nimber max_value) const {
  // Besides the table: lists of the block, the values that each piece has seen, and sets of
  // numbers.
  constexpr std::uint64_t kLists = std::uint64_t{64} << 20;
  constexpr std::uint64_t kPieces = 64;
  std::uint64_t sets = 0;
  for (const FormulaClause& clause : rule.formula()->clauses) {
    for (const FormulaCondition& condition : clause.conditions) {
      if (condition.kind == FormulaCondition::Kind::kIn) sets += count;
    }
  }
  return count * byte_count(width_for(max_value)) + 2 * ValueBuffer::kPadding + kLists +
         2 * kPieces * sizeof(std::uint32_t) * std::uint64_t{max_value} + sets;
}

namespace {

RunStatus run_formula(const HeapTask& task, FormulaResult result, ValueSink& sink) {
  const FormulaRule& rule = *task.rule.formula();
  if (task.count > 0) require_fit(rule, task.count - 1);
  FormulaBlockSolver solver(rule, task.count, task.executor, result);
  ValueBuffer table;
  solver.expect(load_known_values(task, table));
  const HeapSize block = std::min(solver.block(), task.block.value_or(solver.block()));
  std::vector<Nimber> values(std::min(block, task.count));
  const auto solve = [&](HeapSize begin, HeapSize end) {
    const std::span<Nimber> found(values.data(), end - begin);
    solver.solve(begin, table.values(), found);
    store_values(table, begin, found);
  };
  return run_blocks(task,
                    {.block = [block](HeapSize) { return block; },
                     .solve = solve,
                     .work_exponent = solver.work_exponent()},
                    table, sink);
}

}  // namespace

RunStatus FormulaEngine::run(const HeapTask& task, ValueSink& sink) const {
  return run_formula(task, FormulaResult::kValue, sink);
}

RunStatus run_formula_outcomes(const HeapTask& task, ValueSink& sink) {
  return run_formula(task, FormulaResult::kMisereOutcome, sink);
}

}  // namespace grundy
