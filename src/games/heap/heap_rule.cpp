// SPDX-License-Identifier: MIT
#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "games/heap/formula.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

[[noreturn]] void has_a_pass(const std::string& game, std::string_view what) {
  throw Error(ErrorCode::kUsage,
              game + " has a pass, which " + std::string(what) + " does not know");
}

const Digit kEmpty{};

/// Length of the shortest word whose repetition is `word`, by the failure function of Knuth, Morris
/// and Pratt (1977).
std::size_t shortest_root(std::span<const Digit> word) {
  std::vector<std::size_t> border(word.size() + 1, 0);  // of the prefix of each length
  for (std::size_t length = 2; length <= word.size(); ++length) {
    std::size_t b = border[length - 1];
    while (b > 0 && word[b] != word[length - 1]) b = border[b];
    border[length] = word[b] == word[length - 1] ? b + 1 : b;
  }
  const std::size_t root = word.size() - border[word.size()];
  return word.size() % root == 0 ? root : word.size();
}

/// @throws Error(kUsage) if the rule cannot have its pass
void check_pass(const TakeBreakRule& rule) {
  if (rule.pass == HeapSize{0} || *rule.pass > kMostPass) {
    throw Error(ErrorCode::kUsage, "a heap with a pass has 1 to " + std::to_string(kMostPass) +
                                       " tokens, not " + std::to_string(*rule.pass));
  }
  const auto leaves_more = [](const Digit& digit) {
    return digit.and_more || digit.max_heaps() > kMostHeapsWithPass;
  };
  if (std::ranges::any_of(rule.digits, leaves_more)) {
    throw Error(ErrorCode::kUsage,
                "a pass needs an octal or hexadecimal code, whose moves leave at most three heaps");
  }
}

}  // namespace

TakeBreakRule canonical(TakeBreakRule rule) {
  auto& digits = rule.digits;
  if (digits.empty() || rule.period >= digits.size()) {
    throw Error(ErrorCode::kUsage, "a code needs a digit d0 before the repeating ones");
  }
  if (digits.size() > kMaxDigits) {
    throw Error(ErrorCode::kUsage, "a code has at most " + std::to_string(kMaxDigits) +
                                       " digits, not " + std::to_string(digits.size()));
  }
  std::transform(digits.begin(), digits.end(), digits.begin(),
                 [](const Digit& d) { return canonical(d); });
  if (rule.pass) check_pass(rule);
  if (digits[0].constraint(0) || digits[0].constraint(1)) {
    throw Error(
        ErrorCode::kUsage,
        "the digit before the point allows a move that takes nothing and splits nothing, so "
        "play would never end; it may be 0, 4 or another that leaves at least two heaps");
  }

  if (rule.period > 0) {
    const auto tail = std::span(digits).last(rule.period);
    const std::size_t root = shortest_root(tail);
    digits.resize(digits.size() - rule.period + root);
    rule.period = tail[0].empty() && root == 1 ? 0 : root;
  }
  if (rule.period == 0) {
    while (digits.size() > 1 && digits.back().empty()) digits.pop_back();
    return rule;
  }
  // A digit before the tail that equals the last digit of the tail belongs to the tail, which then
  // starts one place earlier. d0 stays in front of the point.
  while (digits.size() > rule.period + 1 &&
         digits[digits.size() - rule.period - 1] == digits.back()) {
    digits.pop_back();
  }
  return rule;
}

void refuse_pass(const HeapRule& rule, std::string_view what) {
  if (rule.pass()) has_a_pass(rule.canonical(), what);
}

void refuse_pass(std::string_view code, std::string_view what) {
  for (TextCursor text(code); !text.done(); text.step()) {
    if (eat_pass(text)) has_a_pass(in_quotes(code), what);
  }
}

const Digit& TakeBreakRule::digit(HeapSize removed) const noexcept {
  if (removed < digits.size()) return digits[removed];
  if (period == 0) return kEmpty;
  const HeapSize prefix = digits.size() - period;
  return digits[prefix + (removed - prefix) % period];
}

HeapRule::HeapRule(TakeBreakRule rule) : rule_(grundy::canonical(std::move(rule))) {}
HeapRule::HeapRule(SubtractionRule rule) : rule_(grundy::canonical(std::move(rule))) {}
HeapRule::HeapRule(FormulaRule rule) : rule_(grundy::canonical(std::move(rule))) {}

