// SPDX-License-Identifier: MIT
#include "table/key_text.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace grundy {
namespace {

constexpr std::string_view kPrefix = "0x";
constexpr std::size_t kDigitsOfWord = 16;

}  // namespace

std::string key_text(std::span<const std::uint64_t> key) {
  std::string text(kPrefix);
  for (std::size_t i = key.size(); i-- > 0;) text += fmt::format("{:016x}", key[i]);
  return text;
}

std::optional<std::vector<std::uint64_t>> parse_key(std::string_view text, unsigned words) {
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  if (text.empty() || text.size() > words * kDigitsOfWord) return std::nullopt;
  std::vector<std::uint64_t> key(words);
  for (std::uint64_t& word : key) {
    const auto digits = text.substr(text.size() - std::min(text.size(), kDigitsOfWord));
    if (digits.empty()) break;
    const char* const end = digits.data() + digits.size();
    if (std::from_chars(digits.data(), end, word, 16).ptr != end) return std::nullopt;
    text.remove_suffix(digits.size());
  }
  return key;
}

std::string position_text(const GraphGame* game, std::span<const std::uint64_t> key) {
  return game != nullptr ? game->text(key) : key_text(key);
}

}  // namespace grundy
