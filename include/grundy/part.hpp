/// @file
/// A share of work that several machines do without speaking to each other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include <grundy/error.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Entries first .. last, both included.
struct EntryRange {
  HeapSize first = 0;
  HeapSize last = 0;
  friend bool operator==(const EntryRange&, const EntryRange&) = default;
};

/// @param unit what entries are, for the sentence: heaps, rows, ...
/// @throws Error(kUsage) unless the range lies in the entries 0 .. count - 1
void check_range(const EntryRange& range, HeapSize count, std::string_view unit);

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
