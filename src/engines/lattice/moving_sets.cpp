// SPDX-License-Identifier: MIT
#include "engines/lattice/moving_sets.hpp"

#include <algorithm>

namespace grundy {

void MovingSets::clear(std::size_t set) noexcept {
  std::fill_n(bits_.begin() + static_cast<std::ptrdiff_t>(set * words_), words_, 0);
}

void MovingSets::forget_below(Nimber least) noexcept {
  constexpr Nimber kValues = 64 * kBlock;
  for (; least - first_ >= kValues; first_ += kValues) {
    for (std::size_t set = 0; set < sets_; ++set) {
      std::fill_n(bits_.begin() + static_cast<std::ptrdiff_t>(place(set, first_ / 64)), kBlock, 0);
    }
  }
}

void MovingSets::grow() {
  std::vector<std::uint64_t> wider(2 * bits_.size());
  const std::uint64_t first = first_ / 64;
  for (std::size_t set = 0; set < sets_; ++set) {
    for (std::uint64_t word = first; word < first + words_; ++word) {
      wider[set * 2 * words_ + (word & (2 * words_ - 1))] = bits_[place(set, word)];
    }
  }
  words_ *= 2;
  bits_ = std::move(wider);
}

}  // namespace grundy
