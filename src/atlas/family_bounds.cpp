// SPDX-License-Identifier: MIT
#include "atlas/family_bounds.hpp"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "core/text.hpp"

namespace grundy {
namespace {

/// The count before the next comma or brace.
std::uint64_t read_count(TextCursor& text) {
  const std::string_view count = trimmed(text.rest().substr(0, text.rest().find_first_of(",}")));
  if (count.empty()) text.unexpected("a count");
  const std::uint64_t value = parse_count(count);
  text.eat(count);
  return value;
}

}  // namespace

FamilyBounds read_bounds(TextCursor& text, std::string_view relation) {
  std::optional<std::uint64_t> largest, size;
  const std::string size_word = fmt::format("size{}", relation);
  do {
    if (!largest && text.eat("max")) {
      text.expect("<=", "'<=' and the largest member");
      largest = read_count(text);
    } else if (!size && text.eat("size")) {
      text.expect(relation, fmt::format("'{}' and a number of members", relation));
      size = read_count(text);
    } else {
      text.unexpected(size ? "'max<='" : largest ? in_quotes(size_word) : "'max<='");
    }
  } while ((!largest || !size) && text.eat(','));
  if (!largest || !size) {
    text.unexpected(fmt::format("',' and {}", size ? "'max<='" : in_quotes(size_word)));
  }
  text.expect("}", "'}' behind both bounds");
  return {*largest, *size};
}

}  // namespace grundy
