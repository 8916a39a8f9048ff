/// @file
/// Bit rows: for every code, the bit vector of the recent heaps that have it. The rows
/// lie one after another in one linear array that slides like SlidingWindow.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/huge_pages.hpp"
#include "engines/heap/sparse/sliding_window.hpp"

namespace grundy::sparse {

/// Has a bit for each code and each of the heaps from `end - keep` to `end + room`. All three
/// numbers are multiples of 64.
class BitRows {
 public:
  BitRows(std::size_t rows, HeapIndex end, std::size_t keep, std::size_t room)
      : keep_(static_cast<HeapIndex>(keep)),
        room_(static_cast<HeapIndex>(room)),
        origin_(end - keep_),
        stride_(stride_of(keep, room)),
        bits_(rows * stride_, 0) {}

  /// Number of words from one row to the next.
  [[nodiscard]] static std::size_t stride_of(std::size_t keep, std::size_t room) noexcept {
    return (2 * keep + 2 * room) / 64 + kPadding;
  }
  [[nodiscard]] std::size_t stride() const noexcept { return stride_; }
  /// The word of row 0 that begins with heap n. @pre n is a multiple of 64
  [[nodiscard]] std::uint64_t* at(HeapIndex n) noexcept {
    return bits_.data() + (n - origin_) / 64;
  }
  [[nodiscard]] const std::uint8_t* bytes_at(HeapIndex n) const noexcept {
    return reinterpret_cast<const std::uint8_t*>(bits_.data() + (n - origin_) / 64);
  }

  void advance(HeapIndex end) {
    if (end + room_ <= origin_ + static_cast<HeapIndex>((stride_ - kPadding) * 64)) return;
    const std::size_t from = static_cast<std::size_t>(end - keep_ - origin_) / 64;
    for (std::size_t row = 0; row < bits_.size(); row += stride_) {
      const auto at = bits_.begin() + static_cast<std::ptrdiff_t>(row + from);
      std::copy(at, at + keep_ / 64, bits_.begin() + static_cast<std::ptrdiff_t>(row));
    }
    origin_ = end - keep_;
  }

 private:
  // One cache line more than a power of two, so that equal places of different rows do not compete
  // for the same set of the cache.
  static constexpr std::size_t kPadding = 8;

  HeapIndex keep_;
  HeapIndex room_;
  HeapIndex origin_;
  std::size_t stride_;
  std::vector<std::uint64_t, HugePageAllocator<std::uint64_t>> bits_;
};

}  // namespace grundy::sparse
