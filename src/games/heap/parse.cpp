/// @file
/// Reader of notations, by recursive descent:
///
///     rule   = ["hex:"] [digit] point (digit+ [tail] | tail) | set
///     point  = "." | ","
///     tail   = "[" digit+ "]"
///     digit  = (base-32 character | "&" number ";" | "*" | list) [mark]
///     list   = "{" number [mark] ("," number [mark])* ["+"] "}"
///     mark   = "!" | "?" | "="
///     set    = ("S" ["="] | "AllBut") ("{" body "}" | "(" body ")")
///     body   = word | [number ("," number)*]
///
/// The codes are those of CGSuite 2 (TBCode.scala) without digits that add tokens. A mark after a
/// list applies to all of it, so a list with marks inside has none after it.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "core/text.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool is_decimal(char c) noexcept {
  return c >= '0' && c <= '9';
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  HeapRule rule() {
    if (text_.empty()) fail("the notation is empty; a code such as 0.77 or a set S{1,2} is needed");
    if (eat_word("allbut")) return HeapRule(set(SubtractionRule::Kind::kAllBut));
    // `S` is also the base-32 digit 28 and `S=` that digit with a mark; no code goes on with a
    // bracket there.
    for (const std::string_view head : {"s{", "s(", "s={", "s=("}) {
      if (!eat_word(head)) continue;
      --at_;
      return HeapRule(set(SubtractionRule::Kind::kFinite));
    }
    hexadecimal_ = eat_word(kHexPrefix) || shows_more_than_octal(text_);
    return HeapRule(code());
  }

 private:
  TakeBreakRule code() {
    TakeBreakRule rule;
    rule.digits.push_back(at_point() ? Digit{} : digit());
    if (!at_point()) {
      if (done()) fail(in_quotes(text_) + " has no point; Kayles is written 0.77");
      if (starts_digit()) {
        fail(here() +
             " is a second digit before the point; moves that add tokens to a heap are not "
             "supported");
      }
      unexpected("a point after the first digit");
    }
    ++at_;
    while (starts_digit()) add(rule, digit());
    if (eat('[')) {
      const std::size_t start = rule.digits.size();
      while (starts_digit()) add(rule, digit());
      rule.period = rule.digits.size() - start;
      if (rule.period == 0 || !eat(']')) {
        unexpected(rule.period == 0 ? "a digit of the repeating tail" : "a digit or ']'");
      }
      if (!done()) fail(here() + " stands behind the repeating tail, which ends a code");
    }
    if (!done()) unexpected("a digit (0-7; A-V beyond octal)");
    if (rule.digits.size() == 1) {
      fail(in_quotes(text_) + " has no digit after the point; 0.77 has two");
    }
    return rule;
  }

  Digit digit() {
    if (!starts_digit()) unexpected("a digit");
    const char c = text_[at_];
    if (c == '{') return list();
    ++at_;
    Digit digit;
    if (c == '*') {
      digit.heaps[mark()] = 1;
      digit.and_more = true;
      return digit;
    }
    std::uint64_t mask = 0;
    if (c == '&') {
      mask = number("the value of the digit");
      if (!eat(';')) unexpected("';' after the value of the digit");
    } else {
      mask = kBase32.find(is_decimal(c) ? c : static_cast<char>(lower(c) - 'a' + 'A'));
      if ((c == '8' || c == '9') && !hexadecimal_) {
        --at_;
        fail(fmt::format("{} is not an octal digit (0-7); write {} for the hexadecimal game",
                         here(), in_quotes(fmt::format("{}{}", kHexPrefix, text_))));
      }
    }
    digit.heaps[mark()] = mask;
    return digit;
  }

  /// `{2,3!+}` or `{2,3}!`.
  Digit list() {
    const std::size_t start = at_++;
    std::array<std::uint64_t, kSplitConstraints> heaps{};
    std::uint64_t all = 0;
    do {
      const std::size_t place = at_;
      const std::uint64_t k = number("a number of heaps");
      const bool fits = k <= Digit::kMaxExplicitHeaps;
      if (!fits || (all >> k & 1) != 0) {
        at_ = place;
        fail(fmt::format("the number of heaps {} at byte {} {}", k, at_ + 1,
                         fits ? "is listed twice"
                              : fmt::format("is beyond {}; write '+' for any larger number",
                                            Digit::kMaxExplicitHeaps)));
      }
      const std::size_t c = mark();
      all |= std::uint64_t{1} << k;
      heaps[c] |= std::uint64_t{1} << k;
    } while (eat(','));
    Digit digit{.heaps = heaps, .and_more = eat('+')};
    if (!eat('}')) unexpected("',', '+' or '}' in the list of numbers of heaps");
    const std::size_t place = at_;
    if (const std::size_t global = mark(); global != 0) {
      if (heaps[0] != all) {
        at_ = place;
        fail(fmt::format("{} applies to the whole list at byte {}, which has marks of its own",
                         here(), start + 1));
      }
      digit.heaps = {};
      digit.heaps[global] = all;
    }
    return digit;
  }

  SubtractionRule set(SubtractionRule::Kind kind) {
    const char close = eat('{') ? '}' : eat('(') ? ')' : '\0';
    if (close == '\0') unexpected("'{' and the numbers of the set");
    SubtractionRule rule{.kind = kind, .elements = {}};
    if (kind == SubtractionRule::Kind::kFinite && !done() && lower(text_[at_]) >= 'a' &&
        lower(text_[at_]) <= 'z') {
      rule.kind = named_set();
    } else if (done() || text_[at_] != close) {
      do {
        const std::size_t place = at_;
        rule.elements.push_back(number("a positive whole number"));
        if (rule.elements.back() == 0) {
          at_ = place;
          fail(fmt::format("{} is not a number of tokens to take; sets hold positive numbers",
                           here()));
        }
      } while (eat(','));
    }
    if (!eat(close)) unexpected(fmt::format("',' or '{}' in the set", close));
    if (!done()) unexpected("the end of the set");
    return rule;
  }

  SubtractionRule::Kind named_set() {
    for (const NamedSet& named : kNamedSets) {
      if (eat_word(named.word)) return named.kind;
    }
    unexpected("a number or one of squares, primes, factorials, fibonacci");
  }

  /// The constraint after a digit, as an index; 0 if there is none.
  std::size_t mark() {
    if (done()) return 0;
    const std::size_t c = kConstraintMarks.find(text_[at_], 1);
    if (c == std::string_view::npos) return 0;
    ++at_;
    return c;
  }

  std::uint64_t number(std::string_view what) {
    if (done() || !is_decimal(text_[at_])) unexpected(what);
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    const std::size_t start = at_;
    std::uint64_t value = 0;
    for (; !done() && is_decimal(text_[at_]); ++at_) {
      const auto next = static_cast<std::uint64_t>(text_[at_] - '0');
      if (value > (kMax - next) / 10) {
        fail(fmt::format("the number at byte {} of {} is larger than {}", start + 1,
                         in_quotes(text_), kMax));
      }
      value = 10 * value + next;
    }
    return value;
  }

  void add(TakeBreakRule& rule, const Digit& digit) {
    if (rule.digits.size() == kMaxDigits) {
      fail(fmt::format("the code has more than {} digits", kMaxDigits));
    }
    rule.digits.push_back(digit);
  }

  [[nodiscard]] bool done() const noexcept { return at_ == text_.size(); }
  [[nodiscard]] bool at_point() const noexcept {
    return !done() && (text_[at_] == '.' || text_[at_] == ',');
  }
  [[nodiscard]] bool starts_digit() const noexcept {
    if (done()) return false;
    const char c = lower(text_[at_]);
    return is_decimal(c) || (c >= 'a' && c <= 'v') || c == '*' || c == '{' || c == '&';
  }

  bool eat(char c) noexcept {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  /// Reads `word` (lower case), whatever its case in the text.
  bool eat_word(std::string_view word) noexcept {
    const std::string_view next = text_.substr(at_, word.size());
    if (!std::ranges::equal(next, word, {}, lower)) return false;
    at_ += word.size();
    return true;
  }

  /// The next byte and its place, for a message.
  [[nodiscard]] std::string here() const {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n') return fmt::format("white space at byte {}", at_ + 1);
    if (c > ' ' && c <= '~') return fmt::format("'{}' at byte {}", c, at_ + 1);
    return fmt::format("the byte 0x{:02x} at byte {}", static_cast<unsigned char>(c), at_ + 1);
  }

  [[noreturn]] void unexpected(std::string_view wanted) const {
    fail(done() ? fmt::format("{} ends where {} is expected", in_quotes(text_), wanted)
                : fmt::format("{} of {} stands where {} is expected", here(), in_quotes(text_),
                              wanted));
  }

  [[noreturn]] static void fail(const std::string& message) {
    throw Error(ErrorCode::kUsage, message);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool hexadecimal_ = false;
};

}  // namespace

HeapRule HeapRule::parse(std::string_view text) {
  return Parser(text).rule();
}

}  // namespace grundy
