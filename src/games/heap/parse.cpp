/// @file
/// Reader of notations, by recursive descent:
///
///     rule   = ["hex:"] code [" pass" number] | set
///     code   = [digit] point (digit+ [tail] | tail) | digit point
///     point  = "." | ","
///     tail   = "[" digit+ "]"
///     digit  = (base-32 character | "&" number ";" | "*" | list) [mark]
///     list   = "{" number [mark] ("," number [mark])* ["+"] "}"
///     mark   = "!" | "?" | "="
///     set    = ("S" ["="] | "AllBut") ("{" body "}" | "(" body ")")
///     body   = word | [range ("," range)*]
///     range  = number [".." number]
///
/// A code may end at its point. Blanks are free around the whole text, and before and between the
/// brackets of a set. Case, blanks, `_` and `-` do not matter in words. A blank, `_` or `-` stands
/// before `pass`, whose letters would be digits of the code otherwise. Behind `pass`, `-` would be
/// a sign and is refused. The codes are those of CGSuite 2 (TBCode.scala) without digits that add
/// tokens. A mark after a list applies to the whole list, so a list with marks inside has none
/// after it.
///
/// Formulas have a reader of their own, parse_formula.cpp.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "core/names.hpp"
#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "games/heap/element_range.hpp"
#include "games/heap/formula.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

constexpr bool is_decimal(char c) noexcept {
  return c >= '0' && c <= '9';
}

