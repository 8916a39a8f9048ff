/// @file
/// The values that a sparse-space run keeps: all of them, or, in constant memory, those of the
/// first heaps and of a window that ends with the newest.
///
/// Both parts lie in one table: heap n of the window has index n - gap. When the table is full, its
/// newest values move to the front of the window, which costs a copied byte per value at most. Rare
/// heaps and the smaller parts of splits are looked up among the first heaps, their partners in the
/// window.
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
  /// @param keep so many of the first heaps stay, and at least so many of the newest; 0: all stay
  explicit ValueWindow(HeapSize keep) : keep_(keep) {}

  [[nodiscard]] HeapSize keep() const noexcept { return keep_; }
  /// Whether every value is there.
  [[nodiscard]] bool complete() const noexcept { return gap_ == 0; }
  /// The first heap of the window. Heaps from here on have values, and so have those below keep().
  [[nodiscard]] HeapSize begin() const noexcept { return gap_ == 0 ? 0 : keep_ + gap_; }
  /// Where the value of heap n is. @pre n < keep() or n >= begin()
  [[nodiscard]] std::size_t index(HeapSize n) const noexcept { return n < keep_ ? n : n - gap_; }
  [[nodiscard]] Nimber operator[](HeapSize n) const noexcept { return buffer_.values()[index(n)]; }
  /// Values of consecutive heaps. @pre all of them are there, on one side of the gap
  [[nodiscard]] Values values(HeapSize first, HeapSize count) const noexcept {
    return buffer_.values().subspan(index(first), count);
  }
  /// One more than the last heap that has room.
  [[nodiscard]] HeapSize end() const noexcept { return buffer_.size() + gap_; }

  /// Makes room for heaps below `end`. If `may_forget` and the table would hold more than 3 keep()
  /// values, the values of heaps below `final` - keep() are let go, but not the first keep().
  void reserve(HeapSize end, HeapSize final, bool may_forget) {
    if (keep_ != 0 && may_forget && end - gap_ > 3 * keep_ && final > begin() + 2 * keep_) {
      const HeapSize from = final - keep_;
      const std::size_t width = byte_count(buffer_.width());
      std::byte* const data = buffer_.data<std::byte>();
      std::memmove(data + keep_ * width, data + index(from) * width, (this->end() - from) * width);
      gap_ = from - keep_;
    }
    buffer_.resize(end - gap_);
  }

  [[nodiscard]] ValueBuffer& buffer() noexcept { return buffer_; }
  [[nodiscard]] const ValueBuffer& buffer() const noexcept { return buffer_; }

 private:
  HeapSize keep_;
  HeapSize gap_ = 0;
  ValueBuffer buffer_;
};

}  // namespace grundy::sparse
