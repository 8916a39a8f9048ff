/// @file
/// Expressions over nimbers, by recursive descent:
///
///     sum     = product (("^" | "+") product)*
///     product = power (("*" | "/") power)*
///     power   = atom ["**" number]
///     atom    = number | "(" sum ")" | "inv" "(" sum ")" | "mex" "(" [sum ("," sum)*] ")"
///
/// White space is free between tokens.
// SPDX-License-Identifier: MIT
#include <charconv>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/nim.hpp>

namespace grundy {
namespace {

/// Deep enough for any expression a person types, shallow enough for the stack.
constexpr int kMostNested = 200;

class Evaluator {
 public:
  explicit Evaluator(std::string_view text) : text_(text) {}

  std::uint64_t whole() {
    const std::uint64_t value = sum();
    if (at_ < text_.size()) fail("an operator or the end");
    return value;
  }

 private:
  std::uint64_t sum() {
    if (++depth_ > kMostNested) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the expression nests more than {} parentheses", kMostNested));
    }
    std::uint64_t value = product();
    while (eat('^') || eat('+')) value = nim_sum(value, product());
    --depth_;
    return value;
  }

  std::uint64_t product() {
    std::uint64_t value = power();
    for (;;) {
      if (eat('*')) {
        value = nim_product(value, power());
      } else if (eat('/')) {
        value = nim_product(value, nim_inverse(power()));
      } else {
        return value;
      }
    }
  }

  std::uint64_t power() {
    const std::uint64_t value = atom();
    if (!text_.substr(at_).starts_with("**")) return value;
    at_ += 2;
    skip_space();
    return nim_power(value, number());
  }

  std::uint64_t atom() {
    skip_space();
    if (eat('(')) return closed(sum());
    if (eat_word("inv")) return nim_inverse(closed(sum()));
    if (eat_word("mex")) {
      std::vector<std::uint64_t> values;
      if (eat(')')) return mex(values);
      do {
        values.push_back(sum());
      } while (eat(','));
      return closed(mex(values));
    }
    return number();
  }

  std::uint64_t number() {
    std::uint64_t value = 0;
    const char* const from = text_.data() + at_;
    const auto [end, error] = std::from_chars(from, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the number at byte {} is beyond 64 bits", at_ + 1));
    }
    if (error != std::errc{}) fail("a number, '(', inv(…) or mex(…)");
    at_ += static_cast<std::size_t>(end - from);
    skip_space();
    return value;
  }

  std::uint64_t closed(std::uint64_t value) {
    if (!eat(')')) fail("')'");
    return value;
  }

  /// `*` is not taken from a `**`, which belongs to a power.
  bool eat(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    if (c == '*' && text_.substr(at_).starts_with("**")) return false;
    ++at_;
    skip_space();
    return true;
  }

  /// The word and the parenthesis behind it.
  bool eat_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    skip_space();
    if (!eat('(')) fail("'('");
    return true;
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  [[noreturn]] void fail(std::string_view expected) const {
    throw Error(ErrorCode::kUsage,
                at_ < text_.size()
                    ? fmt::format("'{}' at byte {} of the expression: expected {}", text_[at_],
                                  at_ + 1, expected)
                    : fmt::format("the expression ends too early: expected {}", expected));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::uint64_t nim_evaluate(std::string_view expression) {
  return Evaluator(expression).whole();
}

}  // namespace grundy
