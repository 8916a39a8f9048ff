/// @file
/// The values that a sparse-space run keeps: all of them, or, in constant memory, those of the
/// first heaps and of a window that ends with the newest heap.
///
/// Both parts lie in one table: heap n of the window has index n - gap. When values are dropped,
/// the newest values move to the front of the window, which copies at most one byte for each value.
/// Rare heaps and the smaller parts of splits are looked up among the first heaps, and their
/// partners in the window.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <grundy/types.hpp>

#include "core/value_buffer.hpp"

namespace grundy::sparse {

class ValueWindow {
 public:
  /// Whether no value has been dropped.
  [[nodiscard]] bool complete() const noexcept { return gap_ == 0; }
  /// Heaps below first_end() and heaps from begin() on have values. @pre !complete()
  [[nodiscard]] HeapSize first_end() const noexcept { return first_; }
  [[nodiscard]] HeapSize begin() const noexcept { return first_ + gap_; }
  /// The index of the value of heap n. @pre complete() or n < first_end() or n >= begin()
  [[nodiscard]] std::size_t index(HeapSize n) const noexcept { return n < first_ ? n : n - gap_; }
  [[nodiscard]] Nimber operator[](HeapSize n) const noexcept { return buffer_.values()[index(n)]; }
  /// Values of consecutive heaps. @pre all of them are kept, on one side of the gap
  [[nodiscard]] Values values(HeapSize first, HeapSize count) const noexcept {
    return buffer_.values().subspan(index(first), count);
  }
  /// One more than the last heap that has room.
  [[nodiscard]] HeapSize end() const noexcept { return buffer_.size() + gap_; }

  /// Makes room for heaps below `end`.
  void reserve(HeapSize end) { buffer_.resize(end - gap_); }
  /// Drops the values of heaps first .. from - 1. Once values have been dropped, `first` stays as
  /// it was. The values after heap `last` become room. @pre begin() <= from <= end(), and
  /// first <= from <= last
  void forget(HeapSize first, HeapSize from, HeapSize last) {
    if (complete()) first_ = first;
    const std::size_t width = byte_count(buffer_.width());
    std::byte* const data = buffer_.data<std::byte>();
    const HeapSize kept = std::min(end(), last) - from;
    std::memmove(data + first_ * width, data + index(from) * width, kept * width);
    gap_ = from - first_;
  }
  /// Declares that the values in the buffer after the first `first` ones are those of heaps from
  /// `from` on.
  /// @pre complete(), first <= from
  void leave_out(HeapSize first, HeapSize from) noexcept {
    first_ = first;
    gap_ = from - first;
  }

  /// Takes the values of all heaps, so that none is missing any more.
  void complete_with(ValueBuffer& values) noexcept {
    buffer_.swap(values);
    first_ = gap_ = 0;
  }

  [[nodiscard]] ValueBuffer& buffer() noexcept { return buffer_; }
  [[nodiscard]] const ValueBuffer& buffer() const noexcept { return buffer_; }

 private:
  HeapSize first_ = 0;
  HeapSize gap_ = 0;
  ValueBuffer buffer_;
};

}  // namespace grundy::sparse
