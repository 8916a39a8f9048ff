/// @file
/// Numbered sets of values in chunks of 512 values, one cache line each.
///
/// Chunk c of all sets is one array, so sets with neighbouring numbers are neighbours in memory,
/// and room for larger values is one more array: nothing moves.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "core/zero_pages.hpp"
#include "kernels/set_kernels.hpp"

namespace grundy {

class SetArena {
 public:
  explicit SetArena(std::uint64_t sets);

  /// Bytes for sets of values up to and including `largest`.
  static std::uint64_t bytes(std::uint64_t sets, std::uint64_t largest) noexcept;

  /// Makes room for values up to and including `largest`. Not beside other calls.
  void hold(std::uint64_t largest);
  void insert(std::uint64_t set, Nimber value) noexcept {
    word(set, value) |= std::uint64_t{1} << (value % 64);
  }
  void erase(std::uint64_t set, Nimber value) noexcept {
    word(set, value) &= ~(std::uint64_t{1} << (value % 64));
  }
  [[nodiscard]] bool empty(std::uint64_t set) const noexcept;
  /// Empties sets first .. first + count - 1.
  void clear(std::uint64_t first, std::uint64_t count) noexcept;

  [[nodiscard]] ChunkedSets view() const noexcept {
    return {chunks_.data(), chunks_.size(), low_.as<std::uint16_t>()};
  }

 private:
  [[nodiscard]] std::uint64_t& word(std::uint64_t set, Nimber value) noexcept {
    return chunks_[value / kChunkValues][kChunkWords * set + value % kChunkValues / 64];
  }

  std::uint64_t sets_;
  ZeroPages low_;
  std::vector<ZeroPages> pages_;
  std::vector<std::uint64_t*> chunks_;
};

}  // namespace grundy
