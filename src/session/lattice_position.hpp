/// @file
/// One position of a lattice game as a component of a sum: its value, and the moves from it to a
/// given value.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <grundy/lattice/catalogue.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/progress.hpp>
#include <grundy/table.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// A move of a lattice game: the heaps after it, or a pass.
struct LatticeMove {
  Point left{};
  bool pass = false;
  friend auto operator<=>(const LatticeMove&, const LatticeMove&) = default;
};

class LatticePosition {
 public:
  /// Computes the values of all positions with no heap larger than that of `p`. A pass that the
  /// game has is still left.
  /// @throws Error(kFailure) if there is not enough memory for them
  LatticePosition(const ResolvedLatticeGame& game, const Point& p, ProgressSink* progress);
  /// Looks values up. @throws Error(kUsage) if the table has no such position
  LatticePosition(std::shared_ptr<const TableReader> table, const Point& p);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const LatticeRule& rule() const noexcept { return rule_; }
  [[nodiscard]] const Point& heaps() const noexcept { return p_; }
  [[nodiscard]] Nimber value() const noexcept { return value_; }

  /// Every move to a position of value `wanted`, each once, in ascending order of the heaps left.
  [[nodiscard]] std::vector<LatticeMove> moves_to(Nimber wanted) const;

 private:
  std::string name_;
  LatticeRule rule_;
  Point p_;
  std::function<Nimber(const Point&, unsigned plane)> values_;
  Nimber value_ = 0;
};

}  // namespace grundy
