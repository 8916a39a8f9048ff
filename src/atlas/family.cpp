/// @file
/// Expands patterns of games.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <grundy/atlas.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>

#include "atlas/family_bounds.hpp"
#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "core/text_file.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

constexpr std::size_t kMostGames = 1'000'000;

[[noreturn]] void too_many(std::string_view pattern) {
  throw Error(ErrorCode::kUsage,
              fmt::format("the pattern {} has more than {} games", in_quotes(pattern), kMostGames));
}

/// The digits that a wildcard stands for; empty if the character is not a wildcard.
std::string_view digits_of(char c) noexcept {
  switch (c) {
    case 'd':
      return "01234567";
    case 'n':
      return "1234567";
    case 'h':
      return "0123456789ABCDEF";
    default:
      return {};
  }
}

bool has_wildcard(std::string_view code) noexcept {
  return std::ranges::any_of(code, [](char c) { return !digits_of(c).empty(); });
}

/// Whether a text is a code, not a name or a set: it has a point (or a comma, as some write) after
/// d0 or at its beginning.
bool looks_like_code(std::string_view text) noexcept {
  const std::size_t point = text.find_first_of(".,");
  return point != std::string_view::npos && point <= 2 && text.find('{') > point;
}

bool has_moves(const HeapRule& rule) {
  return rule.take_break() == nullptr ||
         std::ranges::any_of(rule.take_break()->digits, [](const Digit& d) { return !d.empty(); });
}

/// Reads one code of a pattern, so that what is wrong with all of them is said of the pattern.
void check_code(const std::string& pattern, std::string_view prefix) {
  std::string code = pattern;
  for (char& c : code) {
    if (const std::string_view digits = digits_of(c); !digits.empty()) c = digits.back();
  }
  try {
    HeapRule::parse(std::string(prefix) + code);
  } catch (const Error& error) {
    std::string reason = error.what();
    for (std::size_t at = reason.find(code); at != std::string::npos;
         at = reason.find(code, at + code.size())) {
      reason.replace(at, code.size(), pattern);
    }
    throw Error(error.code(), reason);
  }
}

/// The codes of a pattern; the last wildcard varies fastest.
std::vector<HeapRule> expand_code(std::string_view pattern, std::string_view prefix) {
  std::string code(pattern);
  std::vector<std::size_t> places;
  std::size_t games = 1;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (digits_of(code[i]).empty()) continue;
    places.push_back(i);
    games *= digits_of(pattern[i]).size();
    if (games > kMostGames) too_many(pattern);
  }
  check_code(code, prefix);
  // If one of its codes may have letters, a pattern is hexadecimal, and 8 and 9 are digits in it.
  const bool hexadecimal = !prefix.empty() || pattern.find('h') != std::string_view::npos;
  std::vector<HeapRule> rules;
  for (std::size_t game = 0; game < games; ++game) {
    std::size_t rest = game;
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
      const std::string_view digits = digits_of(pattern[*place]);
      code[*place] = digits[rest % digits.size()];
      rest /= digits.size();
    }
    HeapRule rule = HeapRule::parse(hexadecimal ? std::string(kHexPrefix) + code : code);
    if (has_moves(rule)) rules.push_back(std::move(rule));
  }
  return rules;
}

/// The subsets of 1 .. largest with at most `size` elements, by size and then lexicographically.
std::vector<HeapRule> expand_sets(std::string_view pattern, HeapSize largest, HeapSize size) {
  if (largest == 0 || size == 0) {
    throw Error(ErrorCode::kUsage, fmt::format("the pattern {} has no games", in_quotes(pattern)));
  }
  std::vector<HeapRule> rules;
  for (HeapSize k = 1; k <= std::min(size, largest); ++k) {
    std::vector<HeapSize> set(k);
    for (HeapSize i = 0; i < k; ++i) set[i] = i + 1;
    for (;;) {
      if (rules.size() == kMostGames) too_many(pattern);
      rules.emplace_back(SubtractionRule{SubtractionRule::Kind::kFinite, set});
      HeapSize i = k;
      while (i > 0 && set[i - 1] == largest - k + i) --i;
      if (i == 0) break;
      ++set[i - 1];
      for (HeapSize j = i; j < k; ++j) set[j] = set[j - 1] + 1;
    }
  }
  return rules;
}

/// The bounds of `S{max<=m,size<=s}`, in either order; nothing if the text is not such a pattern.
std::optional<FamilyBounds> set_bounds(std::string_view text) {
  TextCursor cursor(text, Blanks::kSkip);
  if (!cursor.eat_name("s") || !cursor.eat('{')) return std::nullopt;
  if (cursor.rest().find("<=") == std::string_view::npos) return std::nullopt;
  const FamilyBounds bounds = read_bounds(cursor, "<=");
  cursor.expect_end("the end of the pattern");
  return bounds;
}

std::vector<HeapRule> expand_list(const std::string& path);

/// The games of one pattern, which comes from the command line or (`in_list`) from a list.
std::vector<HeapRule> expand(std::string_view typed, bool in_list) {
  const std::string_view pattern = trimmed(typed);
  if (pattern.starts_with('@')) {
    if (in_list) throw Error(ErrorCode::kUsage, "a list cannot name another list");
    return expand_list(std::string(pattern.substr(1)));
  }
  if (const auto bounds = set_bounds(pattern)) {
    return expand_sets(pattern, bounds->largest, bounds->size);
  }
  TextCursor cursor(pattern);
  const bool prefixed = cursor.eat(kHexPrefix);
  const std::string_view code = cursor.rest();
  if (looks_like_code(code) && has_wildcard(code)) {
    refuse_pass(pattern, "a family");
    return expand_code(code, prefixed ? kHexPrefix : std::string_view());
  }
  HeapRule rule = resolve_game(pattern).heap();
  refuse_pass(rule, "a family");
  return {std::move(rule)};
}

std::vector<HeapRule> expand_list(const std::string& path) {
  std::vector<HeapRule> rules;
  for_each_item(path, [&](std::string_view pattern) {
    std::ranges::move(expand(pattern, true), std::back_inserter(rules));
    if (rules.size() > kMostGames) too_many("@" + path);
  });
  return rules;
}

}  // namespace

std::vector<HeapRule> expand_family(std::string_view pattern) {
  std::vector<HeapRule> rules = expand(pattern, false);
  std::set<std::string> seen;
  std::erase_if(rules, [&](const HeapRule& rule) { return !seen.insert(rule.canonical()).second; });
  return rules;
}

}  // namespace grundy