const TakeBreakRule* HeapRule::take_break() const noexcept {
  return std::get_if<TakeBreakRule>(&rule_);
}

const SubtractionRule* HeapRule::subtraction() const noexcept {
  return std::get_if<SubtractionRule>(&rule_);
}

const FormulaRule* HeapRule::formula() const noexcept {
  return std::get_if<FormulaRule>(&rule_);
}

namespace {

/// The set of formulas that take numbers alone, `n - 1, n - 2`, or those of a set, `n - d : d in
/// squares`; nothing for others.
std::optional<SubtractionRule> taken_by(const FormulaRule& rule) {
  using Expression = FormulaExpression::Kind;
  const FormulaClause& first = rule.clauses.front();
  SubtractionRule set;
  if (first.conditions.empty()) {
    for (const FormulaClause& clause : rule.clauses) {
      if (!clause.conditions.empty()) return std::nullopt;
      for (const FormulaExpression& target : clause.targets) {
        if (!takes(target, Expression::kNumber)) return std::nullopt;
        set.elements.push_back(target.operands[1].number);
      }
    }
  } else {
    const FormulaCondition& condition = first.conditions.front();
    if (rule.clauses.size() > 1 || first.targets.size() > 1 || first.conditions.size() > 1 ||
        !takes(first.targets.front(), Expression::kVariable) || condition.negated ||
        condition.kind != FormulaCondition::Kind::kIn ||
        condition.left.kind != Expression::kVariable) {
      return std::nullopt;
    }
    set = condition.set;
    std::erase(set.elements, 0U);  // the variable is 1 at least
    if (set.kind == SubtractionRule::Kind::kFinite && set.elements.empty()) return std::nullopt;
  }
  return canonical(std::move(set));
}

}  // namespace

std::optional<SubtractionRule> HeapRule::as_subtraction() const {
  if (const SubtractionRule* rule = subtraction()) return *rule;
  if (const FormulaRule* rule = formula()) return taken_by(*rule);
  if (pass()) return std::nullopt;
  const TakeBreakRule& code = *take_break();
  const Digit take = {.heaps = {0b11}};
  for (std::size_t i = 0; i < code.digits.size(); ++i) {
    const bool taken = i > 0 && code.digits[i] == take;
    if (!taken && !code.digits[i].empty()) return std::nullopt;
  }
  // A tail of period 1 is [3]. Other periods mix 0 and 3 without end and have no name.
  if (code.period > 1 || (code.period == 0 && code.digits.size() == 1)) return std::nullopt;

  const bool all_but = code.period == 1;
  SubtractionRule rule{
      .kind = all_but ? SubtractionRule::Kind::kAllBut : SubtractionRule::Kind::kFinite,
      .elements = {}};
  for (std::size_t i = 1; i < code.digits.size(); ++i) {
    if (code.digits[i].empty() == all_but) rule.elements.push_back(i);
  }
  return rule;
}

std::optional<HeapSize> HeapRule::pass() const noexcept {
  return take_break() != nullptr ? take_break()->pass : std::nullopt;
}

std::optional<HeapSize> HeapRule::largest_take() const {
  if (const TakeBreakRule* code = take_break()) {
    if (code->period > 0) return std::nullopt;
    return code->digits.size() - 1;
  }
  const auto set = as_subtraction();
  if (!set || set->kind != SubtractionRule::Kind::kFinite) return std::nullopt;
  return set->elements.back();
}

std::optional<unsigned> HeapRule::max_heaps() const {
  const TakeBreakRule* code = take_break();
  if (code == nullptr) return 1;
  unsigned most = 0;
  for (const Digit& digit : code->digits) {
    if (digit.and_more) return std::nullopt;
    most = std::max(most, digit.max_heaps());
  }
  return most;
}

bool HeapRule::unconstrained() const noexcept {
  const TakeBreakRule* code = take_break();
  return code == nullptr || std::ranges::all_of(code->digits, [](const Digit& digit) {
           return std::all_of(digit.heaps.begin() + 1, digit.heaps.end(),
                              [](std::uint64_t mask) { return mask == 0; });
         });
}

}  // namespace grundy
