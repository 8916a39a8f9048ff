// SPDX-License-Identifier: MIT
#include "lattice/set_arena.hpp"

#include <algorithm>

namespace grundy {
namespace {

constexpr std::uint64_t kChunkBytes = kChunkWords * sizeof(std::uint64_t);

}  // namespace

SetArena::SetArena(std::uint64_t sets)
    : sets_(sets), low_(sets * sizeof(std::uint16_t), "the sets of values") {}

std::uint64_t SetArena::bytes(std::uint64_t sets, std::uint64_t largest) noexcept {
  return sets * (sizeof(std::uint16_t) + kChunkBytes * (largest / kChunkValues + 1));
}

void SetArena::hold(std::uint64_t largest) {
  while (chunks_.size() <= largest / kChunkValues) {
    pages_.emplace_back(sets_ * kChunkBytes, "the sets of values");
    chunks_.push_back(pages_.back().as<std::uint64_t>());
  }
}

bool SetArena::empty(std::uint64_t set) const noexcept {
  return std::ranges::all_of(chunks_, [&](const std::uint64_t* chunk) {
    const std::uint64_t* const words = chunk + kChunkWords * set;
    return std::all_of(words, words + kChunkWords, [](std::uint64_t w) { return w == 0; });
  });
}

void SetArena::clear(std::uint64_t first, std::uint64_t count) noexcept {
  for (std::uint64_t* const chunk : chunks_) {
    std::fill_n(chunk + kChunkWords * first, kChunkWords * count, 0);
  }
  std::fill_n(low_.as<std::uint16_t>() + first, count, 0);
}

}  // namespace grundy
