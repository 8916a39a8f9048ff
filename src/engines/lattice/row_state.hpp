/// @file
/// The rows of a game of two heaps, column after column, and the state that decides what follows.
///
/// See row_period.hpp for what a state is and why its recurrence is a proof.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// A set of values that contains all small ones.
class UsedValues {
 public:
  void insert(Nimber value);
  [[nodiscard]] bool contains(Nimber value) const noexcept;
  /// The least value that is not in the set.
  [[nodiscard]] Nimber least_missing() const noexcept { return least_missing_; }
  /// No value above this is in the set.
  [[nodiscard]] Nimber end() const noexcept {
    return static_cast<Nimber>(64 * (first_word_ + words_.size()));
  }

 private:
  std::uint64_t first_word_ = 0;  ///< all words before it are full
  std::vector<std::uint64_t> words_;
  Nimber least_missing_ = 0;
};

class RowState {
 public:
  /// @pre row_period_refusal(rule) is empty
  /// @throws Error(kUsage) if moves reach back too many columns
  RowState(const LatticeRule& rule, std::uint32_t last_row);

  /// Computes the next column.
  void advance();

  [[nodiscard]] std::uint64_t column() const noexcept { return column_; }
  [[nodiscard]] const std::vector<std::vector<Nimber>>& rows() const noexcept { return rows_; }
  /// The least value that some row may still take.
  [[nodiscard]] Nimber base() const noexcept { return base_; }

  /// The whole state relative to base().
  [[nodiscard]] std::vector<std::uint32_t> snapshot() const;
  /// Whether snapshot() would be equal to this one; quick if it is not.
  [[nodiscard]] bool matches(const std::vector<std::uint32_t>& snapshot) const;

 private:
  /// An option that lies a bounded number of columns back.
  struct Look {
    std::uint32_t row;
    std::uint32_t back;
    friend auto operator<=>(const Look&, const Look&) = default;
  };
  void add_look(std::uint32_t row, std::uint64_t taken, std::uint64_t back);
  void add_ray(const LatticeRay& ray, std::uint32_t row);
  [[nodiscard]] Nimber value_at(std::uint32_t row);
  void insert(std::uint32_t row, Nimber value);
  /// Shows every part of the state to `visit`, until it returns false.
  template <class Visit>
  bool for_each_part(Visit&& visit) const;

  std::vector<std::vector<Look>> looks_;  ///< by row
  std::uint32_t reach_ = 0;               ///< the largest Look::back
  std::vector<std::uint32_t> steps_;      ///< v of the rays (0, v)* of any multiple
  bool below_ = false;                    ///< a box: all earlier columns of lower rows are options
  std::uint64_t cycle_ = 1;               ///< least common multiple of steps_
  /// By row and residue of the column modulo cycle_: the values of its unboundedly many options.
  std::vector<UsedValues> sets_;
  std::vector<std::vector<Nimber>> rows_;
  std::uint64_t column_ = 0;
  Nimber base_ = 0;
  std::vector<std::uint64_t> seen_;  ///< by value - base_: the stamp of the last cell that saw it
  std::uint64_t stamp_ = 0;
};

}  // namespace grundy
