/// @file
/// The rows of the catalogue, kind by kind. A new named game is one row in heap_games.cpp,
/// lattice_games.cpp or graph_games.cpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/games.hpp>

namespace grundy {

/// An entry of the catalogue, and the function that makes its game.
struct CatalogueRow {
  NamedGame game;
  /// kLattice: the notation for given parameters, each in its range.
  std::string (*notation)(std::span<const std::uint32_t> parameters) = nullptr;
  /// kGraph: the game for the text after the colon.
  std::shared_ptr<const GraphGame> (*make)(const std::string& parameters,
                                           Reduction reduction) = nullptr;
};

std::vector<CatalogueRow> heap_rows();
std::vector<CatalogueRow> lattice_rows();
std::vector<CatalogueRow> graph_rows();

/// The row of an entry of catalogue().
const CatalogueRow& row_of(const NamedGame& game);

/// The entry of any kind whose name is nearest to `folded`; null if none is near.
const NamedGame* nearest_game(std::string_view folded);

}  // namespace grundy
