/// @file
/// The data that a fast phase keeps for each recent heap, above all the codes. The entries lie in a
/// linear array that slides: when its end is reached, the part that is still needed moves to the
/// front. So kernels see pointers into one array, and memory does not grow.
///
/// After a late rare heap a window has a place for nearly every heap, and a phase may end soon. So
/// pages are touched only where entries are written.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <grundy/types.hpp>

#include "core/zero_pages.hpp"

namespace grundy::sparse {

/// The index of a heap. It may be negative, because windows reach back before heap 0.
using HeapIndex = std::int64_t;

/// The heaps begin .. end - 1.
struct HeapRange {
  HeapIndex begin;
  HeapIndex end;
  [[nodiscard]] bool empty() const noexcept { return begin == end; }
  [[nodiscard]] std::size_t heaps() const noexcept { return static_cast<std::size_t>(end - begin); }
};

/// Stands for the code of a heap that is not common or does not exist. Its XOR with a code below
/// kNoCode is never a code below kNoCode. Kernels narrow codes of two bytes as signed numbers. If
/// the codes of a phase are not all below it (bytes, 129 codes and more), the phase must not decide
/// a heap that reaches a heap without a code; FastWay makes sure of that.
template <class T>
inline constexpr T kNoCode = sizeof(T) == 1 ? 0x80 : 0x4000;

/// Has a place for each of the heaps from `end - keep` to `end + room`. The entries from the first
/// `end` on are filled when they come into reach; those before it are for the user to write.
template <class T>
class SlidingWindow {
 public:
  SlidingWindow(HeapIndex end, std::size_t keep, std::size_t room, T fill)
      : keep_(static_cast<HeapIndex>(keep)),
        room_(static_cast<HeapIndex>(room)),
        origin_(end - keep_),
        filled_(end),
        fill_(fill),
        data_((2 * (keep + room) + kPadding) * sizeof(T), "the codes of a phase") {
    reach(end);
  }

  [[nodiscard]] T* at(HeapIndex n) noexcept { return data_.as<T>() + (n - origin_); }
  [[nodiscard]] const T* at(HeapIndex n) const noexcept { return data_.as<T>() + (n - origin_); }

  /// Fills the entries from heap `end` on again.
  void forget(HeapIndex end) { std::fill(at(end), at(filled_), fill_); }

  void advance(HeapIndex end) {
    if (end + room_ > origin_ + 2 * (keep_ + room_)) {
      std::copy(at(end - keep_), at(filled_), data_.as<T>());
      origin_ = end - keep_;
    }
    reach(end);
  }

 private:
  static constexpr HeapIndex kPadding = 64;  // vector loads may touch it

  void reach(HeapIndex end) {
    const HeapIndex to = end + room_ + kPadding;
    if (filled_ < to) std::fill(at(filled_), at(to), fill_);
    filled_ = std::max(filled_, to);
  }

  HeapIndex keep_;
  HeapIndex room_;
  HeapIndex origin_;
  HeapIndex filled_;
  T fill_;
  ZeroPages data_;
};

}  // namespace grundy::sparse
