// SPDX-License-Identifier: MIT
#include "core/text_cursor.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/names.hpp"
#include "core/text.hpp"

namespace grundy {
namespace {

/// The number of characters in UTF-8: all bytes but continuation bytes.
std::uint64_t characters(std::string_view text) noexcept {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

TextCursor::TextCursor(std::string_view text, Blanks blanks, TextOrigin origin)
    : text_(text), blanks_(blanks), origin_(std::move(origin)) {
  pass(0);
}

bool TextCursor::at_letter() const noexcept {
  return lower(peek()) >= 'a' && lower(peek()) <= 'z';
}

void TextCursor::skip_blanks() noexcept {
  for (bool comment = false; !done(); ++at_) {
    if (peek() == '#') comment = true;
    if (peek() == '\n') comment = false;
    if (!comment && kBlankCharacters.find(peek()) == std::string_view::npos) return;
  }
}

void TextCursor::pass(std::size_t bytes) noexcept {
  at_ += bytes;
  if (blanks_ == Blanks::kSkip) skip_blanks();
}

bool TextCursor::eat(std::string_view token) noexcept {
  if (!std::ranges::equal(rest().substr(0, token.size()), token, {}, lower, lower)) return false;
  pass(token.size());
  return true;
}

bool TextCursor::eat_name(std::string_view folded) noexcept {
  const std::size_t start = at_;
  for (const char wanted : folded) {
    if (lower(peek()) != wanted) {
      at_ = start;
      return false;
    }
    ++at_;
    while (!done() && does_not_matter_in_names(peek())) ++at_;
  }
  pass(0);
  return true;
}

void TextCursor::expect(std::string_view token, std::string_view what) {
  if (!eat(token)) unexpected(what);
}

void TextCursor::expect_end(std::string_view what) const {
  if (!done()) unexpected(what);
}

std::uint64_t TextCursor::number(std::string_view what, std::uint64_t most) {
  if (!at_digit()) unexpected(what);
  const std::size_t start = at_;
  std::uint64_t value = 0;
  for (; at_digit(); ++at_) {
    const auto next = static_cast<std::uint64_t>(peek() - '0');
    if (next > most || value > (most - next) / 10) {
      fail_at(start, fmt::format("the number is larger than {}", most));
    }
    value = 10 * value + next;
  }
  pass(0);
  return value;
}

std::string TextCursor::word() {
  std::string out;
  while (at_letter() || (!out.empty() && at_digit())) out += lower(text_[at_++]);
  pass(0);
  return out;
}

void TextCursor::unexpected(std::string_view what) const {
  if (done()) fail(fmt::format("the text ends where {} is expected", what));
  const std::string_view next = rest().substr(0, std::max<std::size_t>(1, character_size(rest())));
  fail(fmt::format(
      "{} stands where {} is expected",
      kBlankCharacters.find(peek()) != std::string_view::npos ? "white space" : in_quotes(next),
      what));
}

void TextCursor::fail_at(std::size_t place, std::string_view reason) const {
  const std::string_view before = text_.substr(0, place);
  if (origin_.name.empty() && text_.find('\n') == std::string_view::npos) {
    throw Error(origin_.code, fmt::format("{}, character {}: {}", in_quotes(text_),
                                          characters(before) + 1, reason));
  }
  const auto lines = static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
  const std::uint64_t column = characters(before.substr(before.rfind('\n') + 1));
  throw Error(origin_.code, fmt::format("{}, line {}, column {}: {}",
                                        origin_.name.empty() ? in_quotes(text_) : origin_.name,
                                        origin_.line + lines,
                                        (lines == 0 ? origin_.column : 1) + column, reason));
}

std::vector<std::uint64_t> parse_sizes(std::string_view text) {
  TextCursor cursor(text, Blanks::kSkip);
  std::vector<std::uint64_t> sizes;
  do {
    sizes.push_back(cursor.number("a size, as in 4x5,"));
  } while (cursor.eat('x') || cursor.eat("×"));
  cursor.expect_end("'x' or the end of the sizes");
  return sizes;
}

std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t first = text.find_first_not_of(kBlankCharacters);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlankCharacters) + 1 - first);
}

}  // namespace grundy
