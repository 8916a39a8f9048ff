// SPDX-License-Identifier: MIT
#include "engines/heap/formula/engine.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/value_buffer.hpp"
#include "engines/heap/block_run.hpp"
#include "engines/heap/formula/block_solver.hpp"
#include "engines/heap/formula/plan.hpp"
#include "engines/heap/formula/relation.hpp"
#include "engines/heap/known_values.hpp"
#include "games/heap/formula.hpp"

namespace grundy {

std::string FormulaEngine::refusal(const HeapRule& rule) const {
  return rule.formula() != nullptr ? "" : "its moves are not given by formulas";
}

std::uint64_t FormulaEngine::memory_bytes(const HeapRule& rule, HeapSize count,
                                          Nimber max_value) const {
  constexpr std::uint64_t kLists = std::uint64_t{64} << 20;
  const std::uint64_t table =
      count * byte_count(width_for(max_value)) + 2 * ValueBuffer::kPadding + kLists;
  if (const std::optional<Relation> relation = relation_of(*rule.formula())) {
    return table + RelationSolver::memory_bytes(*relation, max_value);
  }
  // Besides lists of the block: the values that each piece has seen, and sets of numbers.
  constexpr std::uint64_t kPieces = 64;
  std::uint64_t sets = 0;
  for (const FormulaClause& clause : rule.formula()->clauses) {
    for (const FormulaCondition& condition : clause.conditions) {
      if (condition.kind == FormulaCondition::Kind::kIn) sets += count;
    }
  }
  return table + 2 * kPieces * sizeof(std::uint32_t) * std::uint64_t{max_value} + sets;
}

namespace {

template <class Solver>
RunStatus run_formula(const HeapTask& task, Solver& solver, ValueBuffer& table, ValueSink& sink) {
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

RunStatus run_option_lists(const HeapTask& task, FormulaResult result, ValueSink& sink) {
  FormulaBlockSolver solver(*task.rule.formula(), task.count, task.executor, result);
  ValueBuffer table;
  solver.expect(load_known_values(task, table));
  return run_formula(task, solver, table, sink);
}

RunStatus run_relation(const HeapTask& task, const Relation& relation, ValueSink& sink) {
  RelationSolver solver(relation, task.executor);
  ValueBuffer table;
  load_known_values(task, table);
  solver.take_up(table.values());
  return run_formula(task, solver, table, sink);
}

void require_fit(const HeapTask& task) {
  if (task.count > 0) require_fit(*task.rule.formula(), task.count - 1);
}

}  // namespace

RunStatus FormulaEngine::run(const HeapTask& task, ValueSink& sink) const {
  require_fit(task);
  const std::optional<Relation> relation = relation_of(*task.rule.formula());
  return relation ? run_relation(task, *relation, sink)
                  : run_option_lists(task, FormulaResult::kValue, sink);
}

RunStatus run_formula_outcomes(const HeapTask& task, ValueSink& sink) {
  require_fit(task);
  return run_option_lists(task, FormulaResult::kMisereOutcome, sink);
}

}  // namespace grundy
