/// @file
/// What a person may do about a request that was refused, in words that hold everywhere. The
/// command and the Python module each add how it is said there.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace grundy {

/// The advice about a file or a directory that exists.
inline constexpr std::string_view kAllowReplacement = "allow it to be replaced";

/// `message` with ` (option)` behind the advice, if it gives that.
inline std::string with_option(std::string message, std::string_view advice,
                               std::string_view option) {
  const auto at = message.find(advice);
  if (at != std::string::npos) {
    message.insert(at + advice.size(), " (" + std::string(option) + ")");
  }
  return message;
}

}  // namespace grundy
