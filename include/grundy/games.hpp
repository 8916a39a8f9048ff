/// @file
/// Games of all kinds by name and by notation: the catalogue, and the one way from a text to a
/// game.
///
/// What a person may type for a game:
///
///     kayles, "Dawson's Chess"       a name of the catalogue
///     moore(4,2)                     a named game of several heaps, with its parameters
///     cram:5x6, node-kayles:g.txt    a named game on positions, with what it is played on
///     0.77, S{1,2,5}                 the notation of a game of one heap (heap/rule.hpp)
///     n -> n - d : d | n, d < n      a rule of one's own for one heap (heap/formula.hpp)
///     2: sym (1,0)* + (1,1)*         the notation of a game of several heaps (lattice/rule.hpp)
///     my-game.toml                   a rules file
///
/// Names are found whatever their case; blanks, `_`, `-` and apostrophes do not count. A rules file
/// is a game of heaps in TOML:
///
///     # Wythoff's game with one more move
///     title     = "Wythoff with a jump"                       # may be left out, like
///     rules     = "Take any number from one heap, or ..."     # the words, and
///     reference = "..."                                       # where the game comes from
///     heaps     = 2
///     moves     = ["sym (1,0)*", "(1,1)*", "sym (1,2)"]       # primitives as in lattice/rule.hpp
///
/// With `heaps = 1` the moves are clauses as in heap/formula.hpp, `["n - d : d | n, d < n"]`.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include <grundy/error.hpp>
#include <grundy/graph/graph_game.hpp>
#include <grundy/heap/rule.hpp>
#include <grundy/lattice/rule.hpp>

namespace grundy {

/// What the positions of a game are. Engines, requests and tables depend on it.
enum class GameKind : std::uint8_t {
  kHeap,     ///< one heap: a number
  kLattice,  ///< several heaps: a point
  kGraph,    ///< anything else: positions are found as play reaches them
};

/// "a game of one heap", "a game of several heaps" or "a game on positions".
std::string_view to_words(GameKind kind) noexcept;

/// One number that a named game of several heaps takes.
struct GameParameter {
  std::string_view name;
  std::uint32_t least, most, usual;
};

/// What GRAPH stands for in NamedGame::form.
inline constexpr std::string_view kGraphParameter =
    "MxN (a grid), kings:MxN, knights:MxN, queens:MxN, path:N, cycle:N, complete:N, hypercube:D, "
    "petersen:N,K or a file with an edge list or graph6";

/// An entry of the catalogue: a game, or a game with parameters.
struct NamedGame {
  GameKind kind;
  std::string_view name;  ///< lower case, words joined by `-`
  std::string_view title;
  std::string form;      ///< how it is typed: `kayles`, `moore(heaps,k)`, `cram:MxN`
  std::string notation;  ///< for games of heaps: canonical, with the usual parameters; else empty
  std::string rules;     ///< the moves in words
  std::string_view reference;  ///< where the game was defined or is treated
  std::string_view note;       ///< conventions, relatives, what is known, traps; may be empty
  std::span<const GameParameter> parameters;  ///< of a game of several heaps
  std::string_view positions;                 ///< for kGraph: how positions are written
};

/// All named games, kind by kind, in the order in which they are listed. A name may occur once in
/// each kind.
std::span<const NamedGame> catalogue();

/// The game of that kind and name; null if there is none. Case, blanks, `_`, `-` and apostrophes in
/// `name` do not matter.
const NamedGame* find_game(std::string_view name, GameKind kind);

/// A game of any kind.
struct AnyGame {
  std::variant<HeapRule, LatticeRule, std::shared_ptr<const GraphGame>> rule;
  std::string notation;  ///< a text that means the game; canonical for games of heaps
  std::string title;     ///< for people; the notation if nothing better is known
  std::string rules{};   ///< the moves in the words of the catalogue or of the rules file, if any
  std::string reference{};           ///< where it was defined or is treated, if that is known
  const NamedGame* named = nullptr;  ///< its entry of the catalogue, if it was named

  [[nodiscard]] GameKind kind() const noexcept { return static_cast<GameKind>(rule.index()); }
  /// The rule, or the game on positions. @throws Error(kUsage) if the game is of another kind
  [[nodiscard]] const HeapRule& heap() const&;
  [[nodiscard]] HeapRule heap() &&;
  [[nodiscard]] const LatticeRule& lattice() const&;
  [[nodiscard]] LatticeRule lattice() &&;
  [[nodiscard]] const GraphGame& graph() const&;
  const GraphGame& graph() && = delete;
};

/// The game that a text means (see the head of this file).
/// @param preferred the kind that is meant if games of several kinds have the name, such as `nim`
/// @param reduction which positions of a game on positions count as one
/// @throws Error(kUsage) that names the nearest game, or says what is wrong and where;
/// Error(kCorrupt) if the text names a malformed file with a graph
AnyGame resolve_game(std::string_view text, GameKind preferred = GameKind::kHeap,
                     Reduction reduction = Reduction::kComponents);

/// The same game, but the player who cannot move wins. @pre game.kind() == GameKind::kLattice
AnyGame in_misere_play(AnyGame game);

/// The game in a rules file.
/// @throws Error(kUsage) if it cannot be read, or with file, line and column if it is malformed
AnyGame read_rules_file(const std::filesystem::path& path);

}  // namespace grundy
