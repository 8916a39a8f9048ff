/// @file
/// One position of a lattice game as a component of a sum.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <grundy/games.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/progress.hpp>
#include <grundy/table.hpp>
#include <grundy/types.hpp>

#include "session/sum_position.hpp"

namespace grundy {

class LatticePosition final : public SumPosition {
 public:
  /// Computes the values of all positions with no heap larger than that of `p`. A pass that the
  /// game has is still left.
  /// @pre game.kind() == GameKind::kLattice
  /// @throws Error(kFailure) if there is not enough memory for them
  LatticePosition(const AnyGame& game, const Point& p, ProgressSink* progress);
  /// Looks values up. @throws Error(kUsage) if the table has no such position
  LatticePosition(std::shared_ptr<const TableReader> table, const Point& p);

  const std::string& name() const noexcept override { return name_; }
  std::string notation() const override { return rule_.canonical(); }
  WrittenPosition position() const override { return written(p_); }
  std::string label() const override;
  std::string sentence() const override;
  Nimber value() const noexcept override { return value_; }
  std::vector<PositionMove> moves_to(Nimber wanted) const override;

 private:
  [[nodiscard]] WrittenPosition written(const Point& p) const;

  std::string name_;
  LatticeRule rule_;
  Point p_;
  std::function<Nimber(const Point&, unsigned plane)> values_;
  Nimber value_ = 0;
};

}  // namespace grundy
