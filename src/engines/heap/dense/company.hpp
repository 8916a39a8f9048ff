/// @file
/// The ranks that compute a table together. Each rank has all values and settles every heap, but
/// does only its share of the far phase. A value is open if no rank has found a pair that reaches
/// it, so the open sets of a block are the intersection of the open sets of all ranks.
///
/// Ranks share groups of heaps first, because two ranks that filter different pairs of one heap
/// both have to close most of its values. They share pairs, too, only if there are more ranks than
/// groups.
///
/// All ranks take the same steps, because the steps follow from the values alone. Only a request to
/// stop is known to one rank alone. The rank sends it with its open sets, and then all ranks stop
/// before the same block. All messages are little-endian, like the table.
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

/// The number of groups of a block that ranks share. Ranks meet once in each block.
inline constexpr std::uint64_t kSharedGroups = 8;

/// The approximate number of bytes that a rank sends and receives for a heap if values reach
/// `maximum`: the part of an open set that a slice fills, and the end of the slice.
constexpr std::uint64_t heap_traffic(Nimber maximum) noexcept {
  const std::uint64_t slice = maximum < kOpenValues / 2 ? kOpenValues / 2 : kOpenValues;
  return slice / 8 + sizeof(std::uint32_t);
}

class Company {
 public:
  /// @param team null if this rank is alone
  Company(Team* team, std::stop_token stop) : team_(team), stop_(std::move(stop)) {}

  [[nodiscard]] bool is_alone() const noexcept { return team_ == nullptr; }
  /// The share of this rank in the far phase.
  [[nodiscard]] Share share() const noexcept;

  /// Sends the values that rank 0 begins with to all other ranks, whose tables are empty.
  void begin_with(ValueBuffer& table);
  /// Intersects the open sets of a block, for slices of `slice` values. Returns false if a rank
  /// wants to stop, because its sink (is_refused()) or somebody else wants no more values.
  [[nodiscard]] bool intersect(std::span<FarGroup> groups, std::size_t slice);
  /// Notes that the sink of this rank wants no more values.
  void note_refused() noexcept { refused_ = true; }
  [[nodiscard]] bool is_refused() const noexcept { return refused_; }

 private:
  Team* team_;
  std::stop_token stop_;
  bool refused_ = false;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace grundy
