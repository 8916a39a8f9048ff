/// @file
/// A share of work that several machines do without speaking to each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace grundy {

/// The `number`-th of `of` shares, counted from 1. The shares are disjoint and together the whole.
struct Part {
  std::uint64_t number = 1;
  std::uint64_t of = 1;

  /// Whether the `index`-th piece of work, counted from 0, is in this share.
  [[nodiscard]] constexpr bool has(std::uint64_t index) const noexcept {
    return index % of == number - 1;
  }
  /// How many of the first `count` pieces are in this share.
  [[nodiscard]] constexpr std::uint64_t among(std::uint64_t count) const noexcept {
    return count / of + (count % of >= number ? 1 : 0);
  }
};

}  // namespace grundy
