// SPDX-License-Identifier: MIT
#include "session/graph_position.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "session/machine.hpp"

namespace grundy {

GraphPosition::GraphPosition(std::string notation, ResolvedGraphGame game)
    : notation_(std::move(notation)),
      name_(game.named->title),
      game_(std::move(game.game)),
      search_(std::make_unique<GraphSearch>(*game_, memory_available())) {
  game_->whole_start(start_);
  std::vector<std::uint64_t> keys;
  game_->start(keys);
  value_ = search_->value(keys).value();
}

std::unique_ptr<GraphPosition> GraphPosition::open(const std::string& text) {
  auto game = resolve_graph_game(text);
  if (!game) return nullptr;
  return std::unique_ptr<GraphPosition>(new GraphPosition(text, std::move(*game)));
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
