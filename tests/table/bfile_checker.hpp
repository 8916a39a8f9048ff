/// @file
/// The grammar of OEIS b-files, checked to the byte.
// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace grundy::testing {

/// The first fault of a b-file whose first index is `first`, or nothing: every line is `n a(n)`
/// with one space and nothing else, numbers have no sign `+` and no leading zeros, n goes up by
/// one, and the last line ends with LF too.
inline std::optional<std::string> bfile_fault(std::string_view text, std::int64_t first) {
  const auto number = [&text]() -> std::optional<std::int64_t> {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    const std::string_view digits(text.data(), static_cast<std::size_t>(end - text.data()));
    if (digits != std::to_string(value)) return std::nullopt;
    text.remove_prefix(digits.size());
    return value;
  };
  const auto take = [&text](char wanted) {
    if (text.empty() || text.front() != wanted) return false;
    text.remove_prefix(1);
    return true;
  };
  for (std::int64_t n = first; !text.empty(); ++n) {
    const std::string where = " at n = " + std::to_string(n);
    if (number() != n) return "index" + where;
    if (!take(' ')) return "space" + where;
    const auto value = number();
    if (!value || *value < 0) return "value" + where;
    if (!take('\n')) return "end of line" + where;
  }
  return std::nullopt;
}

}  // namespace grundy::testing
