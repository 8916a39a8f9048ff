// SPDX-License-Identifier: MIT
#include "session/graph_position.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "session/machine.hpp"

namespace grundy {

GraphPosition::GraphPosition(const AnyGame& game)
    : notation_(game.notation),
      name_(game.title),
      game_(std::get<std::shared_ptr<const GraphGame>>(game.rule)),
      search_(std::make_unique<GraphSearch>(*game_, memory_available())) {
  game_->whole_start(start_);
  std::vector<std::uint64_t> keys;
  game_->start(keys);
  value_ = search_->value(keys).value();
}

WrittenPosition GraphPosition::position() const {
  return {.text = game_->text(start_)};
}

std::vector<PositionMove> GraphPosition::moves_to(Nimber wanted) const {
  std::vector<std::uint64_t> positions, keys;
  game_->moves(start_, positions);
  const std::size_t words = game_->key_words();
  std::vector<PositionMove> moves;
  for (std::size_t i = 0; i < positions.size(); i += words) {
    const auto position = std::span(positions).subspan(i, words);
    keys.clear();
    game_->reduce(position, keys);
    if (search_->value(keys) == wanted) moves.push_back({.left = {.text = game_->text(position)}});
  }
  std::ranges::sort(moves, {}, &PositionMove::left);
  return moves;
}

}  // namespace grundy
