/// @file
/// Expressions over nimbers, by recursive descent:
///
///     sum     = product (("^" | "+" | "⊕") product)*
///     product = power (("*" | "/" | "⊗") power)*
///     power   = atom ["**" number]
///     atom    = ["*"] number | "(" sum ")" | "inv" "(" sum ")" | "mex" "(" [sum ("," sum)*] ")"
///
/// Blanks are free between tokens. A star before a number says that the number is a nimber, as in
/// `*5 + *6`, and changes nothing.
// SPDX-License-Identifier: MIT
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <grundy/nim.hpp>

#include "core/text_cursor.hpp"

namespace grundy {
namespace {

/// Deep enough for any expression a person types, shallow enough for the stack.
constexpr int kMostNested = 200;

class Evaluator {
 public:
  explicit Evaluator(std::string_view text) : text_(text, Blanks::kSkip) {}

  std::uint64_t whole() {
    const std::uint64_t value = sum();
    text_.expect_end("an operator or the end");
    return value;
  }

 private:
  std::uint64_t sum() {
    if (++depth_ > kMostNested) {
      text_.fail(fmt::format("the expression nests more than {} parentheses", kMostNested));
    }
    std::uint64_t value = product();
    while (text_.eat('^') || text_.eat('+') || text_.eat("⊕")) value = nim_sum(value, product());
    --depth_;
    return value;
  }

  std::uint64_t product() {
    std::uint64_t value = power();
    for (;;) {
      if (eat_times()) {
        value = nim_product(value, power());
      } else if (text_.eat('/')) {
        value = nim_product(value, nim_inverse(power()));
      } else {
        return value;
      }
    }
  }

  std::uint64_t power() {
    const std::uint64_t value = atom();
    return text_.eat("**") ? nim_power(value, text_.number("the exponent, a number,")) : value;
  }

  std::uint64_t atom() {
    if (text_.eat('(')) return closed(sum());
    if (text_.eat("inv")) return open(), nim_inverse(closed(sum()));
    if (text_.eat("mex")) {
      open();
      std::vector<std::uint64_t> values;
      if (text_.eat(')')) return mex(values);
      do {
        values.push_back(sum());
      } while (text_.eat(','));
      return closed(mex(values));
    }
    if (!text_.rest().starts_with("**") && text_.eat('*')) {
      return text_.number("a number after its star");
    }
    return text_.number("a number, '(', inv(…) or mex(…)");
  }

  void open() { text_.expect("(", "'('"); }

  std::uint64_t closed(std::uint64_t value) {
    text_.expect(")", "')'");
    return value;
  }

  /// `*` is not taken from a `**`, which belongs to a power.
  bool eat_times() { return (!text_.rest().starts_with("**") && text_.eat('*')) || text_.eat("⊗"); }

  TextCursor text_;
  int depth_ = 0;
};

}  // namespace

std::uint64_t nim_evaluate(std::string_view expression) {
  return Evaluator(expression).whole();
}

}  // namespace grundy
