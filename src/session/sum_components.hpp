/// @file
/// The kinds of components of a sum: one heap, one position of several heaps, and the start
/// position of a game on positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>
#include <grundy/hooks.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/sum.hpp>
#include <grundy/table.hpp>
#include <grundy/types.hpp>

#include "theory/game_values.hpp"

namespace grundy {

class HeapComponent final : public SumComponent {
 public:
  /// @param game may be shared by several heaps
  /// @throws Error(kUsage) if the value of the heap is not known
  HeapComponent(std::shared_ptr<const GameValues> game, HeapSize size);

  const std::string& game() const noexcept override { return game_->name; }
  std::string notation() const override { return game_->rule.canonical(); }
  WrittenPosition position() const override;
  std::string label() const override;
  std::string words() const override;
  std::uint64_t value() const noexcept override { return value_; }
  std::optional<SumMoves> moves_to(std::uint64_t wanted,
                                   const std::stop_token& stop) const override;
  std::string describe(const SumMove& move) const override;

 private:
  std::shared_ptr<const GameValues> game_;
  HeapSize size_;
  std::uint64_t value_;
};

class LatticeComponent final : public SumComponent {
 public:
  /// Computes the values of all positions with no heap larger than that of `p`. A pass that the
  /// game has is still left. Null if it was stopped; of the hooks `stop` and `progress` count.
  /// @pre game.kind() == GameKind::kLattice
  /// @throws Error(kFailure) if there is not enough memory for them
  static std::unique_ptr<LatticeComponent> compute(const AnyGame& game, const LatticePoint& p,
                                                   const Hooks& hooks);
  /// Looks values up. @throws Error(kUsage) if the table has no such position
  LatticeComponent(std::shared_ptr<const TableReader> table, const LatticePoint& p);

  const std::string& game() const noexcept override { return title_; }
  std::string notation() const override { return rule_.canonical(); }
  WrittenPosition position() const override { return written(p_); }
  std::string label() const override;
  std::string words() const override;
  std::uint64_t value() const noexcept override { return value_; }
  std::optional<SumMoves> moves_to(std::uint64_t wanted,
                                   const std::stop_token& stop) const override;
  std::string describe(const SumMove& move) const override;

 private:
  using PositionValues = std::function<Nimber(const LatticePoint&, unsigned plane)>;

  LatticeComponent(std::string title, LatticeRule rule, const LatticePoint& p,
                   PositionValues values);

  [[nodiscard]] WrittenPosition written(const LatticePoint& p) const;

  std::string title_;
  LatticeRule rule_;
  LatticePoint p_;
  PositionValues values_;
  Nimber value_ = 0;
};

/// A position that is valued by search, without a table.
class GraphComponent final : public SumComponent {
 public:
  /// Searches for the value; null if `stop` came first. @pre game.kind() == GameKind::kGraph
  /// @throws Error(kFailure) at the limit of memory
  static std::unique_ptr<GraphComponent> compute(const AnyGame& game, const std::stop_token& stop);

  const std::string& game() const noexcept override { return title_; }
  std::string notation() const override { return notation_; }
  WrittenPosition position() const override;
  std::string label() const override { return notation_; }
  std::string words() const override { return notation_; }
  std::uint64_t value() const noexcept override { return value_; }
  /// Moves that look different are different, though play may go on alike.
  std::optional<SumMoves> moves_to(std::uint64_t wanted,
                                   const std::stop_token& stop) const override;
  std::string describe(const SumMove& move) const override;

 private:
  explicit GraphComponent(const AnyGame& game);

  std::string notation_, title_;
  std::shared_ptr<const GraphGame> game_;
  std::unique_ptr<GraphSearch> search_;  ///< what it learns does not change an answer
  mutable std::mutex searching_;         ///< a search answers one question at a time
  std::vector<std::uint64_t> start_;     ///< the whole position, not reduced, as a player sees it
  Nimber value_ = 0;
};

}  // namespace grundy
