/// @file
/// A share of work that several machines do without speaking to each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace grundy {

/// The `number`-th of `of` shares, counted from 1. The shares are disjoint and together the whole.
/// Pieces stand in descending order of their cost. They are dealt to the shares in turn, every
/// other time in reverse, so that shares cost about the same.
struct WorkPart {
  std::uint64_t number = 1;
  std::uint64_t of = 1;

  /// The number, from 0, of the n-th piece of this share.
  [[nodiscard]] constexpr std::uint64_t piece(std::uint64_t n) const noexcept {
    return n * of + (n % 2 == 0 ? number - 1 : of - number);
  }
  /// How many of the first `count` pieces are in this share.
  [[nodiscard]] constexpr std::uint64_t among(std::uint64_t count) const noexcept {
    return count / of + (piece(count / of) < count ? 1 : 0);
  }
};

}  // namespace grundy
