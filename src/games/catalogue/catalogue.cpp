/// @file
/// The whole catalogue: all rows in one list, and the names that people type.
// SPDX-License-Identifier: MIT
#include <algorithm>

#include <grundy/games.hpp>

#include "core/names.hpp"
#include "games/catalogue/rows.hpp"

namespace grundy {
namespace {

struct Alias {
  std::string_view alias;  ///< in the form of folded_name()
  std::string_view name;
};
constexpr Alias kAliases[] = {
    {"lasker", "laskers-nim"},
    {"couples", "couples-are-forever"},
    {"grundy", "grundys-game"},
    {"kenyon", "kenyons-game"},
    {"subtractsquares", "subtract-a-square"},
    {"subtractprimes", "subtract-a-prime"},
    {"saliquant", "subtract-a-nondivisor"},
};

/// All rows, and the part of them that is public.
struct Catalogue {
  std::vector<CatalogueRow> rows;
  std::vector<NamedGame> games;

  Catalogue() {
    for (const auto& list : {heap_rows(), lattice_rows(), graph_rows()}) {
      rows.insert(rows.end(), list.begin(), list.end());
    }
    for (const CatalogueRow& row : rows) games.push_back(row.game);
  }
};

const Catalogue& whole() {
  static const Catalogue catalogue;
  return catalogue;
}

}  // namespace

const NamedGame* nearest_game(std::string_view folded) {
  std::vector<std::string> names;
  for (const NamedGame& game : catalogue()) names.push_back(folded_name(game.name));
  const auto nearest = nearest_name(folded, names);
  return nearest ? &catalogue()[*nearest] : nullptr;
}

std::span<const NamedGame> catalogue() {
  return whole().games;
}

const CatalogueRow& row_of(const NamedGame& game) {
  return whole().rows[static_cast<std::size_t>(&game - whole().games.data())];
}

const NamedGame* find_game(std::string_view name, GameKind kind) {
  std::string wanted = folded_name(name);
  if (const auto alias = std::ranges::find(kAliases, wanted, &Alias::alias);
      alias != std::end(kAliases)) {
    wanted = folded_name(alias->name);
  }
  const auto game = std::ranges::find_if(whole().games, [&](const NamedGame& entry) {
    return entry.kind == kind && folded_name(entry.name) == wanted;
  });
  return game == whole().games.end() ? nullptr : &*game;
}

}  // namespace grundy
