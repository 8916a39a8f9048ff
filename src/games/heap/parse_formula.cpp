/// @file
/// Reader of formulas, by recursive descent:
///
///     rule       = "n" "->" clauses
///     clauses    = clause (";" clause)*
///     clause     = sum ("," sum)* [":" condition ("," condition)*]
///     condition  = ["not"] (sum relation sum (relation sum)* | sum "|" sum | sum "in" set)
///     relation   = "<" | "<=" | "=" | "!=" | ">=" | ">"
///     set        = word | "{" range ("," range)* "}"
///     range      = number [".." number]
///     sum        = product (("+" | "-") product)*
///     product    = factor (("*" | "mod") factor)*
///     factor     = number | letter | "(" sum ")" | "floor" "(" sum "/" sum ")"
///                | "gcd" "(" sum "," sum ")"
///
/// Blanks are free between tokens. The letter n is the heap; one other letter is the variable of a
/// clause. Only a chain of relations becomes several conditions.
// SPDX-License-Identifier: MIT
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/text.hpp"
#include "games/heap/element_range.hpp"
#include "games/heap/formula.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

using Kind = FormulaExpression::Kind;

FormulaExpression joined(Kind kind, FormulaExpression a, FormulaExpression b) {
  FormulaExpression e{.kind = kind, .number = 0, .operands = {}};
  e.operands.push_back(std::move(a));
  e.operands.push_back(std::move(b));
  return e;
}

class Reader {
 public:
  explicit Reader(TextCursor text) : text_(std::move(text)) {}

  FormulaRule rule() {
    text_.expect("n", "the n of 'n ->'");
    text_.expect("->", "'->'");
    FormulaRule rule;
    clauses(rule);
    return rule;
  }

  void clauses(FormulaRule& rule) {
    do {
      rule.clauses.push_back(clause());
    } while (text_.eat(';'));
    if (text_.peek() == '/') text_.fail("a quotient is written floor(a/b)");
    text_.expect_end("an operator, ',', ':', ';' or the end of the rule");
  }

 private:
  FormulaClause clause() {
    variable_ = '\0';
    FormulaClause clause;
    do {
      clause.targets.push_back(sum());
    } while (text_.eat(','));
    if (!text_.eat(':')) return clause;
    do {
      condition(clause.conditions);
    } while (text_.eat(','));
    return clause;
  }

  void condition(std::vector<FormulaCondition>& conditions) {
    const std::size_t start = text_.place();
    const bool negated = eat_word("not");
    FormulaCondition first{.kind = FormulaCondition::Kind::kDivides,
                           .negated = negated,
                           .left = sum(),
                           .right = {},
                           .set = {}};
    if (text_.eat('|')) {
      first.right = sum();
    } else if (eat_word("in")) {
      first.kind = FormulaCondition::Kind::kIn;
      first.set = set();
    } else {
      chain(std::move(first.left), conditions);
      if (negated) {
        text_.fail_at(start,
                      "'not' stands before a condition with '|' or 'in' only; turn the "
                      "relation round instead");
      }
      return;
    }
    conditions.push_back(std::move(first));
  }

  /// Reads the relations after the first sum: `< sum < sum`.
  void chain(FormulaExpression left, std::vector<FormulaCondition>& conditions) {
    bool any = false;
    for (;; any = true) {
      const auto relation = eat_relation();
      if (!relation) break;
      FormulaExpression right = sum();
      FormulaCondition condition{.kind = relation->kind,
                                 .negated = relation->negated,
                                 .left = left,
                                 .right = right,
                                 .set = {}};
      if (relation->turned) std::swap(condition.left, condition.right);
      conditions.push_back(std::move(condition));
      left = std::move(right);
    }
    if (!any) text_.unexpected("a relation such as '<=', '|' or 'in'");
  }

  struct Relation {
    std::string_view sign;
    FormulaCondition::Kind kind;
    bool negated;
    bool turned;  ///< the sides are swapped
  };

  std::optional<Relation> eat_relation() {
    static constexpr Relation kRelations[] = {
        {"<=", FormulaCondition::Kind::kAtMost, false, false},
        {"<", FormulaCondition::Kind::kLess, false, false},
        {">=", FormulaCondition::Kind::kAtMost, false, true},
        {">", FormulaCondition::Kind::kLess, false, true},
        {"!=", FormulaCondition::Kind::kEqual, true, false},
        {"=", FormulaCondition::Kind::kEqual, false, false},
    };
    for (const Relation& relation : kRelations) {
      if (text_.eat(relation.sign)) return relation;
    }
    return std::nullopt;
  }

