/// @file
/// Finds the listed game (literature.hpp) that has the values of a game, up to a shift, where that
/// is proved: by standard forms, by redundant moves, or by certified periods. It need not be in the
/// family.
// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string_view>

#include "atlas/classes.hpp"
#include "atlas/game_run.hpp"
#include "atlas/literature.hpp"
#include "atlas/standard_form.hpp"

namespace grundy::atlas {

class LiteratureSearch {
 public:
  /// References must outlive this.
  LiteratureSearch(const KernelSet& kernels, Executor& executor);

  /// The listed game that has the values of a unit; null if there is none, or none is proved.
  [[nodiscard]] const KnownGame* find(const std::vector<Game>& games, const Unit& unit);

 private:
  [[nodiscard]] const KnownGame* of_form(const PlainCode& code) const;
  [[nodiscard]] const KnownGame* of_period(const GameResult& result);
  [[nodiscard]] const GameResult& result_of(const KnownGame& known);

  const KernelSet& kernels_;
  Executor& executor_;
  /// By standard form, and by the form with all redundant moves, which is longer.
  std::map<PlainCode, const KnownGame*> known_of_form_;
  std::map<std::string_view, GameResult> results_;  ///< of listed games, by code
};

}  // namespace grundy::atlas
