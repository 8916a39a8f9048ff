/// @file
/// Names that people type: which characters do not matter in them, and "did you mean".
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace grundy {

/// The lower case of an ASCII letter; other characters stay.
constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Blanks, `_`, `-` and apostrophes.
constexpr bool does_not_matter_in_names(char c) noexcept {
  return std::string_view(" \t_-'").find(c) != std::string_view::npos;
}

/// A name without the characters that do not matter in it: lower case, and without blanks, `_`, `-`
/// and apostrophes, including the typographic one.
std::string folded_name(std::string_view text);

/// Whether two texts are the same name, by folded_name().
bool same_name(std::string_view a, std::string_view b);

/// The name that leaves a choice to the program.
inline constexpr const char* kAutoName = "auto";

/// Whether a name leaves the choice of an engine, of inner loops or of a back end to the program:
/// `auto`, or nothing.
bool leaves_choice(std::string_view name);

/// The index of the name nearest to `typed`, by insertions, deletions and replacements of one
/// character; nothing if more than a third of the characters are wrong.
std::optional<std::size_t> nearest_name(std::string_view typed, std::span<const std::string> names);

/// The reason to refuse a name that is not in `names`: `there is no engine 'dens'; did you mean
/// dense?`. If no name is near, `otherwise` takes the place of the question.
std::string no_such_name(std::string_view what, std::string_view typed,
                         std::span<const std::string> names, std::string_view otherwise);

}  // namespace grundy
