// SPDX-License-Identifier: MIT
#include "core/text_cursor.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace grundy {
namespace {

using testing_support::error_of;

std::string message_of(const std::function<void()>& action) {
  return error_of(action).what();
}

TEST(TextCursor, ReadsFromLeftToRight) {
  TextCursor text("Sym 12 ;x # comment\n 7", Blanks::kSkip);
  EXPECT_EQ(text.word(), "sym");
  EXPECT_EQ(text.number("a number"), 12u);
  EXPECT_FALSE(text.eat(','));
  EXPECT_TRUE(text.eat(';'));
  EXPECT_TRUE(text.eat("X"));
  EXPECT_EQ(text.number("a number"), 7u);
  EXPECT_TRUE(text.done());
  EXPECT_EQ(text.peek(), '\0');
}

TEST(TextCursor, BlanksAreCharactersUnlessTheyAreSkipped) {
  TextCursor text(" 1");
  EXPECT_FALSE(text.at_digit());
  text.skip_blanks();
  EXPECT_TRUE(text.at_digit());
}

TEST(TextCursor, NamesMayHaveBlanksAndHyphens) {
  TextCursor text("All-But _{2}");
  EXPECT_FALSE(text.eat_name("allbutone"));
  EXPECT_EQ(text.place(), 0u);
  EXPECT_TRUE(text.eat_name("allbut"));
  EXPECT_EQ(text.peek(), '{');
}

TEST(TextCursor, NumbersHaveABound) {
  EXPECT_EQ(TextCursor("18446744073709551615").number("n"), 18446744073709551615u);
  EXPECT_EQ(TextCursor("255").number("n", 255), 255u);
  EXPECT_EQ(message_of([] { TextCursor("a256").fail_at(1, "wrong"); }),
            "'a256', character 2: wrong");
  EXPECT_EQ(message_of([] { static_cast<void>(TextCursor("256").number("n", 255)); }),
            "'256', character 1: the number is larger than 255");
  EXPECT_EQ(message_of([] { static_cast<void>(TextCursor("18446744073709551616").number("n")); }),
            "'18446744073709551616', character 1: the number is larger than 18446744073709551615");
}

TEST(TextCursor, CountsCharactersNotBytes) {
  TextCursor text("5×⊗6");
  text.step();
  EXPECT_TRUE(text.eat("×"));
  EXPECT_EQ(message_of([&] { text.unexpected("a number"); }),
            "'5×⊗6', character 3: '⊗' stands where a number is expected");
}

TEST(TextCursor, SaysWhatStandsThere) {
  EXPECT_EQ(message_of([] { TextCursor("").expect("(", "'('"); }),
            "'', character 1: the text ends where '(' is expected");
  EXPECT_EQ(message_of([] { TextCursor(" x").expect("(", "'('"); }),
            "' x', character 1: white space stands where '(' is expected");
  EXPECT_EQ(message_of([] { TextCursor("\x1b").expect_end("the end"); }),
            "'\\x1b', character 1: '\\x1b' stands where the end is expected");
}

TEST(TextCursor, TellsLineAndColumnOfTextInFiles) {
  const TextOrigin origin{.name = "g.toml", .line = 3, .column = 10, .code = ErrorCode::kCorrupt};
  const Error first = error_of([&] { TextCursor("ab", Blanks::kCount, origin).fail_at(1, "no"); });
  EXPECT_STREQ(first.what(), "g.toml, line 3, column 11: no");
  EXPECT_EQ(first.code(), ErrorCode::kCorrupt);
  EXPECT_EQ(message_of([&] { TextCursor("a\n×b", Blanks::kCount, origin).fail_at(4, "no"); }),
            "g.toml, line 4, column 2: no");
  EXPECT_EQ(message_of([] { TextCursor("a\nb").fail_at(2, "no"); }),
            "'a\\x0ab', line 2, column 1: no");
}

TEST(TextCursor, ReadsSizes) {
  EXPECT_EQ(parse_sizes("3x40"), (std::vector<std::uint64_t>{3, 40}));
  EXPECT_EQ(parse_sizes(" 3 X 4×5 "), (std::vector<std::uint64_t>{3, 4, 5}));
  EXPECT_EQ(message_of([] { static_cast<void>(parse_sizes("3x")); }),
            "'3x', character 3: the text ends where a size, as in 4x5, is expected");
  EXPECT_EQ(message_of([] { static_cast<void>(parse_sizes("3 4")); }),
            "'3 4', character 3: '4' stands where 'x' or the end of the sizes is expected");
}

TEST(TextCursor, TrimmedLosesBlanksAtTheEnds) {
  EXPECT_EQ(trimmed(" \ta b\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
}

}  // namespace
}  // namespace grundy
