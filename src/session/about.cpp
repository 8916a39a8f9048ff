// SPDX-License-Identifier: MIT
#include <utility>

#include <grundy/games.hpp>
#include <grundy/request.hpp>

namespace grundy {

About About::of(const AnyGame& game, std::string typed) {
  About about{.game = std::move(typed), .title = game.title};
  if (game.kind() == GameKind::kHeap) return about;
  about.rules = game.rules;
  about.reference = game.reference;
  if (game.kind() == GameKind::kGraph) {
    about.game = game.notation;
    about.positions = std::string(game.named->positions);
  }
  return about;
}

}  // namespace grundy
