// SPDX-License-Identifier: MIT
#include "engines/heap/dense/rule.hpp"

namespace grundy {
namespace {

void add_digit(DenseRule& dense, const Digit& digit, HeapSize removed) {
  if (digit.constraint(0)) dense.whole.push_back(removed);
  const bool one = digit.constraint(1).has_value();
  const std::optional<SplitConstraint> two = digit.constraint(2);
  if (two && two != SplitConstraint::kAllEqual) {
    dense.runs.push_back({removed, one ? 0u : 1u, two != SplitConstraint::kAny});
    return;
  }
  if (one) dense.single.push_back(removed);
  if (two) dense.halves.push_back(removed);
}

}  // namespace

std::optional<DenseRule> DenseRule::from(const HeapRule& rule) {
  DenseRule dense;
  if (const TakeBreakRule* const code = rule.take_break()) {
    if (code->period > 0) return std::nullopt;
    for (HeapSize removed = 0; removed < code->digits.size(); ++removed) {
      const Digit& digit = code->digits[removed];
      if (digit.and_more || digit.max_heaps() > 2) return std::nullopt;
      add_digit(dense, digit, removed);
    }
    return dense;
  }
  const SubtractionRule& subtraction = *rule.subtraction();
  if (subtraction.kind != SubtractionRule::Kind::kFinite) return std::nullopt;
  dense.single = dense.whole = subtraction.elements;
  return dense;
}

}  // namespace grundy
