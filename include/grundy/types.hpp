/// @file
/// The vocabulary of the library: Grundy values, heap sizes, and a view of a run of values at one
/// of the three widths in which tables are kept.
///
/// The Grundy value of a position of an impartial game is the mex (least non-negative integer that
/// is missing) of the values of its options (Sprague 1935, Grundy 1939). Tables of heap games start
/// at heap 0, always: entry n is the value of a heap of n tokens.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace grundy {

/// A Grundy value (nimber). All arithmetic on single values is done at this width.
using Nimber = std::uint32_t;

/// A number of tokens in a heap, or the number of an entry of a table, or a count of them.
using HeapSize = std::uint64_t;

/// Bytes per stored value. A table uses the least width that can store all of its entries. The
/// pattern of all ones is reserved at every width, so that "not written" never reads as a value.
/// The pattern 0 would read as one, the value of P-positions.
enum class ValueWidth : std::uint8_t { kU8 = 1, kU16 = 2, kU32 = 4 };

/// Size of one value in bytes: 1, 2 or 4.
constexpr std::size_t byte_count(ValueWidth width) noexcept {
  return static_cast<std::size_t>(width);
}

/// The bit pattern that is never a value at this width: 255, 65535 or 4294967295.
constexpr Nimber reserved_value(ValueWidth width) noexcept {
  return static_cast<Nimber>(0xffffffffu >> (32 - 8 * byte_count(width)));
}

/// The largest value that may be stored at this width: 254, 65534 or 4294967294.
constexpr Nimber largest_value(ValueWidth width) noexcept {
  return reserved_value(width) - 1;
}

/// The least width that can store every value up to and including `maximum`.
/// @pre maximum <= largest_value(ValueWidth::kU32)
constexpr ValueWidth width_for(Nimber maximum) noexcept {
  if (maximum <= largest_value(ValueWidth::kU8)) return ValueWidth::kU8;
  if (maximum <= largest_value(ValueWidth::kU16)) return ValueWidth::kU16;
  return ValueWidth::kU32;
}

/// The width whose storage type is T.
template <class T>
inline constexpr ValueWidth kWidthOf = static_cast<ValueWidth>(sizeof(T));

/// A non-owning view of consecutive Grundy values at any width; cheap to copy.
class Values {
 public:
  constexpr Values() noexcept = default;
  constexpr Values(std::span<const std::uint8_t> v) noexcept  // NOLINT(google-explicit-constructor)
      : data_(v.data()), size_(v.size()), width_(ValueWidth::kU8) {}
  constexpr Values(
      std::span<const std::uint16_t> v) noexcept  // NOLINT(google-explicit-constructor)
      : data_(v.data()), size_(v.size()), width_(ValueWidth::kU16) {}
  constexpr Values(
      std::span<const std::uint32_t> v) noexcept  // NOLINT(google-explicit-constructor)
      : data_(v.data()), size_(v.size()), width_(ValueWidth::kU32) {}
  constexpr Values(const void* data, std::size_t size, ValueWidth width) noexcept
      : data_(data), size_(size), width_(width) {}

  [[nodiscard]] constexpr const void* data() const noexcept { return data_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] constexpr ValueWidth width() const noexcept { return width_; }

  /// Calls `f` with a `std::span<const T>` of the real storage type T and returns its result.
  template <class F>
  decltype(auto) visit(F&& f) const {
    switch (width_) {
      case ValueWidth::kU8:
        return f(std::span(static_cast<const std::uint8_t*>(data_), size_));
      case ValueWidth::kU16:
        return f(std::span(static_cast<const std::uint16_t*>(data_), size_));
      case ValueWidth::kU32:
        break;
    }
    return f(std::span(static_cast<const std::uint32_t*>(data_), size_));
  }

  /// The value at `index`. @pre index < size()
  [[nodiscard]] Nimber operator[](std::size_t index) const noexcept {
    return visit([index](auto values) { return static_cast<Nimber>(values[index]); });
  }

  /// Goes through the values one by one: `for (grundy::Nimber value : values)`.
  class Iterator {
   public:
    using value_type = Nimber;
    using difference_type = std::ptrdiff_t;

    Iterator() noexcept = default;
    Iterator(const void* at, ValueWidth width) noexcept
        : at_(static_cast<const std::byte*>(at)), width_(width) {}

    Nimber operator*() const noexcept { return Values(at_, 1, width_)[0]; }
    Iterator& operator++() noexcept {
      at_ += byte_count(width_);
      return *this;
    }
    Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) noexcept = default;

   private:
    const std::byte* at_ = nullptr;
    ValueWidth width_ = ValueWidth::kU8;
  };

  [[nodiscard]] Iterator begin() const noexcept { return {data_, width_}; }
  [[nodiscard]] Iterator end() const noexcept {
    return {static_cast<const std::byte*>(data_) + size_ * byte_count(width_), width_};
  }

  /// The `count` values from `offset` on. @pre offset + count <= size()
  [[nodiscard]] Values subspan(std::size_t offset, std::size_t count) const noexcept {
    return {static_cast<const std::byte*>(data_) + offset * byte_count(width_), count, width_};
  }
  /// All values from `offset` on. @pre offset <= size()
  [[nodiscard]] Values subspan(std::size_t offset) const noexcept {
    return subspan(offset, size_ - offset);
  }

 private:
  const void* data_ = nullptr;
  std::size_t size_ = 0;
  ValueWidth width_ = ValueWidth::kU8;
};

}  // namespace grundy
