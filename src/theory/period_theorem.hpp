/// @file
/// Which theorem proves a period of a rule, and how many values it needs.
///
/// All theorems have one shape: finitely many checked equalities G(n + p) = G(n) + s imply all
/// later ones. README.md has the statements and the proofs. In short, for a preperiod e and a
/// period p:
///
/// *Window*. A move shortens the heap by at most t tokens, so the value of a heap is a function of
/// the last t values. Two equal windows of t values at distance p prove s = 0. A code of digits 0
/// to 3 is of this kind from heap 1 on; heap 0 is where a whole heap may be removed.
///
/// *Split*. A move leaves at most H >= 2 heaps, without constraints, and removes at most t tokens.
/// With e' = max(e, 1), equality for e <= n < H e' + (H-1) p + t - H + 1 proves s = 0. Guy and
/// Smith (1956) have the case H = 2 with one equality more; the cases H >= 3 follow by the same
/// argument. The bound is sharp: with one equality less, Officers `0.6` is a counterexample.
///
/// *All but*. A move removes any number of tokens outside a finite set with maximum t. Two things
/// determine all values from heap n on: the last t values, and the set of the values that occur
/// below heap n - t. If both recur translated by s, and 0 .. s-1 occur as well, then s is the
/// saltus.
///
/// Two cases are not covered. With constraints (`!`) a split {a, b} may become {a, a} when p is
/// subtracted from b. Tails of splitting digits that never end have no largest number of removed
/// tokens. A saltus of a rule with splits has its own theorem: see saltus_theorem.hpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// A pattern that the first `size` values show: G(n + period) = G(n) + saltus for all n with
/// preperiod <= n < size - period.
struct PeriodPattern {
  HeapSize size = 0;
  HeapSize preperiod = 0;
  HeapSize period = 0;
  Nimber saltus = 0;
};

/// The theorem for one rule.
class PeriodTheorem {
 public:
  enum class Kind { kNone, kWindow, kSplit, kAllBut };

  explicit PeriodTheorem(const HeapRule& rule);

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// t: the largest number of tokens a move removes; for kAllBut the largest that it cannot remove.
  [[nodiscard]] HeapSize reach() const noexcept { return reach_; }
  /// Whether the checked equalities prove the pattern. For kAllBut they are necessary but not
  /// sufficient: the sets of used values must recur too.
  [[nodiscard]] bool enough(const PeriodPattern& pattern) const noexcept;
  /// The theorem in words, with the numbers that were checked.
  [[nodiscard]] std::string statement(const PeriodPattern& pattern) const;
  /// kSplit: equality must hold for all n below this.
  [[nodiscard]] HeapSize split_bound(const PeriodPattern& pattern) const noexcept;

 private:
  /// A clause for statement(); empty if no heap has a pass.
  [[nodiscard]] std::string behind_pass() const;

  Kind kind_ = Kind::kNone;
  HeapSize reach_ = 0;
  HeapSize first_ = 0;  ///< kWindow: from this heap on a value is a function of the last t values
  HeapSize heaps_ = 0;  ///< kSplit: H
  HeapSize plain_from_ = 0;  ///< heaps from here on have no pass; 0 if no heap has one
};

}  // namespace grundy
