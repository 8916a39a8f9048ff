/// @file
/// The catalogue as a whole: all rows in one list, and names that people type.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <utility>

#include <grundy/games.hpp>

#include "games/catalogue/rows.hpp"

namespace grundy {
namespace {

struct Alias {
  std::string_view alias;  ///< as folded_name() leaves it
  std::string_view name;
};
constexpr Alias kAliases[] = {
    {"lasker", "laskers-nim"},
    {"couples", "couples-are-forever"},
    {"grundy", "grundys-game"},
    {"kenyon", "kenyons-game"},
    {"subtractsquares", "subtract-a-square"},
    {"subtractprimes", "subtract-a-prime"},
};

/// The longest text that is compared with the names.
constexpr std::size_t kLongestName = 40;

/// The rows, and the part of them that is public.
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

/// Levenshtein distance: insertions, deletions and replacements of one character.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string folded_name(std::string_view text) {
  constexpr std::string_view kTypographicApostrophe = "\xe2\x80\x99";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i).starts_with(kTypographicApostrophe)) {
      i += kTypographicApostrophe.size() - 1;
    } else if (std::string_view(" \t_-'").find(c) == std::string_view::npos) {
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
  }
  return out;
}

std::string_view nearest_name(std::string_view folded) {
  if (folded.size() > kLongestName) return {};
  const auto distance = [&](const NamedGame& game) {
    return edit_distance(folded, folded_name(game.name));
  };
  const auto nearest = std::ranges::min_element(catalogue(), {}, distance);
  // Farther than a third of the name it would be a guess.
  return distance(*nearest) <= std::max<std::size_t>(1, folded.size() / 3) ? nearest->name
                                                                           : std::string_view();
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
