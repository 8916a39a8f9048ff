/// @file
/// The rows of a game of two heaps, column after column, and the state that determines all later
/// columns.
///
/// row_period.hpp says what a state is and why its recurrence is a proof. The options of a position
/// are of three kinds. Options in its own row, any number of columns back, are a set of the row.
/// Options along a ray (u, v) with u > 0 are a set of their *line*. A line ends at the last row, so
/// a line that began too many columns ago is forgotten. Options that a move names one by one are
/// *looks* at a column a few columns back.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/types.hpp>

#include "engines/lattice/moving_sets.hpp"

namespace grundy {

class RowState {
 public:
  /// @pre row_period_refusal(rule) is empty
  /// @throws Error(kUsage) if moves reach too many columns back
  RowState(const LatticeRule& rule, std::uint32_t last_row);

  /// Computes the next column.
  void advance();

  /// The number of columns that have been computed.
  [[nodiscard]] std::uint64_t column() const noexcept { return column_; }
  /// The values of the last column, by row.
  [[nodiscard]] std::span<const Nimber> values() const noexcept { return values_; }
  /// The least value that some row may still take.
  [[nodiscard]] Nimber base() const noexcept { return base_; }

  /// The whole state relative to base().
  [[nodiscard]] std::vector<std::uint32_t> snapshot() const;
  /// Whether snapshot() would equal this one. Quick if they differ.
  [[nodiscard]] bool matches(const std::vector<std::uint32_t>& snapshot) const;

 private:
  /// An option that lies a bounded number of columns back.
  struct Look {
    std::uint32_t row;
    std::uint32_t back;
    friend auto operator<=>(const Look&, const Look&) = default;
  };
  /// The lines of a ray (u, v), u > 0, with any multiple. A line begins in one of the rows
  /// 0 .. u-1. The sets of the lines that begin in one column lie together. Those of the last
  /// `columns` columns form a ring.
  struct Lines {
    std::uint32_t u = 1;
    std::uint32_t columns = 1;
    std::uint32_t first_set = 0;
    std::int32_t here = 0;             ///< the sets of this column, counted from first_set
    std::vector<std::int32_t> offset;  ///< by row: distance from `here` to the set of the line
    /// The set of the line that meets a row in this column.
    [[nodiscard]] std::uint32_t at(std::uint32_t row) const noexcept {
      const std::int32_t set = here + offset[row];
      return first_set + static_cast<std::uint32_t>(set < 0 ? set + ring() : set);
    }
    [[nodiscard]] std::int32_t ring() const noexcept {
      return static_cast<std::int32_t>(columns * u);
    }
  };
  void add_look(std::uint32_t row, std::uint64_t taken, std::uint64_t back);
  void add_ray(const LatticeRay& ray);
  void add_lines(std::uint32_t u, std::uint32_t v);
  void add_band(const LatticeBand& band);
  void collect_sets(std::uint32_t row);
  [[nodiscard]] Nimber past(std::uint32_t row, std::uint32_t back) const noexcept {
    return back == 0 ? values_[row] : past_[(column_ - back) % reach_ * rows_ + row];
  }
  void use_in_rows(std::uint32_t row, Nimber value);
  void use(std::size_t set, Nimber value);
  /// Shows every part of the state to `visit`, until it returns false.
  template <class Visit>
  bool for_each_part(Visit&& visit) const;

  std::uint32_t rows_;
  std::vector<std::vector<Look>> looks_;  ///< by row
  std::uint32_t reach_ = 0;               ///< the largest Look::back
  std::vector<Nimber> past_;              ///< the last reach_ columns, in a ring
  std::vector<std::uint32_t> steps_;      ///< v of the rays (0, v)* of any multiple
  bool below_ = false;                    ///< a box makes all earlier columns of lower rows options
  std::uint64_t cycle_ = 1;               ///< least common multiple of steps_
  std::vector<std::uint8_t> is_step_;     ///< by distance below cycle_: one of steps_ divides it
  std::vector<Lines> lines_;
  /// First the sets by row and residue of the column modulo cycle_, then those of lines, then one
  /// for looks.
  MovingSets sets_{0};
  std::uint32_t looked_ = 0;           ///< the set for looks
  std::vector<Nimber> least_missing_;  ///< of each set by row and residue
  std::vector<Nimber> values_;
  std::vector<std::uint32_t> asked_;  ///< the sets that a position needs
  std::uint64_t column_ = 0;
  Nimber base_ = 0;
};

}  // namespace grundy
