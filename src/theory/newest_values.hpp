/// @file
/// The newest values of a run, in memory that does not grow with it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <grundy/types.hpp>

#include "core/huge_pages.hpp"

namespace grundy {

/// Values of consecutive heaps. New values are appended at the end, and old ones are forgotten at
/// the beginning. All are stored at the width that the widest one needs.
class NewestValues {
 public:
  /// The values are those of heaps begin() .. end() - 1.
  [[nodiscard]] HeapSize begin() const noexcept { return end_ - size_; }
  [[nodiscard]] HeapSize end() const noexcept { return end_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] ValueWidth width() const noexcept { return width_; }
  [[nodiscard]] Values view() const noexcept {
    return {bytes_.data() + forgotten_ * byte_count(width_), size_, width_};
  }
  /// @pre all of heaps first .. last - 1 are kept
  [[nodiscard]] Values between(HeapSize first, HeapSize last) const noexcept {
    return view().subspan(first - begin(), last - first);
  }

  /// Forgets everything; the next value is that of heap `next`.
  void restart(HeapSize next) noexcept;
  /// Renumbers the values: they become those of the heaps before `end`.
  void move_to(HeapSize end) noexcept { end_ = end; }
  /// Makes room at once for `count` values, kept or forgotten. Invalidates earlier views.
  void reserve(std::size_t count);
  /// Invalidates earlier views.
  void append(Values values);
  /// Stores all values at `width` or a larger one; the room is for as many values as before.
  void widen(ValueWidth width);
  /// Forgets all but the newest `count` values; earlier views stay valid. Takes no time: append()
  /// moves the values that are kept, at most three for each value that comes. @pre count <= size()
  void keep(std::size_t count) noexcept {
    forgotten_ += size_ - count;
    size_ = count;
  }

  /// True if both hold the same values of the same heaps; their widths may differ.
  friend bool operator==(const NewestValues& a, const NewestValues& b) noexcept;

 private:
  using Bytes = std::vector<std::byte, HugePageAllocator<std::byte>>;

  /// Makes sure that `count` values fit behind the kept ones. If it moves anything, the free room
  /// is then a quarter of all or more.
  void make_room(std::size_t count);

  Bytes bytes_;  ///< forgotten values, kept values, free room
  std::size_t forgotten_ = 0;
  std::size_t size_ = 0;
  ValueWidth width_ = ValueWidth::kU8;
  HeapSize end_ = 0;
};

}  // namespace grundy
