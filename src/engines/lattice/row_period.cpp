// SPDX-License-Identifier: MIT
#include <bit>
#include <span>

#include <grundy/error.hpp>
#include <grundy/lattice/row_period.hpp>

#include "engines/lattice/row_state.hpp"

namespace grundy {
namespace {

/// Values of a row at any column: stored up to column + period, from the proved period beyond.
class Row {
 public:
  Row(const std::vector<Nimber>& values, const RowPeriods& proved)
      : values_(values), proved_(proved) {}

  [[nodiscard]] std::uint64_t at(std::uint64_t n) const {
    std::uint64_t shift = 0;
    if (n >= values_.size()) {
      const std::uint64_t periods = (n - values_.size()) / proved_.period + 1;
      n -= periods * proved_.period;
      shift = periods * proved_.saltus;
    }
    return values_[n] + shift;
  }

  /// Whether the row advances by `saltus` in every `period` columns from the recurrence on.
  [[nodiscard]] bool repeats(std::uint64_t period, std::uint64_t saltus) const {
    for (std::uint64_t n = proved_.column; n < proved_.column + proved_.period; ++n) {
      if (at(n + period) != at(n) + saltus) return false;
    }
    return true;
  }

 private:
  std::span<const Nimber> values_;
  const RowPeriods& proved_;
};

/// The least period of a row and the first column from which it holds.
RowPeriod least_period(std::uint32_t row, const Row& values, const RowPeriods& proved) {
  RowPeriod result{row, proved.period, proved.column, proved.saltus};
  // The least period divides every other one, so prime factors are divided out while that works.
  for (std::uint64_t prime = 2, rest = proved.period; rest > 1; ++prime) {
    if (prime * prime > rest) prime = rest;
    while (rest % prime == 0) {
      rest /= prime;
      if (result.saltus % prime == 0 &&
          values.repeats(result.period / prime, result.saltus / prime)) {
        result.period /= prime;
        result.saltus /= prime;
      }
    }
  }
  while (result.preperiod > 0 && values.at(result.preperiod - 1 + result.period) ==
                                     values.at(result.preperiod - 1) + result.saltus) {
    --result.preperiod;
  }
  return result;
}

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
  constexpr std::uint64_t kStep = 1024;  // columns between looks at the clock and the stop token
  RowState state(rule, last_row);
  // Brent's way to find a cycle: the state is compared with the one at the last power of two.
  std::vector<std::uint32_t> kept = state.snapshot();
  RowPeriods found;
  Nimber base = 0;
  while (state.column() < columns) {
    state.advance();
    if (state.matches(kept)) {
      found.period = state.column() - found.column;
      found.saltus = state.base() - base;
      break;
    }
    if (std::has_single_bit(state.column())) {
      kept = state.snapshot();
      found.column = state.column();
      base = state.base();
    }
    if (state.column() % kStep != 0) continue;
    if (stop.stop_requested()) return std::nullopt;
    if (progress != nullptr) {
      progress->report({state.column(), columns,
                        static_cast<double>(state.column()) / static_cast<double>(columns)});
    }
  }
  if (found.period == 0) return std::nullopt;
  for (std::uint32_t row = 0; row <= last_row; ++row) {
    found.rows.push_back(least_period(row, Row(state.rows()[row], found), found));
  }
  return found;
}

}  // namespace grundy
