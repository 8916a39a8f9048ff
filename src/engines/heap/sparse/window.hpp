/// @file
/// What a fast phase remembers of the recent heaps: their codes, and for every code the bit vector
/// of heaps that have it. Both are linear arrays that slide: when the end is reached, the part that
/// is still needed moves to the front, so kernels see plain pointers and memory does not grow.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "core/huge_pages.hpp"

namespace grundy::sparse {

/// A heap as an array index: windows reach back before heap 0, where nothing lies.
using HeapIndex = std::int64_t;

/// The code of a heap that is not common, or not there: its XOR with a code below it is never such
/// a code. With more codes (bytes, 256 of them) no heap in reach may be without one
/// (run_fast_phase()).
template <class T>
inline constexpr T kNoCode = static_cast<T>(T{1} << (8 * sizeof(T) - 1));

/// One entry a heap for the heaps from `end - keep` to `end + room`.
template <class T>
class SlidingWindow {
 public:
  SlidingWindow(HeapIndex end, std::size_t keep, std::size_t room, T fill)
      : keep_(static_cast<HeapIndex>(keep)),
        room_(static_cast<HeapIndex>(room)),
        origin_(end - keep_),
        data_(2 * keep + 2 * room + kPadding, fill) {}

  [[nodiscard]] T* at(HeapIndex n) noexcept { return data_.data() + (n - origin_); }
  [[nodiscard]] const T* at(HeapIndex n) const noexcept { return data_.data() + (n - origin_); }

  void advance(HeapIndex end) {
    const auto size = static_cast<HeapIndex>(data_.size() - kPadding);
    if (end + room_ <= origin_ + size) return;
    std::copy(at(end - keep_), at(end), data_.begin());
    origin_ = end - keep_;
  }

 private:
  static constexpr std::size_t kPadding = 64;  // vector loads may touch it

  HeapIndex keep_;
  HeapIndex room_;
  HeapIndex origin_;
  std::vector<T> data_;
};

/// For every code a bit for each of the heaps from `end - keep` to `end + room`.
/// All three are multiples of 64.
class BitRows {
 public:
  BitRows(std::size_t rows, HeapIndex end, std::size_t keep, std::size_t room)
      : keep_(static_cast<HeapIndex>(keep)),
        room_(static_cast<HeapIndex>(room)),
        origin_(end - keep_),
        stride_(stride_of(keep, room)),
        bits_(rows * stride_, 0) {}

  /// Words from one row to the next.
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
