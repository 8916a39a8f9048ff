// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <utility>

#include <grundy/error.hpp>
#include <grundy/lattice/row_period.hpp>

#include "core/primes.hpp"
#include "engines/lattice/row_state.hpp"

namespace grundy {
namespace {

/// Number of columns between two looks at the clock and the stop token.
constexpr std::uint64_t kStep = 1024;

/// Reports the progress of a computation of columns, and tells whether it shall go on.
class Attendant {
 public:
  Attendant(std::uint64_t columns, std::stop_token stop, ProgressSink* progress)
      : columns_(columns), stop_(std::move(stop)), progress_(progress) {}

  [[nodiscard]] bool goes_on(std::uint64_t column) const {
    if (column % kStep != 0) return true;
    if (progress_ != nullptr) {
      progress_->report(
          {column, columns_, static_cast<double>(column), static_cast<double>(columns_)});
    }
    return !stop_.stop_requested();
  }

 private:
  std::uint64_t columns_;
  std::stop_token stop_;
  ProgressSink* progress_;
};

/// The recurrence of a state: `period` columns after `column`, with values larger by `saltus`.
struct Recurrence {
  std::uint64_t column = 0;
  std::uint64_t period = 0;
  std::uint64_t saltus = 0;
};

/// Brent's method of finding a cycle. A state is kept whenever the column exceeds the last kept one
/// by half, where Brent doubles it, because periods are short here compared with preperiods.
std::optional<Recurrence> find_recurrence(const LatticeRule& rule, std::uint32_t last_row,
                                          std::uint64_t columns, const Attendant& attendant) {
  RowState state(rule, last_row);
  std::vector<std::uint32_t> kept = state.snapshot();
  std::uint64_t column = 0;
  Nimber base = 0;
  while (state.column() < columns) {
    state.advance();
    if (state.matches(kept)) {
      return Recurrence{column, state.column() - column, state.base() - base};
    }
    if (state.column() > column + column / 2) {
      kept = state.snapshot();
      column = state.column();
      base = state.base();
    }
    if (!attendant.goes_on(state.column())) return std::nullopt;
  }
  return std::nullopt;
}

/// Keeps the columns of one period and, for every row, the first column from which it repeats.
class PeriodColumns {
 public:
  PeriodColumns(const Recurrence& found, std::size_t rows)
      : found_(found), rows_(rows), values_(found.period * rows), preperiod_(rows) {}

  /// Takes the columns in order, from column 0 to the end of the period.
  void add(std::uint64_t column, std::span<const Nimber> values) {
    const auto kept = std::span(values_).subspan(column % found_.period * rows_, rows_);
    for (std::size_t row = 0; row < rows_; ++row) {
      if (column >= found_.period && kept[row] + found_.saltus != values[row]) {
        preperiod_[row] = column - found_.period + 1;
      }
      kept[row] = values[row];
    }
  }

  /// The least period and preperiod of every row. All periods of a row have the same preperiod: if
  /// it has the period p from column e on, and p' from a later column on, it has p' from e on.
  /// @pre all columns have been added
  [[nodiscard]] std::vector<RowPeriod> rows() const {
    std::vector<RowPeriod> result;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      result.push_back({row, found_.period, preperiod_[row], found_.saltus});
    }
    // The least period divides every other period, so prime factors are divided out as long as
    // possible.
    for (const std::uint64_t prime : primes_of(found_.period)) {
      std::vector<bool> divides(rows_, true);
      for (std::uint64_t power = prime; found_.period % power == 0; power *= prime) {
        if (found_.saltus % power != 0) divides.assign(rows_, false);
        keep_rows_that_repeat(found_.period / power, found_.saltus / power, divides);
        for (std::size_t row = 0; row < rows_; ++row) {
          if (!divides[row]) continue;
          result[row].period /= prime;
          result[row].saltus /= prime;
        }
      }
    }
    return result;
  }

 private:
  /// The values of column found_.column + n; n may reach into the next period.
  [[nodiscard]] const Nimber* column(std::uint64_t n) const {
    return values_.data() + (found_.column + n) % found_.period * rows_;
  }

  /// Keeps in `rows` only the rows that increase by `saltus` in every `period` columns.
  void keep_rows_that_repeat(std::uint64_t period, std::uint64_t saltus,
                             std::vector<bool>& rows) const {
    std::vector<std::uint32_t> left;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if (rows[row]) left.push_back(row);
    }
    for (std::uint64_t n = 0; n < found_.period && !left.empty(); ++n) {
      const Nimber* here = column(n);
      const Nimber* later = column(n + period);
      const std::uint64_t next = n + period < found_.period ? 0 : found_.saltus;
      std::erase_if(left, [&](std::uint32_t row) {
        const bool differs = later[row] + next != here[row] + saltus;
        if (differs) rows[row] = false;
        return differs;
      });
    }
  }

  Recurrence found_;
  std::size_t rows_;
  std::vector<Nimber> values_;  ///< by column modulo the period, and row
  std::vector<std::uint64_t> preperiod_;
};

}  // namespace

std::string row_period_refusal(const LatticeRule& rule) {
  if (rule.heaps() != 2) return "rows are those of games of two heaps";
  if (rule.moves().pass) return "it has a pass";
  if (rule.moves().misere) return "it is played in misère";
  if (!rule.moves().families.empty()) {
    return "its moves depend on the position in another way than by rays, bands and boxes";
  }
  return {};
}

std::optional<RowPeriods> find_row_periods(const LatticeRule& rule, std::uint32_t last_row,
                                           std::uint64_t columns, std::stop_token stop,
                                           ProgressSink* progress) {
  if (const std::string reason = row_period_refusal(rule); !reason.empty()) {
    throw Error(ErrorCode::kUsage, "the periods of rows of " + rule.canonical() +
                                       " cannot be proved because " + reason);
  }
  const auto found = find_recurrence(rule, last_row, columns, Attendant(columns, stop, progress));
  if (!found) return std::nullopt;
  const std::uint64_t end = found->column + found->period;
  const Attendant attendant(end, stop, progress);
  PeriodColumns period(*found, std::size_t{last_row} + 1);
  for (RowState state(rule, last_row); state.column() < end;) {
    state.advance();
    period.add(state.column() - 1, state.values());
    if (!attendant.goes_on(state.column())) return std::nullopt;
  }
  return RowPeriods{found->column, found->period, found->saltus, period.rows()};
}

}  // namespace grundy
