/// @file
/// Copies values from one width to another, and finds the width that values need. Rooms that are
/// compiled for size call these loops.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <grundy/types.hpp>

namespace grundy {

/// Calls `f` with a number whose type is the storage type of `width`.
template <class F>
decltype(auto) with_storage_type(ValueWidth width, F&& f) {
  switch (width) {
    case ValueWidth::kU8:
      return f(std::uint8_t{});
    case ValueWidth::kU16:
      return f(std::uint16_t{});
    case ValueWidth::kU32:
      break;
  }
  return f(std::uint32_t{});
}

/// Copies values to storage of another width. @pre every value fits
void copy_to_width(Values values, ValueWidth width, std::byte* out) noexcept;

/// The same if some values are missing. A missing value is all ones at every width, so all ones
/// become all ones.
void copy_with_gaps_to_width(Values values, ValueWidth width, std::byte* out) noexcept;

/// The largest value; 0 if there are no values.
Nimber largest_of(Values values) noexcept;

/// The least width that holds all of `values`.
ValueWidth least_width(Values values) noexcept;

/// The same. @throws Error(kFailure) if a value is the one that no width can store
ValueWidth storable_width(Values values);

}  // namespace grundy
