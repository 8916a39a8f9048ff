/// @file
/// One heap as a component of a sum.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include <grundy/sum.hpp>

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
  SumMoves moves_to(std::uint64_t wanted) const override;
  std::string describe(const SumMove& move) const override;

 private:
  std::shared_ptr<const GameValues> game_;
  HeapSize size_;
  std::uint64_t value_;
};

}  // namespace grundy
