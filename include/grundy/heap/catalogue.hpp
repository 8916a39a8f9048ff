/// @file
/// The named heap games: name, notation, the moves in words, where the game comes from.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include <grundy/heap/rule.hpp>

namespace grundy {

/// One named game.
struct NamedGame {
  std::string_view name;       ///< what is typed: lower case, words joined by `-`
  std::string_view title;      ///< what is printed
  std::string_view notation;   ///< parsed by HeapRule::parse
  std::string_view reference;  ///< where the game was defined or is treated
  std::string_view note;       ///< index conventions, relatives, what is known; may be empty
};

/// All named heap games, in the order in which they are listed.
std::span<const NamedGame> heap_catalogue() noexcept;

/// What a person typed for a game, decoded.
struct ResolvedGame {
  HeapRule rule;
  const NamedGame* named;  ///< null unless a catalogue name (or an alias of one) was typed
};

/// A catalogue name, case and `_ ' -` and spaces ignored, or else a notation.
/// @throws Error(kUsage) that names the nearest catalogue entry, or the notation's fault
ResolvedGame resolve_heap_game(std::string_view text);

}  // namespace grundy
