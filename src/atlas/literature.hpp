/// @file
/// The periods of octal games of up to three digits in the literature, in 174 classes. A table of
/// 2500 values decides 84 of them. Of the other 90 classes 16 are solved, and 74 have no known
/// period.
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
  HeapSize preperiod = 0;      ///< of a solved game; heaps are counted from 0
  HeapSize period = 0;         ///< 0 if no period is known
  std::string_view reference;  ///< who solved it, or how far it was computed and by whom
  Nimber saltus = 0;           ///< what values grow by in each period
};

/// All listed games: one of each class.
std::span<const KnownGame> known_games() noexcept;

}  // namespace grundy::atlas
