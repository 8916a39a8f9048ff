/// @file
/// Which theorem proves a period of which rule, and how many values it needs.
///
/// All theorems have one shape: finitely many checked equalities G(n + p) = G(n) + s imply all
/// later ones. Statements and proofs are in README.md; in short, for a preperiod e and a period p:
///
/// - *window*: a heap's value is a function of the last t values (moves only shorten the heap, by
/// at
///   most t). Two equal windows of t values at distance p prove s = 0. A code of digits 0 to 3 is
///   of this kind from heap 1 on; before, a heap may be removed whole.
/// - *split*: at most H >= 2 heaps are left, unconstrained, and at most t tokens removed. With
///   e' = max(e, 1), equality for e <= n < H e' + (H-1) p + t - H + 1 proves s = 0 (Guy and Smith
///   1956 for H = 2, there with one equality more). With one equality less Officers `0.6` is a
///   counterexample.
/// - *all but*: a move removes any number outside a finite set with maximum t. The values that
/// occur
///   up to heap n - t - 1 together with the last t values determine everything from heap n on, and
///   so does their translate by s if 0 .. s-1 occur as well.
///
/// Constraints on splits are not covered: with `!` a split {a, b} may become {a, a} when p is
/// subtracted from b. Neither are tails of splitting digits that never end.
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
  /// The checked equalities prove the pattern. For kAllBut they are necessary only: the sets of
  /// used values must recur too.
  [[nodiscard]] bool enough(const PeriodPattern& pattern) const noexcept;
  /// The theorem in words with the numbers that were checked.
  [[nodiscard]] std::string statement(const PeriodPattern& pattern) const;
  /// kSplit: equality must hold for all n below this.
  [[nodiscard]] HeapSize split_bound(const PeriodPattern& pattern) const noexcept;

 private:
  Kind kind_ = Kind::kNone;
  HeapSize reach_ = 0;
  HeapSize first_ =
      0;  ///< kWindow: the first heap from which the values are a function of the last
  HeapSize heaps_ = 0;  ///< kSplit: H
};

}  // namespace grundy
