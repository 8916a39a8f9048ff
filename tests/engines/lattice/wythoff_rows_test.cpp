/// @file
/// The record of rows 0 to 511 of Wythoff's game, proved a second time. Values are computed by the
/// definition alone, column by column, and share no code with the search that made the record.
///
/// A value is the least number that is not yet in its row, its column or its diagonal. So later
/// columns depend on two things: the numbers in each row, and the numbers in each diagonal that has
/// rows to come. If all of them are the same after P columns, but larger by P, then all values from
/// there on recur. This is the proof. Before it, each row is compared with itself.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "engines/lattice/wythoff_record.hpp"

namespace grundy {
namespace {

constexpr std::uint32_t kWythoffRows = 512;

/// A set of numbers that lie close together, as bits; the place of a number is its remainder.
constexpr std::size_t kSetWords = 64;
constexpr unsigned kWordBits = 64;
using NumberSet = std::array<std::uint64_t, kSetWords>;

/// All rows of Wythoff's game, up to a column.
class WythoffColumns {
 public:
  /// Finds the values of the next column. Numbers that share a place would be mistaken for each
  /// other: the test fails before that.
  void advance() {
    NumberSet column{};
    diagonals_[diagonal_of(0)] = {};
    std::uint64_t floor = ~std::uint64_t{0};
    for (std::uint32_t x = 0; x < kWythoffRows; ++x) {
      NumberSet& row = rows_[x];
      NumberSet& diagonal = diagonals_[diagonal_of(x)];
      std::uint64_t& first = first_[x];
      floor = std::min(floor, first);
      std::uint64_t word = first, taken = 0;
      for (;; ++word) {
        const std::size_t at = word % kSetWords;
        taken = row[at] | column[at] | diagonal[at];
        if (taken != ~std::uint64_t{0}) break;
      }
      const auto bit = static_cast<unsigned>(std::countr_one(taken));
      values_[x] = word * kWordBits + bit;
      top_ = std::max(top_, word);
      for (NumberSet* set : {&row, &column, &diagonal}) {
        (*set)[word % kSetWords] |= std::uint64_t{1} << bit;
      }
      for (; row[first % kSetWords] == ~std::uint64_t{0}; ++first) row[first % kSetWords] = 0;
    }
    // Diagonals have numbers of as many columns as there are rows.
    std::uint64_t& oldest = floors_[column_ % kWythoffRows];
    ASSERT_LT(top_ - oldest, kSetWords) << "column " << column_;
    oldest = floor;
    ++column_;
  }

  [[nodiscard]] std::uint64_t column() const { return column_; }
  /// Of the last column.
  [[nodiscard]] std::uint64_t value(std::uint32_t row) const { return values_[row]; }

  /// Whether all that later columns depend on is the same as before, with numbers larger by the
  /// number of columns in between. @pre that number is a multiple of the places of a set, and of
  /// the rows
  [[nodiscard]] bool recurs(const WythoffColumns& before) const {
    const std::uint64_t words = (column_ - before.column_) / kWordBits;
    for (std::uint32_t x = 0; x < kWythoffRows; ++x) {
      if (first_[x] != before.first_[x] + words) return false;
    }
    return rows_ == before.rows_ && diagonals_ == before.diagonals_;
  }

 private:
  [[nodiscard]] std::size_t diagonal_of(std::uint32_t row) const {
    return (column_ + kWythoffRows - row) % kWythoffRows;
  }

  std::uint64_t column_ = 0, top_ = 0;
  std::array<NumberSet, kWythoffRows> rows_{};       ///< without numbers below the first one
  std::array<std::uint64_t, kWythoffRows> first_{};  ///< 64 numbers of a row that are not all there
  std::array<NumberSet, kWythoffRows> diagonals_{};
  std::array<std::uint64_t, kWythoffRows> values_{};
  std::array<std::uint64_t, kWythoffRows> floors_{};  ///< the least of first_, of late columns
};

/// Compares a row with the record, column by column.
class RowWatch {
 public:
  explicit RowWatch(const RowPeriod& claim) : claim_(claim), ring_(claim.period) {}

  /// Takes the value of the next column. All columns before are known.
  void take(std::uint64_t column, std::uint64_t value) {
    const std::uint64_t period = claim_.period;
    const auto ahead =
        static_cast<std::int16_t>(static_cast<std::int64_t>(value - column));  // of the column
    if (column >= period && ring_[at_] != ahead) last_difference_ = column;
    for (Divisor& divisor : divisors_) {
      if (divisor.fails || period % divisor.prime != 0 || column < claim_.preperiod + period) {
        continue;
      }
      divisor.fails = ring_[(at_ + period - period / divisor.prime) % period] != ahead;
    }
    ring_[at_] = ahead;
    if (++at_ == period) at_ = 0;
  }

  /// The least preperiod that the columns allow.
  [[nodiscard]] std::uint64_t preperiod() const {
    return last_difference_ == 0 ? 0 : last_difference_ + 1 - claim_.period;
  }
  /// Whether a part of the period is none: all periods have the primes 2 and 3 alone.
  [[nodiscard]] bool is_least() const {
    std::uint64_t rest = claim_.period;
    for (const Divisor& divisor : divisors_) {
      if (claim_.period % divisor.prime == 0 && !divisor.fails) return false;
      while (rest % divisor.prime == 0) rest /= divisor.prime;
    }
    return rest == 1;
  }

 private:
  struct Divisor {
    std::uint64_t prime;
    bool fails = false;
  };

  RowPeriod claim_;
  std::vector<std::int16_t> ring_;  ///< how far values are ahead of their columns, of one period
  std::uint64_t at_ = 0, last_difference_ = 0;
  std::array<Divisor, 2> divisors_{{{2}, {3}}};
};

TEST(WythoffRows, TheRecordIsProvedByTheDefinition) {
  constexpr std::uint64_t kStart = 17'937'983, kPeriod = 393'216;
  static_assert(kPeriod % (kSetWords * kWordBits) == 0 && kPeriod % kWythoffRows == 0);
  const std::vector<RowPeriod> record = testing_support::recorded_wythoff_rows();
  ASSERT_EQ(record.size(), kWythoffRows);
  std::vector<RowWatch> watches;
  for (const RowPeriod& row : record) {
    EXPECT_EQ(row.saltus, row.period) << row.row;
    EXPECT_EQ(kPeriod % row.period, 0U) << row.row;
    EXPECT_LE(row.preperiod + row.period, kStart) << row.row;
    watches.emplace_back(row);
  }
  const auto columns = std::make_unique<WythoffColumns>();
  std::unique_ptr<WythoffColumns> start;
  while (columns->column() < kStart + kPeriod) {
    if (columns->column() == kStart) start = std::make_unique<WythoffColumns>(*columns);
    const std::uint64_t column = columns->column();
    columns->advance();
    ASSERT_FALSE(HasFatalFailure());
    for (std::uint32_t x = 0; x < kWythoffRows; ++x) watches[x].take(column, columns->value(x));
  }
  EXPECT_TRUE(columns->recurs(*start));
  for (std::uint32_t x = 0; x < kWythoffRows; ++x) {
    EXPECT_EQ(watches[x].preperiod(), record[x].preperiod) << x;
    EXPECT_TRUE(watches[x].is_least()) << x;
  }
}

}  // namespace
}  // namespace grundy
