/// @file
/// Files of comma-separated values.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace grundy::testing_support {

/// The fields of one record (RFC 4180 without line breaks or quotes in fields).
inline std::vector<std::string> csv_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace grundy::testing_support
