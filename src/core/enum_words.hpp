/// @file
/// The words for the values of an enumeration: one table for both directions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace grundy {

/// A row of such a table.
template <class Enum>
struct EnumWord {
  Enum value;
  std::string_view word;
};

/// The word for a value. @pre the table has it
template <class Enum, std::size_t n>
constexpr std::string_view word_for(Enum value, const EnumWord<Enum> (&words)[n]) noexcept {
  for (const auto& row : words) {
    if (row.value == value) return row.word;
  }
  return {};
}

/// The value with a word; nothing if no value has it.
template <class Enum, std::size_t n>
constexpr std::optional<Enum> value_with(std::string_view word,
                                         const EnumWord<Enum> (&words)[n]) noexcept {
  for (const auto& row : words) {
    if (row.word == word) return row.value;
  }
  return std::nullopt;
}

}  // namespace grundy
