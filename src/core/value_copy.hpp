/// @file
/// Copies of values from one width to another.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include <fmt/format.h>

#include <grundy/error.hpp>
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
inline void copy_to_width(Values values, ValueWidth width, std::byte* out) {
  with_storage_type(width, [&](auto type) {
    using T = decltype(type);
    values.visit([out](auto from) {
      std::transform(from.begin(), from.end(), reinterpret_cast<T*>(out),
                     [](auto value) { return static_cast<T>(value); });
    });
  });
}

/// The same for values of which some are missing. A missing value is all ones at every width, so
/// all ones become all ones.
inline void copy_with_gaps_to_width(Values values, ValueWidth width, std::byte* out) {
  with_storage_type(width, [&](auto type) {
    using T = decltype(type);
    values.visit([out](auto from) {
      std::transform(from.begin(), from.end(), reinterpret_cast<T*>(out), [](auto value) {
        return value == static_cast<decltype(value)>(~decltype(value){0}) ? static_cast<T>(~T{0})
                                                                          : static_cast<T>(value);
      });
    });
  });
}

inline Nimber largest_of(Values values) {
  return values.visit([](auto span) {
    // Compilers vectorise a plain loop over the storage type.
    std::remove_cv_t<typename decltype(span)::element_type> result = 0;
    for (const auto value : span) result = std::max(result, value);
    return static_cast<Nimber>(result);
  });
}

/// The least width that holds all of `values`.
/// @throws Error(kFailure) if a value is the one that no width can store
inline ValueWidth storable_width(Values values) {
  const Nimber top = largest_of(values);
  if (top > largest_value(ValueWidth::kU32)) {
    throw Error(ErrorCode::kFailure,
                fmt::format("{} is reserved and cannot be stored as a Grundy value", top));
  }
  return width_for(top);
}

}  // namespace grundy
