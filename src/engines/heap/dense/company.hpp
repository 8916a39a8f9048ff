/// @file
/// The ranks with which one rank computes a table: each has all values and settles every heap, and
/// does its share of the far phase. A value is open if no rank has found a pair that reaches it:
/// the open sets of a block are the intersection of those of all ranks.
///
/// Groups of heaps are shared first, as two ranks that filter different pairs of one heap both have
/// to close most of its values. Only where there are more ranks than groups are pairs shared too.
///
/// All ranks take the same steps, as these follow from the values alone. What one of them knows
/// alone, that it is to stop, it tells with its open sets: then all stop before the same block.
/// All that they send is little-endian, like the table.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include <grundy/heap/engine.hpp>

#include "core/value_buffer.hpp"
#include "engines/heap/dense/far.hpp"

namespace grundy {

/// Groups of a block that ranks share. Ranks meet once a block.
inline constexpr std::uint64_t kSharedGroups = 8;

/// Bytes that a rank gives and gets for a heap of a table whose values reach `maximum`, about: the
/// part of an open set that a slice fills, and its end.
constexpr std::uint64_t heap_traffic(Nimber maximum) noexcept {
  const std::uint64_t slice = maximum < kOpenValues / 2 ? kOpenValues / 2 : kOpenValues;
  return slice / 8 + sizeof(std::uint32_t);
}

class Company {
 public:
  /// @param team null: this rank is alone
  Company(Team* team, std::stop_token stop) : team_(team), stop_(std::move(stop)) {}

  [[nodiscard]] bool is_alone() const noexcept { return team_ == nullptr; }
  /// What this rank filters.
  [[nodiscard]] Share share() const noexcept;

  /// Gives the values that rank 0 begins with to all others, whose tables are empty.
  void begin_with(ValueBuffer& table);
  /// Intersects the open sets of a block, of slices of so many values. False: a rank wants to stop,
  /// because its sink (is_refused()) or somebody wants no more.
  [[nodiscard]] bool intersect(std::span<FarGroup> groups, std::size_t slice);
  /// The sink of this rank wants no more.
  void note_refused() noexcept { refused_ = true; }
  [[nodiscard]] bool is_refused() const noexcept { return refused_; }

 private:
  Team* team_;
  std::stop_token stop_;
  bool refused_ = false;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace grundy
