/// @file
/// The named lattice games: parameters, exact rules in words, where the game comes from.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <grundy/lattice/rule.hpp>

namespace grundy {

/// One integer that a named game takes.
struct LatticeParameter {
  std::string_view name;
  std::uint32_t least, most, usual;
};

/// A named game or family of games.
struct NamedLatticeGame {
  std::string_view name;  ///< what is typed: lower case, words joined by `-`
  std::string_view title;
  std::string_view rules;      ///< the moves in words
  std::string_view reference;  ///< where the game was defined or is treated
  std::string_view note;       ///< what is known, traps; may be empty
  std::span<const LatticeParameter> parameters;
  /// The notation for given parameters, each in its range.
  std::string (*notation)(std::span<const std::uint32_t> parameters);
};

/// All named lattice games, in the order in which they are listed.
std::span<const NamedLatticeGame> lattice_catalogue() noexcept;

/// What a person typed for a lattice game, decoded.
struct ResolvedLatticeGame {
  LatticeRule rule;
  std::string title;        ///< for people; the canonical notation if nothing better is known
  std::string rules{};      ///< the moves in words, where the game is a named one
  std::string reference{};  ///< where it was defined or is treated
};

/// A catalogue name with its parameters, such as `wythoff`, `moore(4,2)`; those left out have
/// their usual value. Or a notation.
/// @throws Error(kUsage) if it is neither, or a parameter is out of range
ResolvedLatticeGame resolve_lattice_game(std::string_view text);

}  // namespace grundy
