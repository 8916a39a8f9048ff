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
#include <grundy/sum.hpp>
#include <grundy/table.hpp>
#include <grundy/types.hpp>

namespace grundy {

class LatticeComponent final : public SumComponent {
 public:
  /// Computes the values of all positions with no heap larger than that of `p`. A pass that the
  /// game has is still left.
  /// @pre game.kind() == GameKind::kLattice
  /// @throws Error(kFailure) if there is not enough memory for them
  LatticeComponent(const AnyGame& game, const LatticePoint& p, ProgressSink* progress);
  /// Looks values up. @throws Error(kUsage) if the table has no such position
  LatticeComponent(std::shared_ptr<const TableReader> table, const LatticePoint& p);

  const std::string& game() const noexcept override { return title_; }
  std::string notation() const override { return rule_.canonical(); }
  WrittenPosition position() const override { return written(p_); }
  std::string label() const override;
  std::string words() const override;
  std::uint64_t value() const noexcept override { return value_; }
  SumMoves moves_to(std::uint64_t wanted) const override;
  std::string describe(const SumMove& move) const override;

 private:
  [[nodiscard]] WrittenPosition written(const LatticePoint& p) const;

  std::string title_;
  LatticeRule rule_;
  LatticePoint p_;
  std::function<Nimber(const LatticePoint&, unsigned plane)> values_;
  Nimber value_ = 0;
};

}  // namespace grundy
