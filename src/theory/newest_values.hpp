/// @file
/// The newest values of a run, in memory that does not grow with it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

/// Values of consecutive heaps, which grow at the end and are forgotten at the begin. All have the
/// width that the widest one needs.
class NewestValues {
 public:
  /// They are the values of heaps begin() .. end() - 1.
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
  /// Takes the values for those of the heaps before `end`.
  void move_to(HeapSize end) noexcept { end_ = end; }
  /// Makes room at once for `count` values, kept or forgotten. Ends earlier views.
  void reserve(std::size_t count);
  /// Ends earlier views.
  void append(Values values);
  /// @pre width > this->width()
  void widen(ValueWidth width);
  /// Forgets all but the newest `count` values; earlier views stay. Takes no time: it is append()
  /// that moves what is kept, at most three values for each that comes. @pre count <= size()
  void keep(std::size_t count) noexcept {
    forgotten_ += size_ - count;
    size_ = count;
  }

  /// Of the same heaps the same values, whatever their width.
  friend bool operator==(const NewestValues& a, const NewestValues& b) noexcept;

 private:
  /// Sees to it that so many values fit behind those that are kept. The free room is a quarter
  /// of all, or more, when anything was moved.
  void make_room(std::size_t count);

  std::vector<std::byte> bytes_;  ///< forgotten values, those that are kept, and room
  std::size_t forgotten_ = 0;
  std::size_t size_ = 0;
  ValueWidth width_ = ValueWidth::kU8;
  HeapSize end_ = 0;
};

}  // namespace grundy