constexpr char upper(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  HeapRule rule() {
    if (text_.done()) {
      throw Error(ErrorCode::kUsage,
                  "the notation is empty; a code such as 0.77 or a set S{1,2} is needed");
    }
    if (text_.eat_name("allbut")) return HeapRule(set(SubtractionRule::Kind::kAllBut));
    if (eat_head_of_set()) return HeapRule(set(SubtractionRule::Kind::kFinite));
    // Letters of the word `pass` behind a code say nothing about its digits.
    const std::string_view code_text = text_.text().substr(0, text_.text().find_first_of(" \t_-"));
    hexadecimal_ = text_.eat(kHexPrefix) || shows_more_than_octal(code_text);
    text_.skip_blanks();
    return HeapRule(code());
  }

 private:
  /// `S` is also the base-32 digit 28, and `S=` is that digit with a mark. But in a code no bracket
  /// can follow there.
  bool eat_head_of_set() noexcept {
    const std::size_t start = text_.place();
    if (text_.eat_name("s")) {
      if (text_.eat('=')) text_.skip_blanks();
      if (text_.peek() == '{' || text_.peek() == '(') return true;
    }
    text_.return_to(start);
    return false;
  }

  TakeBreakRule code() {
    TakeBreakRule rule;
    const bool begins_with_digit = !at_point();
    rule.digits.push_back(begins_with_digit ? digit() : Digit{});
    const std::size_t second = text_.place();
    while (starts_digit()) text_.step();
    if (text_.done()) {
      throw Error(ErrorCode::kUsage,
                  in_quotes(text_.text()) + " has no point; Kayles is written 0.77");
    }
    if (!at_point()) text_.unexpected("the point of a code such as 0.77");
    if (text_.place() > second) {
      text_.fail_at(second, in_quotes(text_.text().substr(second, 1)) +
                                " is a second digit before the point; moves that add tokens to a "
                                "heap are not supported");
    }
    text_.step();
    while (starts_digit()) add(rule, digit());
    if (text_.eat('[')) {
      const std::size_t start = rule.digits.size();
      while (starts_digit()) add(rule, digit());
      rule.period = rule.digits.size() - start;
      if (rule.period == 0) text_.unexpected("a digit of the repeating tail");
      text_.expect("]", "a digit or ']'");
      rule.pass = pass();
      text_.expect_end("the end of the code, behind its repeating tail,");
    }
    if (!rule.pass) rule.pass = pass();
    text_.expect_end(rule.pass ? "the end of the text" : "a digit (0-7; A-V beyond octal)");
    if (rule.digits.size() == 1 && !begins_with_digit) {
      throw Error(ErrorCode::kUsage,
                  in_quotes(text_.text()) + " has no digit; Kayles is written 0.77");
    }
    return rule;
  }

  /// Reads ` pass 4`. Returns nothing, and reads nothing, if something else is next.
  std::optional<HeapSize> pass() {
    if (!eat_pass(text_)) return std::nullopt;
    // Behind a word `-` does not matter, but a number would lose its sign.
    const std::string_view read = text_.text().substr(0, text_.place());
    const std::size_t last = read.find_last_of("-sS");
    if (read[last] == '-') {
      text_.fail_at(last,
                    "'-' stands before the number of tokens of the heap that has a pass, "
                    "which has no sign");
    }
    return text_.number("the number of tokens of the heap that has a pass", kMostPass);
  }

  Digit digit() {
    if (!starts_digit()) text_.unexpected("a digit");
    const std::size_t start = text_.place();
    const char c = text_.peek();
    if (c == '{') return list();
    text_.step();
    Digit digit;
    if (c == '*') {
      digit.heaps[mark()] = 1;
      digit.and_more = true;
      return digit;
    }
    std::uint64_t mask = 0;
    if (c == '&') {
      mask = text_.number("the value of the digit");
      text_.expect(";", "';' after the value of the digit");
    } else {
      mask = kBase32.find(upper(c));
      if ((c == '8' || c == '9') && !hexadecimal_) {
        text_.fail_at(start,
                      fmt::format("'{}' is not an octal digit (0-7); write {} for the hexadecimal "
                                  "game",
                                  c, in_quotes(fmt::format("{}{}", kHexPrefix, text_.text()))));
      }
    }
    digit.heaps[mark()] = mask;
    return digit;
  }

  /// Reads `{2,3!+}` or `{2,3}!`.
  Digit list() {
    text_.step();
    std::array<std::uint64_t, kSplitConstraints> heaps{};
    std::uint64_t all = 0;
    do {
      const std::size_t place = text_.place();
      const std::uint64_t k = text_.number("a number of heaps");
      if (k > Digit::kMaxExplicitHeaps) {
        text_.fail_at(place, fmt::format("the number of heaps {} is beyond {}; write '+' for any "
                                         "larger number",
                                         k, Digit::kMaxExplicitHeaps));
      }
      if ((all >> k & 1) != 0) {
        text_.fail_at(place, fmt::format("the number of heaps {} is listed twice", k));
      }
      all |= std::uint64_t{1} << k;
      heaps[mark()] |= std::uint64_t{1} << k;
    } while (text_.eat(','));
    Digit digit{.heaps = heaps, .and_more = text_.eat('+')};
    text_.expect("}", "',', '+' or '}' in the list of numbers of heaps");
    const std::size_t place = text_.place();
    if (const std::size_t global = mark(); global != 0) {
      if (heaps[0] != all) {
        text_.fail_at(place, fmt::format("'{}' applies to the whole list, which has marks of its "
                                         "own",
                                         kConstraintMarks[global]));
      }
      digit.heaps = {};
      digit.heaps[global] = all;
    }
    return digit;
  }

  SubtractionRule set(SubtractionRule::Kind kind) {
    const char close = text_.eat('{') ? '}' : text_.eat('(') ? ')' : '\0';
    if (close == '\0') text_.unexpected("'{' and the numbers of the set");
    SubtractionRule rule{.kind = kind, .elements = {}};
    text_.skip_blanks();
    if (kind == SubtractionRule::Kind::kFinite && text_.at_letter()) {
      rule.kind = named_set();
      text_.skip_blanks();
    } else if (text_.peek() != close) {
      do {
        add_range(rule.elements);
      } while (text_.eat(','));
    }
    text_.expect(std::string_view(&close, 1), fmt::format("',' or '{}' in the set", close));
    if (pass()) {
      throw Error(
          ErrorCode::kUsage,
          in_quotes(text_.text()) + " is a set with a pass; only a code such as 0.77 may have one");
    }
    text_.expect_end("the end of the set");
    return rule;
  }

  /// Reads `5` or `1..9`, with the blanks around it.
  void add_range(std::vector<HeapSize>& elements) {
    text_.skip_blanks();
    const std::size_t place = text_.place();
    const HeapSize first = text_.number("a positive whole number");
    if (first == 0) {
      text_.fail_at(place, "0 is not a number of tokens to take; sets hold positive numbers");
    }
    text_.skip_blanks();
    HeapSize last = first;
    if (text_.eat("..")) {
      text_.skip_blanks();
      last = text_.number("the largest number of the range");
      text_.skip_blanks();
    }
    append_range(text_, place, first, last, elements);
  }

  SubtractionRule::Kind named_set() {
    for (const NamedSet& named : kNamedSets) {
      if (text_.eat_name(folded_name(named.word))) return named.kind;
    }
    text_.unexpected("a number or one of squares, primes, factorials, fibonacci, powers of 2");
  }

  /// Reads the constraint after a digit. Returns its index; 0 if there is none.
  std::size_t mark() noexcept {
    if (text_.done()) return 0;
    const std::size_t c = kConstraintMarks.find(text_.peek(), 1);
    if (c == std::string_view::npos) return 0;
    text_.step();
    return c;
  }

  void add(TakeBreakRule& rule, const Digit& digit) {
    if (rule.digits.size() == kMaxDigits) {
      text_.fail(fmt::format("the code has more than {} digits", kMaxDigits));
    }
    rule.digits.push_back(digit);
  }

  [[nodiscard]] bool at_point() const noexcept {
    return text_.peek() == '.' || text_.peek() == ',';
  }
  [[nodiscard]] bool starts_digit() const noexcept {
    const char c = upper(text_.peek());
    return is_decimal(c) || (c >= 'A' && c <= 'V') || c == '*' || c == '{' || c == '&';
  }

  TextCursor text_;
  bool hexadecimal_ = false;
};

}  // namespace

bool eat_pass(TextCursor& text) {
  const std::size_t start = text.place();
  while (!text.done() && does_not_matter_in_names(text.peek())) text.step();
  if (text.place() > start && text.eat_name(kPassWord)) return true;
  text.return_to(start);
  return false;
}

HeapRule HeapRule::parse(std::string_view text) {
  if (begins_formula(text)) return HeapRule(parse_formula(trimmed(text)));
  return Parser(trimmed(text)).rule();
}

}  // namespace grundy
