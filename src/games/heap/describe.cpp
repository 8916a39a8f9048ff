/// @file
/// Rules in plain English: one clause for each distinct digit, with the numbers of tokens that it
/// allows to take. Long lists are cut short, so only the notation is exact.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <grundy/heap/rule.hpp>

#include "games/heap/formula.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

/// The most parts of a list of numbers that are written out.
constexpr std::size_t kMostPieces = 12;

using NumberText = std::string (*)(HeapSize);

std::string numeral(HeapSize n) {
  return fmt::format("{}", n);
}

std::string word(HeapSize n) {
  constexpr std::array<std::string_view, 10> kWords = {"zero", "one", "two",   "three", "four",
                                                       "five", "six", "seven", "eight", "nine"};
  return n < kWords.size() ? std::string(kWords[n]) : numeral(n);
}

std::string joined(const std::vector<std::string>& parts, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? fmt::format(" {} ", last) : ", ";
    text += parts[i];
  }
  return text;
}

/// Ascending numbers, three or more in a row as a range: `1, 2`, `5 to 9`.
std::vector<std::string> pieces(const std::vector<HeapSize>& numbers, NumberText text) {
  std::vector<std::string> parts;
  std::size_t i = 0;
  while (i < numbers.size() && parts.size() < kMostPieces) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    if (end - i < 3) end = i + 1;
    parts.push_back(text(numbers[i]));
    if (end - i > 1) parts.back() += " to " + text(numbers[end - 1]);
    i = end;
  }
  if (i < numbers.size()) {
    parts.emplace_back("...");
    parts.push_back(text(numbers.back()));
  }
  return parts;
}

/// The possible results of a move: `nothing, one heap or two unequal heaps`.
std::string outcome_text(const Digit& canonical_digit) {
  const Digit digit = with_fewest_constraints(canonical_digit);
  std::vector<std::string> parts;
  if (digit.constraint(0)) parts.emplace_back("nothing");
  for (std::size_t c = 0; c < kSplitConstraints; ++c) {
    std::vector<HeapSize> counts;
    for (unsigned k = 1; k <= digit.max_heaps(); ++k) {
      if (digit.constraint(k) == static_cast<SplitConstraint>(c)) counts.push_back(k);
    }
    if (counts.empty()) continue;
    if (counts == std::vector<HeapSize>{1} && !(digit.and_more && digit.max_heaps() == 1)) {
      parts.emplace_back("one heap");
      continue;
    }
    std::vector<std::string> words = pieces(counts, word);
    if (digit.and_more && counts.back() == digit.max_heaps()) words.back() += " or more";
    const bool pair = words.size() == 1 && words[0] == "two";
    const std::array<std::string_view, kSplitConstraints> patterns = {
        "{} heaps", pair ? "{} unequal heaps" : "{} heaps of different sizes",
        "{} heaps not all equal", "{} equal heaps"};
    parts.push_back(fmt::format(fmt::runtime(patterns[c]), joined(words, "or")));
  }
  return joined(parts, "or");
}

/// One clause; `take` is `2 tokens`, `1 or 2 tokens`, `any number of tokens`.
std::string clause(const Digit& digit, std::string_view take) {
  if (digit.plain_up_to(2)) {  // the usual octal digits have sentences of their own
    constexpr std::array<std::string_view, 8> kSentences = {
        "",
        "take a whole heap of {}",
        "take {} from a larger heap",
        "take {} from a heap",
        "take {} from a heap and split what is left into two heaps",
        "",
        "take {} from a larger heap and, if you like, split what is left into two heaps",
        "take {} from a heap and, if you like, split what is left into two heaps",
    };
    const std::string_view sentence = kSentences[digit.heaps[0]];
    if (!sentence.empty()) return fmt::format(fmt::runtime(sentence), take);
  }
  if (digit.and_more && digit.heaps[0] == 1 && digit.max_heaps() == 0) {
    return fmt::format("take {} from a heap and split what is left into any number of heaps", take);
  }
  return fmt::format("take {} from a heap and leave {}", take, outcome_text(digit));
}

/// The numbers of tokens that may be taken with `digit`: `1 or 2 tokens`, `3 or more tokens`, ...
std::string take_text(const TakeBreakRule& rule, const Digit& digit) {
  std::vector<HeapSize> places;
  const std::size_t tail = rule.digits.size() - rule.period;
  for (std::size_t i = 1; i < rule.digits.size(); ++i) {
    if (rule.digits[i] == digit) places.push_back(i);
  }
  const bool repeats = places.back() >= tail;
  if (repeats && rule.period == 1) {  // the last place also stands for all later ones
    if (places.size() == places.back()) return "any number of tokens";
    const HeapSize from = places.back();
    places.pop_back();
    std::vector<std::string> parts = pieces(places, numeral);
    parts.push_back(fmt::format("{} or more tokens", from));
    return joined(parts, "or");
  }
  if (repeats) {
    for (HeapSize i = rule.digits.size(); places.size() < 3; ++i) {
      if (rule.digit(i) == digit) places.push_back(i);
    }
    return fmt::format("{}, ... tokens", fmt::join(pieces(places, numeral), ", "));
  }
  return joined(pieces(places, numeral), "or") + (places.back() == 1 ? " token" : " tokens");
}

std::string code_meaning(const TakeBreakRule& rule) {
  std::vector<std::string> clauses;
  std::vector<Digit> seen = {Digit{}};
  if (!rule.digits[0].empty()) {
    clauses.push_back(fmt::format("split a heap into {}", outcome_text(rule.digits[0])));
  }
  for (std::size_t i = 1; i < rule.digits.size(); ++i) {
    const Digit& digit = rule.digits[i];
    if (std::ranges::find(seen, digit) != seen.end()) continue;
    seen.push_back(digit);
    clauses.push_back(clause(digit, take_text(rule, digit)));
  }
  if (rule.pass) {
    clauses.push_back(
        fmt::format("pass in a heap of exactly {} token{}, which then has no pass any more",
                    *rule.pass, *rule.pass == 1 ? "" : "s"));
  }
  return clauses.empty() ? "there are no moves" : fmt::format("{}", fmt::join(clauses, "; or "));
}

std::string set_meaning(const SubtractionRule& rule) {
  for (const NamedSet& named : kNamedSets) {
    if (named.kind == rule.kind) return fmt::format("take {} of tokens from a heap", named.meaning);
  }
  if (rule.elements.empty()) return "take any number of tokens from a heap";
  if (rule.kind == SubtractionRule::Kind::kAllBut) {
    return fmt::format("take any number of tokens except {} from a heap",
                       joined(pieces(rule.elements, numeral), "and"));
  }
  return fmt::format("take {} {} from a heap", joined(pieces(rule.elements, numeral), "or"),
                     rule.elements.back() == 1 ? "token" : "tokens");
}

}  // namespace

std::string HeapRule::describe() const {
  if (formula() != nullptr) return formula_meaning(*formula());
  return take_break() != nullptr ? code_meaning(*take_break()) : set_meaning(*subtraction());
}

}  // namespace grundy
