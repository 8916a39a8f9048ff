// SPDX-License-Identifier: MIT
#include "engines/heap/formula/engine.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/value_buffer.hpp"
#include "engines/heap/formula/block_solver.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/subtraction/solver.hpp"
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

RunStatus run_blocks(const HeapTask& task, FormulaResult result, ValueSink& sink) {
  const FormulaRule& rule = *task.rule.formula();
  if (task.count > 0) require_fit(rule, task.count - 1);
  FormulaBlockSolver solver(rule, task.count, task.executor, result);
  ValueBuffer table;
  solver.expect(load_known_values(task, table));
  const HeapSize block = std::min(solver.block(), task.block.value_or(solver.block()));
  std::vector<Nimber> values(std::min(block, task.count));
  for (HeapSize begin = table.size(); begin < task.count;) {
    if (task.stop.stop_requested()) return RunStatus::kCancelled;
    const HeapSize end = begin + std::min(block, task.count - begin);
    const std::span<Nimber> found(values.data(), end - begin);
    solver.solve(begin, table.values(), found);
    table.resize(end);
    store_values(table, begin, found);
    const Stretch done{begin, table.values().subspan(begin, end - begin), table.values()};
    if (sink.put(done) == Flow::kStop) return RunStatus::kStoppedBySink;
    if (task.progress != nullptr) {
      const double share = static_cast<double>(end) / static_cast<double>(task.count);
      task.progress->report({end, task.count, std::pow(share, solver.work_exponent())});
    }
    begin = end;
  }
  return RunStatus::kComplete;
}

}  // namespace

RunStatus FormulaEngine::run(const HeapTask& task, ValueSink& sink) const {
  return run_blocks(task, FormulaResult::kValue, sink);
}

RunStatus run_formula_outcomes(const HeapTask& task, ValueSink& sink) {
  return run_blocks(task, FormulaResult::kMisereOutcome, sink);
}

}  // namespace grundy
