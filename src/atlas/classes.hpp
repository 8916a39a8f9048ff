/// @file
/// Finds the games of a family that have equal or shifted values, and the evidence for it.
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

/// Games that have the same values by a theorem about their rules. Only one of them is computed.
struct Unit {
  struct Entry {
    std::size_t game;
    AtlasEvidence evidence;
  };
  std::vector<Entry> games;  ///< the first one is computed
  GameResult result;
};

/// The games in the order in which they are preferred as representatives of a class: codes before
/// sets, d0 = 0 before other codes, then by the number of digits or elements, then by the code.
/// Equal games appear once.
std::vector<Game> ordered_games(const std::vector<HeapRule>& rules);

/// Units of games with equal standard forms, in the order of their first games.
std::vector<Unit> units_by_standard_form(const std::vector<Game>& games);

/// Joins units that differ only in redundant moves. @pre every unit has its result
/// @throws Error(kMismatch) if the values of two such units differ, which a theorem forbids
void join_redundant(const std::vector<Game>& games, std::vector<Unit>& units);

/// A class: units of equal values. The first unit represents the class; the evidence for each
/// further unit is kPeriods or kObserved.
struct UnitClass {
  struct Entry {
    std::size_t unit;
    AtlasEvidence evidence;
    HeapSize compared;  ///< kObserved: number of equal values from the first nonzero one on
  };
  std::vector<Entry> units;
};

/// Every unit joins the first class whose first unit has the same values, as far as both are known.
/// A certified period makes the values of all heaps known.
std::vector<UnitClass> classify(const std::vector<Unit>& units);

/// Whether both have certified periods, which prove the same values from the first nonzero one on.
bool have_equal_periods(const GameResult& a, const GameResult& b);

/// The first heap of nonzero value; the number of values if there is none.
HeapSize lead_of(Values values) noexcept;

}  // namespace grundy::atlas
