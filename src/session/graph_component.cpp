// SPDX-License-Identifier: MIT
#include "session/graph_component.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "session/machine.hpp"

namespace grundy {

GraphComponent::GraphComponent(const AnyGame& game)
    : notation_(game.notation),
      title_(game.title),
      game_(std::get<std::shared_ptr<const GraphGame>>(game.rule)),
      search_(std::make_unique<GraphSearch>(*game_, memory_available())) {
  game_->whole_start(start_);
  std::vector<std::uint64_t> keys;
  game_->start(keys);
  value_ = search_->value(keys).value();
}

WrittenPosition GraphComponent::position() const {
  return {.text = game_->text(start_)};
}

SumMoves GraphComponent::moves_to(std::uint64_t wanted) const {
  std::vector<std::uint64_t> positions, keys;
  game_->moves(start_, positions);
  const std::size_t words = game_->key_words();
  std::vector<SumMove> moves;
  for (std::size_t i = 0; i < positions.size(); i += words) {
    const auto position = std::span(positions).subspan(i, words);
    keys.clear();
    game_->reduce(position, keys);
    if (search_->value(keys) == wanted) moves.push_back({.left = {.text = game_->text(position)}});
  }
  std::ranges::sort(moves, {}, &SumMove::left);
  return {.moves = std::move(moves)};
}

std::string GraphComponent::describe(const SumMove& move) const {
  return fmt::format("in {} leave {}", words(), move.left.text);
}

}  // namespace grundy
