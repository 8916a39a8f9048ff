// SPDX-License-Identifier: MIT
#include "core/names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/text.hpp"

namespace grundy {
namespace {

/// The longest text that is compared with the names.
constexpr std::size_t kLongestName = 40;

/// Levenshtein distance: insertions, deletions and replacements of one character.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::string folded_name(std::string_view text) {
  constexpr std::string_view kTypographicApostrophe = "\xe2\x80\x99";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i).starts_with(kTypographicApostrophe)) {
      i += kTypographicApostrophe.size() - 1;
    } else if (!does_not_matter_in_names(c)) {
      out += lower(c);
    }
  }
  return out;
}

bool same_name(std::string_view a, std::string_view b) {
  return folded_name(a) == folded_name(b);
}

bool leaves_choice(std::string_view name) {
  return name.empty() || same_name(name, kAutoName);
}

std::optional<std::size_t> nearest_name(std::string_view typed,
                                        std::span<const std::string> names) {
  if (typed.size() > kLongestName || names.empty()) return std::nullopt;
  const auto distance = [&](const std::string& name) { return edit_distance(typed, name); };
  const auto nearest = std::ranges::min_element(names, {}, distance);
  // A name that is farther away than a third of its length would be a guess.
  if (distance(*nearest) > std::max<std::size_t>(1, typed.size() / 3)) return std::nullopt;
  return static_cast<std::size_t>(nearest - names.begin());
}

std::string no_such_name(std::string_view what, std::string_view typed,
                         std::span<const std::string> names, std::string_view otherwise) {
  std::vector<std::string> folded(names.size());
  std::ranges::transform(names, folded.begin(), folded_name);
  const auto nearest = nearest_name(folded_name(typed), folded);
  return fmt::format(
      "there is no {} {}; {}", what, in_quotes(typed),
      nearest ? fmt::format("did you mean {}?", names[*nearest]) : std::string(otherwise));
}

}  // namespace grundy
