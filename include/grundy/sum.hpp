/// @file
/// Sums of games of any kind: value, outcome, and every move that wins.
///
/// In a sum a player moves in one component and leaves the others alone. The Grundy value of a sum
/// is the nim-sum of the values of its components (Sprague 1935, Grundy 1939). The player to move
/// wins exactly if the nim-sum s is not 0: a winning move takes some component of value g to a
/// position of value g xor s. Such a move exists wherever g xor s < g, because g is the mex of the
/// values of its options. Where g xor s > g it may exist too, and only a look at the options tells.
///
///     const auto sum = grundy::GameSum::read({"kayles:12,7", "wythoff:3,5", "cram:3x4", "*5"});
///     const auto winning = sum.winning_moves();
///     for (std::size_t i = 0; i < winning.size(); ++i) {
///       for (const grundy::SumMove& move : winning[i].moves) {
///         std::puts(sum.components()[i]->describe(move).c_str());
///       }
///     }
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/hooks.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// A position in the notation of its game; where it consists of heaps, also their sizes.
struct WrittenPosition {
  std::string text;
  std::vector<HeapSize> heaps{};
  friend auto operator<=>(const WrittenPosition&, const WrittenPosition&) = default;
};

/// A move in one component, by what it leaves there.
struct SumMove {
  WrittenPosition left;  ///< in the place of a heap: the heaps it becomes, ascending
  /// Tokens removed from a heap; 0 for a mere split. Nothing for a pass, and in positions that are
  /// not one heap.
  std::optional<HeapSize> taken{};
  bool pass = false;  ///< the move is the pass: the position stays, without a pass
};

/// Moves in one component to positions of one value.
struct SumMoves {
  std::vector<SumMove> moves{};
  /// All such moves are listed. If not, a heap has too many options to look through: then one move
  /// is listed, or none if none was found.
  bool complete = true;
};

/// A position that is one component of a sum.
class SumComponent {
 public:
  virtual ~SumComponent() = default;

  /// The title of the game, and its notation.
  [[nodiscard]] virtual const std::string& game() const noexcept = 0;
  [[nodiscard]] virtual std::string notation() const = 0;
  [[nodiscard]] virtual WrittenPosition position() const = 0;
  /// Game and position in few words: "Kayles 12".
  [[nodiscard]] virtual std::string label() const = 0;
  /// The same in a sentence: "the Kayles heap of 12".
  [[nodiscard]] virtual std::string words() const = 0;
  [[nodiscard]] virtual std::uint64_t value() const noexcept = 0;
  /// The moves to positions of value `wanted`, each once. For a heap with more than 4
  /// million options one move may be all that is listed. Nothing if `stop` came first.
  /// @throws Error(kUsage) if the value of an option is not known
  [[nodiscard]] virtual std::optional<SumMoves> moves_to(std::uint64_t wanted,
                                                         const std::stop_token& stop) const = 0;
  /// A move of moves_to() in words: "from the Kayles heap of 12 take 2, leaving 4 + 6".
  [[nodiscard]] virtual std::string describe(const SumMove& move) const = 0;
};

/// A sum of positions of games of any kind, with all values that it takes to play it. Safe to use
/// from several threads.
class GameSum {
 public:
  /// Reads components and finds their values. A component is:
  ///
  ///     kayles:12,7     heaps of a game of one heap, each a component of its own
  ///     wythoff:3,5     one position of a game of several heaps
  ///     kayles.h5:12,7  heaps, or one position, of a table
  ///     cram:3x4        the start of a game on positions
  ///     *5              a heap of Nim
  ///
  /// A text may have several components, with blanks or ` + ` between them.
  /// Heaps have any size up to 2^64-1 if a period is certified.
  /// @throws Error(kUsage) that names the component that cannot be read, Error(kFailure) if there
  ///   is not enough memory for the values, Error(kCorrupt) for a damaged table
  static GameSum read(const std::vector<std::string>& texts);
  /// The same; nothing if it was stopped. Of the hooks, `stop` and `progress` count. `progress`
  /// hears of one computation after the other.
  static std::optional<GameSum> read(const std::vector<std::string>& texts, const Hooks& hooks);

  [[nodiscard]] const std::vector<std::unique_ptr<const SumComponent>>& components()
      const noexcept {
    return components_;
  }
  /// The nim-sum of the values of the components.
  [[nodiscard]] std::uint64_t value() const noexcept;
  /// The player to move loses: the value is 0.
  [[nodiscard]] bool is_p_position() const noexcept { return value() == 0; }
  /// Entry i: the moves in component i that win. Such a move takes the component from its value g
  /// to g xor value(). A P-position has none. @throws Error as SumComponent::moves_to()
  [[nodiscard]] std::vector<SumMoves> winning_moves() const;
  /// The same; nothing if `stop` came first.
  [[nodiscard]] std::optional<std::vector<SumMoves>> winning_moves(
      const std::stop_token& stop) const;

 private:
  std::vector<std::unique_ptr<const SumComponent>> components_;
};

}  // namespace grundy
