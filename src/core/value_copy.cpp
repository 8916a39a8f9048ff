// SPDX-License-Identifier: MIT
#include "core/value_copy.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {

void copy_to_width(Values values, ValueWidth width, std::byte* out) noexcept {
  with_storage_type(width, [&](auto type) {
    using T = decltype(type);
    values.visit([out](auto from) {
      if constexpr (std::is_same_v<std::remove_cv_t<typename decltype(from)::element_type>, T>) {
        std::copy(from.begin(), from.end(), reinterpret_cast<T*>(out));
      } else {
        std::transform(from.begin(), from.end(), reinterpret_cast<T*>(out),
                       [](auto value) { return static_cast<T>(value); });
      }
    });
  });
}

void copy_with_gaps_to_width(Values values, ValueWidth width, std::byte* out) noexcept {
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

Nimber largest_of(Values values) noexcept {
  return values.visit([](auto span) {
    // Compilers vectorise a plain loop over the storage type.
    std::remove_cv_t<typename decltype(span)::element_type> result = 0;
    for (const auto value : span) result = std::max(result, value);
    return static_cast<Nimber>(result);
  });
}

ValueWidth least_width(Values values) noexcept {
  return width_for(largest_of(values));
}

ValueWidth storable_width(Values values) {
  const Nimber top = largest_of(values);
  if (top > largest_value(ValueWidth::kU32)) {
    throw Error(ErrorCode::kFailure,
                fmt::format("{} is reserved and cannot be stored as a Grundy value", top));
  }
  return width_for(top);
}

}  // namespace grundy
