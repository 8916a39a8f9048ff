/// @file
/// The start position of a game on positions as a component of a sum: valued by search, without a
/// table.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <grundy/games.hpp>
#include <grundy/graph/engine.hpp>

#include "session/sum_position.hpp"

namespace grundy {

class GraphPosition final : public SumPosition {
 public:
  /// Searches for the value. @pre game.kind() == GameKind::kGraph
  /// @throws Error(kFailure) at the limit of memory
  explicit GraphPosition(const AnyGame& game);

  const std::string& name() const noexcept override { return name_; }
  std::string notation() const override { return notation_; }
  WrittenPosition position() const override;
  std::string label() const override { return notation_; }
  std::string sentence() const override { return notation_; }
  Nimber value() const noexcept override { return value_; }
  /// Moves that look different are different, though play may go on alike.
  std::vector<PositionMove> moves_to(Nimber wanted) const override;

 private:
  std::string notation_, name_;
  std::shared_ptr<const GraphGame> game_;
  std::unique_ptr<GraphSearch> search_;  ///< what it learns changes no answer
  std::vector<std::uint64_t> start_;     ///< not reduced: what a player sees
  Nimber value_ = 0;
};

}  // namespace grundy
