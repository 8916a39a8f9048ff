/// @file
/// What the literature says of the periods of octal games of up to three digits, in 174 classes: 84
/// that a table of 2500 values decides are solved, and 16 of the other 90; of 74 no period is
/// known.
///
/// README.md names the sources. Nothing here is used as a proof: a class is `certified` by its own
/// values alone.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include <grundy/types.hpp>

namespace grundy::atlas {

/// One game in the literature.
struct KnownGame {
  std::string_view code;       ///< canonical notation
  HeapSize preperiod = 0;      ///< of a solved game, heaps counted from 0
  HeapSize period = 0;         ///< 0: no period is known
  std::string_view reference;  ///< who solved it; or how far it was computed, and by whom
};

/// All games that are listed: one of each class.
std::span<const KnownGame> known_games() noexcept;

/// The game with this canonical notation; null if it is not listed.
const KnownGame* known_game(std::string_view code) noexcept;

}  // namespace grundy::atlas
