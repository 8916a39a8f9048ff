/// @file
/// Golden rows about whole tables: sums, largest values, numbers of zeros, digests of SHA-256.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "engines/lattice/golden_rows.hpp"
#include "engines/lattice/lattice_testing.hpp"
#include "engines/lattice/sha256.hpp"

namespace grundy::testing_support {

/// The table that a row is about: all heaps below a size.
struct TableOf {
  std::string game;
  std::uint32_t size = 0;
  /// The rows are about the sorted positions, for Chomp without the empty bar; if false, about the
  /// full cube.
  bool sorted = false;
  friend auto operator<=>(const TableOf&, const TableOf&) = default;

  [[nodiscard]] LatticeRule rule() const {
    return resolve_game(game, GameKind::kLattice).lattice();
  }
  [[nodiscard]] std::uint64_t positions() const { return sorted_count(rule().heaps(), size); }
};

/// @pre kind_of(row) is kTable
inline TableOf table_of(const GoldenRow& row) {
  const std::string& text = row.parameters;
  if (row.game == "wythoff-digest") return {"wythoff", number_behind(text, "N="), false};
  if (row.game == "moore-nim-digest") return {"moore(4,2)", number_behind(text, "0..") + 1, false};
  if (row.game == "chomp3-digest") return {"chomp(3)", number_behind(text, "a<=") + 1, true};
  if (row.game == "chomp4-pcount") return {"chomp(4)", number_behind(text, "a<=") + 1, true};
  if (row.game == "wythoff3-any-pe260") {
    return {"wythoff-any(3)", number_behind(text, "z<=") + 1, true};
  }
  const std::string reading = row.game.substr(9, row.game.rfind('-') - 9);  // wythoff3-*-digest
  return {"wythoff-" + reading + "(3)", number_behind(text, "N="), false};
}

/// The answers to rows, by the text in the column `position`.
using Answers = std::map<std::string, std::string>;

/// The answers for a full cube. "sorted" P-positions are those whose heaps do not descend.
inline Answers answers_of_cube(const TableOf& table, Executor& executor) {
  const unsigned heaps = table.rule().heaps();
  const std::vector<std::uint16_t> values = full_cube(table.game, table.size, executor);
  std::uint64_t sorted_zeros = 0;
  std::uint64_t sorted_sum = 0;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (values[at] != 0) continue;
    LatticePoint p{};
    std::size_t rest = at;
    for (unsigned i = heaps; i-- > 0; rest /= table.size) {
      p[i] = static_cast<std::uint32_t>(rest % table.size);
    }
    if (!std::is_sorted(p.begin(), p.begin() + heaps)) continue;
    sorted_zeros += 1;
    sorted_sum += std::accumulate(p.begin(), p.end(), std::uint64_t{0});
  }
  return {{"sum", std::to_string(std::accumulate(values.begin(), values.end(), std::uint64_t{0}))},
          {"max", std::to_string(*std::ranges::max_element(values))},
          {"zeros", std::to_string(std::ranges::count(values, 0))},
          {"P-count sorted", std::to_string(sorted_zeros)},
          {"P-sum sorted", std::to_string(sorted_sum)},
          {"sha256", sha256_of(values)}};
}

/// Sums up a sorted table, values or outcomes, and keeps it only if it is small.
class RankedTotals final : public ValueSink {
 public:
  explicit RankedTotals(const TableOf& table) : heaps_(table.rule().heaps()) {
    if (table.positions() < (1u << 20)) kept_.resize(table.positions());
  }

  Flow put(const Stretch& stretch) override {
    for (std::size_t i = 0; i < stretch.values.size(); ++i) {
      add(*stretch.tile->first_rank + i, stretch.values[i]);
    }
    return Flow::kContinue;
  }

  /// The answers for a sorted table. Numbers leave out the empty position, except those of "sorted"
  /// P-positions.
  [[nodiscard]] Answers answers() const {
    Answers out = {{"cells", std::to_string(positions_ - 1)},
                   {"sum", std::to_string(sum_)},
                   {"max", std::to_string(largest_)},
                   {"P-count", std::to_string(zeros_ - 1)},
                   {"P-count sorted", std::to_string(zeros_)},
                   {"P-sum sorted", std::to_string(sum_over_zeros_)}};
    if (!kept_.empty()) {
      // The largest heap changes slowest, as in the golden digest of Chomp.
      out["sha256"] = sha256_of(std::vector<std::uint16_t>(kept_.begin() + 1, kept_.end()));
    }
    return out;
  }

 private:
  void add(std::uint64_t rank, Nimber value) {
    ++positions_;
    sum_ += value;
    largest_ = std::max(largest_, value);
    if (!kept_.empty()) kept_[rank] = static_cast<std::uint16_t>(value);
    if (value != 0) return;
    ++zeros_;
    const LatticePoint p = position_of(heaps_, rank);
    sum_over_zeros_ += std::accumulate(p.begin(), p.end(), std::uint64_t{0});
  }

  unsigned heaps_;
  std::uint64_t positions_ = 0, sum_ = 0, zeros_ = 0, sum_over_zeros_ = 0;
  Nimber largest_ = 0;
  std::vector<std::uint16_t> kept_;
};

inline Answers answers_of_sorted(const TableOf& table, Executor& executor, bool outcomes) {
  const LatticeRule rule = table.rule();
  const LatticeShape shape = LatticeShape::cube(rule.heaps(), table.size, true);
  RankedTotals totals(table);
  const LatticeTask task{.rule = rule,
                         .shape = shape,
                         .kernels = select_kernels("auto"),
                         .executor = executor,
                         .stop = {}};
  const RunStatus status = outcomes ? run_outcomes(task, totals)
                                    : select_lattice_engine("auto", rule, shape).run(task, totals);
  EXPECT_EQ(status, RunStatus::kComplete);
  return totals.answers();
}

/// The question of a row.
inline std::string question_of(const GoldenRow& row) {
  if (!row.game.ends_with("-pe260")) return row.position;
  return row.parameters.starts_with("sum") ? "P-sum sorted" : "P-count sorted";
}

/// Compares the rows about tables of [least, most) positions; each table is computed once, as
/// outcomes if all rows ask for P-positions only. Returns the number of rows.
inline std::size_t check_tables(std::uint64_t least, std::uint64_t most) {
  const auto executor = make_executor(2);
  std::map<TableOf, std::vector<GoldenRow>> tables;
  for (const GoldenRow& row : golden_rows()) {
    if (kind_of(row) != RowKind::kTable) continue;
    const TableOf table = table_of(row);
    if (table.positions() >= least && table.positions() < most) tables[table].push_back(row);
  }
  std::size_t count = 0;
  for (const auto& [table, rows] : tables) {
    const bool outcomes = std::ranges::all_of(
        rows, [](const GoldenRow& row) { return question_of(row) == "P-count"; });
    const Answers answers = table.sorted ? answers_of_sorted(table, *executor, outcomes)
                                         : answers_of_cube(table, *executor);
    for (const GoldenRow& row : rows) {
      const auto answer = answers.find(question_of(row));
      EXPECT_TRUE(answer != answers.end() && answer->second == row.value) << row.line;
    }
    count += rows.size();
  }
  return count;
}

/// Larger tables are for the slow tests.
inline constexpr std::uint64_t kFewPositions = 3'000'000;

}  // namespace grundy::testing_support
