/// @file
/// Names that people type: what does not matter in them, and "did you mean" for mistyped ones.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace grundy {

/// Blanks, `_`, `-` and apostrophes.
constexpr bool does_not_matter_in_names(char c) noexcept {
  return std::string_view(" \t_-'").find(c) != std::string_view::npos;
}

/// A name without what does not matter in it: lower case, and without blanks, `_`, `-`
/// and apostrophes, the typographic one too.
std::string folded_name(std::string_view text);

/// Whether two texts are one name, as folded_name() has it.
bool same_name(std::string_view a, std::string_view b);

/// The index of the name that is nearest to `typed`, by insertions, deletions and replacements of
/// one character; nothing if more than a third of the characters are wrong.
std::optional<std::size_t> nearest_name(std::string_view typed, std::span<const std::string> names);

/// The reason to refuse a name that is none of `names`: `there is no engine 'dens'; did you mean
/// dense?`, or with `otherwise` in place of the question if no name is near.
std::string no_such_name(std::string_view what, std::string_view typed,
                         std::span<const std::string> names, std::string_view otherwise);

}  // namespace grundy
