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
#include <grundy/sum.hpp>

namespace grundy {

class GraphComponent final : public SumComponent {
 public:
  /// Searches for the value. @pre game.kind() == GameKind::kGraph
  /// @throws Error(kFailure) at the limit of memory
  explicit GraphComponent(const AnyGame& game);

  const std::string& game() const noexcept override { return title_; }
  std::string notation() const override { return notation_; }
  WrittenPosition position() const override;
  std::string label() const override { return notation_; }
  std::string words() const override { return notation_; }
  std::uint64_t value() const noexcept override { return value_; }
  /// Moves that look different are different, though play may go on alike.
  SumMoves moves_to(std::uint64_t wanted) const override;
  std::string describe(const SumMove& move) const override;

 private:
  std::string notation_, title_;
  std::shared_ptr<const GraphGame> game_;
  std::unique_ptr<GraphSearch> search_;  ///< what it learns changes no answer
  std::vector<std::uint64_t> start_;     ///< not reduced: what a player sees
  Nimber value_ = 0;
};

}  // namespace grundy
