// SPDX-License-Identifier: MIT
#include <utility>

#include <grundy/games.hpp>
#include <grundy/request.hpp>

#include "core/text.hpp"

namespace grundy {

std::string HeapGame::describe() const {
  return rule.describe() + (misere ? "; the player who cannot move wins (misère play)" : "");
}

GameDescription GameDescription::of(const AnyGame& game, std::string typed, bool misere_heap) {
  GameDescription about{.game = std::move(typed),
                        .title = misere_heap ? misere_title(game.title) : game.title};
  if (game.kind() == GameKind::kHeap) return about;
  // A game of heaps of the catalogue is described by its rule, with the numbers of its family.
  if (game.kind() == GameKind::kGraph || game.named == nullptr) about.rules = game.rules;
  about.reference = game.reference;
  if (game.kind() == GameKind::kGraph) {
    about.game = game.notation;
    about.positions = std::string(game.named->positions);
  }
  return about;
}

std::string GameDescription::moves(const std::string& of_rule) const {
  return rules.empty() ? of_rule : rules + " " + of_rule;
}

}  // namespace grundy
