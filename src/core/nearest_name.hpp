/// @file
/// "did you mean": the name that a mistyped one was meant to be.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace grundy {

/// The index of the name that is nearest to `typed`, by insertions, deletions and replacements of
/// one character; nothing if more than a third of the characters are wrong.
std::optional<std::size_t> nearest_name(std::string_view typed, std::span<const std::string> names);

}  // namespace grundy