  SubtractionRule set() {
    for (const NamedSet& named : kNamedSets) {
      if (text_.eat(named.word)) return {.kind = named.kind, .elements = {}};
    }
    SubtractionRule set;
    text_.expect(
        "{", "a set such as {1,2} or one of squares, primes, factorials, fibonacci, powers of 2");
    do {
      range(set.elements);
    } while (text_.eat(','));
    text_.expect("}", "',' or '}' in the set");
    return set;
  }

  void range(std::vector<HeapSize>& elements) {
    const std::size_t place = text_.place();
    const HeapSize first = text_.number("a whole number");
    const HeapSize last = text_.eat("..") ? text_.number("the largest number of the range") : first;
    append_range(text_, place, first, last, elements);
  }

  FormulaExpression sum() {
    FormulaExpression left = product();
    for (;;) {
      if (text_.eat('+')) {
        left = joined(Kind::kSum, std::move(left), product());
      } else if (text_.eat('-')) {
        left = joined(Kind::kDifference, std::move(left), product());
      } else {
        return left;
      }
    }
  }

  FormulaExpression product() {
    FormulaExpression left = factor();
    for (;;) {
      if (text_.eat('*')) {
        left = joined(Kind::kProduct, std::move(left), factor());
      } else if (eat_word("mod")) {
        left = joined(Kind::kMod, std::move(left), factor());
      } else {
        return left;
      }
    }
  }

  FormulaExpression factor() {
    const std::size_t place = text_.place();
    if (++operators_ > kMaxFormula) text_.fail("the formulas are too long");
    if (text_.at_digit()) {
      return {.kind = Kind::kNumber, .number = text_.number("a number"), .operands = {}};
    }
    if (text_.eat('(')) {
      FormulaExpression inner = nested([&] { return sum(); });
      text_.expect(")", "an operator or ')'");
      return inner;
    }
    if (!text_.at_letter()) text_.unexpected("a number, n or a variable");
    const std::string word = text_.word();
    if (word == "floor") return of_two(Kind::kFloor, "/", "'/' (as in floor(n/2))");
    if (word == "gcd") return of_two(Kind::kGcd, ",", "',' (as in gcd(d, n))");
    if (word.size() != 1) {
      text_.fail_at(place, fmt::format("{} is neither n nor a variable of one letter, nor floor or "
                                       "gcd",
                                       in_quotes(word)));
    }
    if (word == "n") return {.kind = Kind::kHeap, .number = 0, .operands = {}};
    if (variable_ != '\0' && variable_ != word[0]) {
      text_.fail_at(place, fmt::format("a clause has one variable, and {} is another one than {}",
                                       in_quotes(word), in_quotes({&variable_, 1})));
    }
    variable_ = word[0];
    return {.kind = Kind::kVariable, .number = 0, .operands = {}};
  }

  FormulaExpression of_two(Kind kind, std::string_view separator, std::string_view what) {
    text_.expect("(", "'('");
    FormulaExpression a = nested([&] { return sum(); });
    text_.expect(separator, what);
    FormulaExpression b = nested([&] { return sum(); });
    text_.expect(")", "an operator or ')'");
    return joined(kind, std::move(a), std::move(b));
  }

  template <class Read>
  FormulaExpression nested(Read read) {
    constexpr unsigned kDeepest = 32;
    if (++depth_ > kDeepest) text_.fail("the brackets are nested too deeply");
    FormulaExpression e = read();
    --depth_;
    return e;
  }

  /// Reads the word if it comes next and is not the beginning of a longer word.
  bool eat_word(std::string_view word) {
    const std::size_t start = text_.place();
    if (text_.at_letter() && text_.word() == word) return true;
    text_.return_to(start);
    return false;
  }

  TextCursor text_;
  char variable_ = '\0';  ///< of the clause; 0 if it has none so far
  unsigned depth_ = 0;
  std::size_t operators_ = 0;
};

}  // namespace

bool begins_formula(std::string_view text) {
  TextCursor cursor(text, Blanks::kSkip);
  return cursor.eat('n') && cursor.eat("->");
}

FormulaRule parse_formula(std::string_view text) {
  return Reader(TextCursor(text, Blanks::kSkip)).rule();
}

void parse_clauses(std::string_view text, const TextOrigin& origin, FormulaRule& rule) {
  Reader(TextCursor(text, Blanks::kSkip, origin)).clauses(rule);
}

}  // namespace grundy
