/// @file
/// A position of a game whose positions are not single heaps, as one component of a sum: its
/// value, and the moves from it to a given value.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

/// A position in the notation of its game; where it consists of heaps, also their sizes.
struct WrittenPosition {
  std::string text;
  std::vector<std::uint32_t> heaps{};
  friend auto operator<=>(const WrittenPosition&, const WrittenPosition&) = default;
};

/// A move, by what it leaves.
struct PositionMove {
  WrittenPosition left;
  bool pass = false;  ///< it leaves the position as it is, and no pass
};

class SumPosition {
 public:
  virtual ~SumPosition() = default;

  /// The title of the game, and the text by which it is typed.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;
  [[nodiscard]] virtual std::string notation() const = 0;
  [[nodiscard]] virtual WrittenPosition position() const = 0;
  /// Game and position, for a column of a table and for a sentence.
  [[nodiscard]] virtual std::string label() const = 0;
  [[nodiscard]] virtual std::string sentence() const = 0;
  [[nodiscard]] virtual Nimber value() const noexcept = 0;
  /// Every move to a position of value `wanted`, each once, in ascending order of what is left.
  [[nodiscard]] virtual std::vector<PositionMove> moves_to(Nimber wanted) const = 0;
};

}  // namespace grundy
