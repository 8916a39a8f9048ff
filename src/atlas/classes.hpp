/// @file
/// Which games of a family have equal or shifted values, and why.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <grundy/atlas.hpp>

#include "atlas/game_run.hpp"
#include "atlas/standard_form.hpp"

namespace grundy::atlas {

/// A game with its place in the family.
struct Game {
  HeapRule rule;
  std::string code;
  std::optional<StandardForm> form;
};

/// Games that a theorem about their rules gives the same values. One of them is computed.
struct Unit {
  struct Entry {
    std::size_t game;
    Evidence evidence;
  };
  std::vector<Entry> games;  ///< the first one is computed
  GameResult result;
};

/// Games in the order in which they may stand for a class: codes before sets, d0 = 0 before others,
/// then by the number of digits or elements, then by the code. Equal games appear once.
std::vector<Game> ordered_games(const std::vector<HeapRule>& rules);

/// Games of equal standard form, in the order of their first games.
std::vector<Unit> units_by_standard_form(const std::vector<Game>& games);

/// Joins units that differ in redundant moves only. @pre every unit has its result
/// @throws Error(kMismatch) if the values of two such units differ, which a theorem forbids
void join_redundant(const std::vector<Game>& games, std::vector<Unit>& units);

/// A class: units of equal values. The first unit stands for it; the evidence of each further one
/// is kPeriods or kObserved.
struct UnitClass {
  struct Entry {
    std::size_t unit;
    Evidence evidence;
    HeapSize compared;  ///< kObserved: number of equal values from the first one that is not 0
  };
  std::vector<Entry> units;
};

/// Every unit joins the first class whose first unit has the same values, as far as both are known.
/// A certified period makes the values of all heaps known.
std::vector<UnitClass> classify(const std::vector<Unit>& units);

/// The first heap of nonzero value; the number of values if there is none.
HeapSize lead_of(Values values) noexcept;

}  // namespace grundy::atlas
