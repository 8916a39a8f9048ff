/// @file
/// The growing table of values that an engine keeps: contiguous, at the least width that holds all
/// values so far, with readable padding on both sides for vector loads.
///
/// It is a mapping (core/mapping.hpp), so that growing a table of gigabytes copies nothing, and
/// pages that are never touched cost nothing.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <grundy/types.hpp>

namespace grundy {

/// A table of values for heaps 0 .. size()-1.
class ValueBuffer {
 public:
  /// Bytes before the first and after the last reserved value that may be read (not written).
  static constexpr std::size_t kPadding = 4096;

  ValueBuffer() = default;
  ~ValueBuffer();
  ValueBuffer(const ValueBuffer&) = delete;
  ValueBuffer& operator=(const ValueBuffer&) = delete;

  [[nodiscard]] ValueWidth width() const noexcept { return width_; }
  [[nodiscard]] HeapSize size() const noexcept { return size_; }
  [[nodiscard]] Values values() const noexcept { return {begin(), size_, width_}; }

  void swap(ValueBuffer& other) noexcept;

  /// The values at storage type T. @pre kWidthOf<T> == width()
  template <class T>
  [[nodiscard]] T* data() noexcept {
    return reinterpret_cast<T*>(begin());
  }
  template <class T>
  [[nodiscard]] const T* data() const noexcept {
    return reinterpret_cast<const T*>(begin());
  }

  /// Makes room for `count` values in all. Pointers into the table become invalid.
  /// @throws Error(kFailure) if the system has no memory
  void reserve(HeapSize count);
  /// Asks the system for the memory of values begin .. end - 1 now, not when they are written.
  /// Several threads may do so for parts of the table. @pre there is room for `end` values
  void populate(HeapSize begin, HeapSize end) const noexcept;
  /// Makes room for `count` values and adds them to the table; new values read as 0.
  void resize(HeapSize count);
  /// Adds values at the end; widens the table if they need it.
  void append(Values values);
  /// Widens the table to `width`, values unchanged. @pre width > this->width()
  void promote(ValueWidth width);

 private:
  [[nodiscard]] std::byte* begin() const noexcept {
    return mapping_ == nullptr ? nullptr : mapping_ + kPadding;
  }

  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  HeapSize size_ = 0;
  ValueWidth width_ = ValueWidth::kU8;
};

}  // namespace grundy
