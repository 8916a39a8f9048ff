// SPDX-License-Identifier: MIT
#include "atlas/standard_form.hpp"

#include <algorithm>

namespace grundy::atlas {
namespace {

constexpr unsigned kMostHeaps = 4;
constexpr std::size_t kMostDigits = 256;

/// The digits of a rule as masks; nothing if the rule has more than its digits.
std::optional<PlainCode> plain(const HeapRule& rule) {
  PlainCode code;
  if (const TakeBreakRule* const digits = rule.take_break()) {
    if (digits->pass || digits->period != 0 || digits->digits.size() > kMostDigits)
      return std::nullopt;
    for (const Digit& digit : digits->digits) {
      if (!digit.plain_up_to(kMostHeaps)) return std::nullopt;
      code.push_back(static_cast<std::uint32_t>(digit.heaps[0]));
    }
  } else {
    const SubtractionRule& set = *rule.subtraction();
    if (set.kind != SubtractionRule::Kind::kFinite || set.elements.back() >= kMostDigits) {
      return std::nullopt;
    }
    code.resize(set.elements.back() + 1);
    for (const HeapSize s : set.elements) code[s] = 3;
  }
  while (!code.empty() && code.back() == 0) code.pop_back();
  return code.empty() ? std::nullopt : std::optional(std::move(code));
}

bool can_take_one(const PlainCode& code) noexcept {
  return code.size() > 1 && (code[1] & 1) != 0;
}

/// The code of the same game if every heap counts one token less. @pre !can_take_one(code)
PlainCode shifted(const PlainCode& code) {
  PlainCode next(code.size() + kMostHeaps - 1);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if ((code[i] & 1) != 0) next[i - 1] |= 1;
    for (unsigned k = 1; k <= kMostHeaps; ++k) {
      // i + k >= 2, because digit 0 only allows two heaps or more.
      if ((code[i] >> k & 1) != 0) next[i + k - 1] |= (2u << k) - 1;
    }
  }
  while (next.back() == 0) next.pop_back();
  return next;
}

}  // namespace

std::optional<StandardForm> standard_form(const HeapRule& rule) {
  std::optional<PlainCode> code = plain(rule);
  if (!code) return std::nullopt;
  StandardForm form{std::move(*code), 0};
  // The loop ends, because some heap has a move, and each step makes the least such heap one
  // smaller.
  for (; !can_take_one(form.code); ++form.shift) form.code = shifted(form.code);
  return form;
}

std::string notation(const PlainCode& code) {
  TakeBreakRule rule;
  for (const std::uint32_t mask : code) {
    Digit digit;
    digit.heaps[0] = mask;
    rule.digits.push_back(digit);
  }
  return HeapRule(std::move(rule)).canonical();
}

std::optional<PlainCode> with_redundant_moves(const StandardForm& form, Values values) {
  if (form.code.size() > kReach + 1 || values.size() <= form.shift + kReach) return std::nullopt;
  PlainCode code = form.code;
  code.resize(kReach + 1);
  std::vector<HeapSize> zeros;
  for (HeapSize i = 1; i <= kReach; ++i) {
    if (values[form.shift + i] == 0) {
      zeros.push_back(i);
    } else {
      code[i] |= 1;
    }
  }
  for (unsigned k = kMostHeaps - 1; k >= 1; --k) {
    for (HeapSize i = 1; i <= kReach; ++i) {
      for (const HeapSize z : zeros) {
        if (z <= i && (code[i - z] >> (k + 1) & 1) != 0) code[i] |= 1u << k;
      }
    }
  }
  return code;
}

}  // namespace grundy::atlas
