// SPDX-License-Identifier: MIT
#include "session/heap_component.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace grundy {
namespace {

WrittenPosition written(const std::vector<HeapSize>& heaps) {
  return {.text = fmt::format("{}", fmt::join(heaps, " + ")), .heaps = heaps};
}

}  // namespace

HeapComponent::HeapComponent(std::shared_ptr<const GameValues> game, HeapSize size)
    : game_(std::move(game)), size_(size), value_(game_->value(size)) {}

WrittenPosition HeapComponent::position() const {
  return written({size_});
}

std::string HeapComponent::label() const {
  return fmt::format("{} {}", game_->name, size_);
}

std::string HeapComponent::words() const {
  return fmt::format("the {} heap of {}", game_->name, size_);
}

SumMoves HeapComponent::moves_to(std::uint64_t wanted) const {
  const MovesToValue found = moves_to_value(*game_, size_, wanted);
  SumMoves result{.complete = found.complete};
  for (const HeapMove& move : found.moves) {
    result.moves.push_back({.left = written(move.left), .taken = move.taken});
  }
  return result;
}

std::string HeapComponent::describe(const SumMove& move) const {
  if (move.left.heaps.empty()) return "take the whole of " + words();
  if (move.taken == 0) return fmt::format("split {} into {}", words(), move.left.text);
  return fmt::format("from {} take {}, leaving {}", words(), move.taken, move.left.text);
}

}  // namespace grundy
