// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/heap/rule.hpp>

#include "games/heap/formula.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

constexpr std::size_t kAny = static_cast<std::size_t>(SplitConstraint::kAny);

/// The mark of constraint `c` in the notation: nothing for kAny.
std::string_view mark(std::size_t c) {
  return kConstraintMarks.substr(c, c == kAny ? 0 : 1);
}

/// `{0,1,2!,3?+}`: every number of heaps with its own mark.
std::string list_text(const Digit& digit) {
  std::string text = "{";
  for (unsigned k = 0; k <= digit.max_heaps(); ++k) {
    if (const auto c = digit.constraint(k)) {
      text +=
          fmt::format("{}{}{}", text.size() > 1 ? "," : "", k, mark(static_cast<std::size_t>(*c)));
    }
  }
  return text + (digit.and_more ? "+}" : "}");
}

std::string digit_text(Digit digit) {
  if (digit.empty()) return "0";
  digit = with_fewest_constraints(digit);
  std::size_t constraint = kAny;  // the only constraint on splits, if `uniform`
  bool uniform = true;
  std::uint64_t mask = 0;
  for (std::size_t c = 0; c < kSplitConstraints; ++c) {
    mask |= digit.heaps[c];
    if (digit.heaps[c] >> 2 == 0) continue;
    uniform = uniform && (mask >> 2) == (digit.heaps[c] >> 2);
    constraint = c;
  }
  if (!uniform) return list_text(digit);
  if (digit.and_more) {
    const bool from_zero = mask == (constraint == kAny ? 0b1 : 0b111);
    return from_zero ? fmt::format("*{}", mark(constraint)) : list_text(digit);
  }
  return mask < kBase32.size() ? fmt::format("{}{}", kBase32[mask], mark(constraint))
                               : fmt::format("&{};{}", mask, mark(constraint));
}

std::string code_text(const TakeBreakRule& rule) {
  std::string text = digit_text(rule.digits[0]) + '.';
  const std::size_t tail = rule.digits.size() - rule.period;
  for (std::size_t i = 1; i < rule.digits.size(); ++i) {
    if (i == tail) text += '[';
    text += digit_text(rule.digits[i]);
  }
  if (rule.period > 0) text += ']';
  if (rule.digits.size() == 1) text += '0';
  const bool unmarked =
      !shows_more_than_octal(text) && text.find_first_of("89") != std::string::npos;
  if (unmarked) text.insert(0, kHexPrefix);
  return rule.pass ? fmt::format("{} {} {}", text, kPassWord, *rule.pass) : text;
}

std::string set_text(const SubtractionRule& rule) {
  for (const NamedSet& named : kNamedSets) {
    if (named.kind == rule.kind) return fmt::format("S{{{}}}", named.word);
  }
  return fmt::format("{}{{{}}}", rule.kind == SubtractionRule::Kind::kFinite ? "S" : "AllBut",
                     fmt::join(rule.elements, ","));
}

}  // namespace

std::string HeapRule::canonical() const {
  if (formula() != nullptr) return formula_text(*formula());
  return take_break() != nullptr ? code_text(*take_break()) : set_text(*subtraction());
}

}  // namespace grundy
