// SPDX-License-Identifier: MIT
#include <algorithm>

#include <grundy/heap/options.hpp>

#include "games/heap/formula.hpp"

namespace grundy {
namespace {

/// The ways to write a total as a given number of parts in ascending order, each part at least
/// `step` above the one before, in lexicographic order. Subtracting i * step from part i leaves an
/// ordinary partition; the class steps through these.
class Partitions {
 public:
  /// Goes to the first way, if there is one, with all parts but the last at most `most_small`.
  bool start(HeapSize total, HeapSize parts, HeapSize step, HeapSize most_small,
             std::vector<HeapSize>& out) {
    step_ = step;
    most_small_ = most_small;
    const HeapSize steps = step * (parts * (parts - 1) / 2);
    if (total < parts || total - parts < steps) return false;
    out.resize(parts);
    return fill(0, 1, total - steps, out);
  }

  /// Goes to the next way.
  bool next(std::vector<HeapSize>& out) const {
    HeapSize tail = plain(out, out.size() - 1);  // sum of the plain parts from i on
    for (std::size_t i = out.size() - 1; i-- > 0;) {
      tail += plain(out, i);
      if (fill(i, plain(out, i) + 1, tail, out)) return true;
    }
    return false;
  }

 private:
  [[nodiscard]] HeapSize plain(const std::vector<HeapSize>& out, std::size_t i) const noexcept {
    return out[i] - i * step_;
  }

  /// Sets the plain parts from `begin` on to `value`, and the last part to the rest of `tail`. Does
  /// nothing if the last part would be smaller, or the one before it too large.
  bool fill(std::size_t begin, HeapSize value, HeapSize tail, std::vector<HeapSize>& out) const {
    const std::size_t last = out.size() - 1;
    if (value > tail / (out.size() - begin)) return false;
    if (last > 0 && value + (last - 1) * step_ > most_small_) return false;
    for (std::size_t i = begin; i < last; ++i) out[i] = value + i * step_;
    out[last] = tail - value * (last - begin) + last * step_;
    return true;
  }

  HeapSize step_ = 0;
  HeapSize most_small_ = 0;
};

/// Visits the options that `digit` allows when `rest` tokens are left after taking some.
class DigitOptions {
 public:
  DigitOptions(const std::function<Flow(const HeapMove&)>& visit, HeapSize most_small)
      : visit_(visit), most_small_(most_small) {}

  Flow operator()(const Digit& digit, HeapSize taken, HeapSize rest) {
    move_.taken = taken;
    if (rest == 0) {
      move_.left.clear();
      return digit.constraint(0) ? visit_(move_) : Flow::kContinue;
    }
    const HeapSize most = digit.and_more ? rest : std::min<HeapSize>(rest, digit.max_heaps());
    for (HeapSize heaps = 1; heaps <= most; ++heaps) {
      const auto constraint = digit.constraint(heaps);
      if (constraint && splits(*constraint, rest, heaps) == Flow::kStop) return Flow::kStop;
    }
    return Flow::kContinue;
  }

 private:
  Flow splits(SplitConstraint constraint, HeapSize rest, HeapSize heaps) {
    if (constraint == SplitConstraint::kAllEqual) {
      if (rest % heaps != 0 || (heaps > 1 && rest / heaps > most_small_)) return Flow::kContinue;
      move_.left.assign(heaps, rest / heaps);
      return visit_(move_);
    }
    const HeapSize step = constraint == SplitConstraint::kPairwiseUnequal ? 1 : 0;
    bool more = partitions_.start(rest, heaps, step, most_small_, move_.left);
    for (; more; more = partitions_.next(move_.left)) {
      const bool excluded =
          constraint == SplitConstraint::kNotAllEqual && move_.left.front() == move_.left.back();
      if (!excluded && visit_(move_) == Flow::kStop) return Flow::kStop;
    }
    return Flow::kContinue;
  }

  const std::function<Flow(const HeapMove&)>& visit_;
  HeapSize most_small_;
  Partitions partitions_;
  HeapMove move_;
};

/// Visits the heaps n - s for all s in `rule`. Sets with infinitely many elements are first listed
/// up to n.
void subtract(const SubtractionRule& rule, HeapSize n,
              const std::function<Flow(const HeapMove&)>& visit) {
  HeapMove move;
  for (const HeapSize s : rule.allowed_up_to(n)) {
    move.taken = s;
    move.left.assign(s < n ? 1 : 0, n - s);
    if (visit(move) == Flow::kStop) return;
  }
}

void leave(const std::vector<HeapSize>& heaps, HeapSize n,
           const std::function<Flow(const HeapMove&)>& visit) {
  HeapMove move;
  for (const HeapSize left : heaps) {
    move.taken = n - left;
    move.left.assign(left > 0 ? 1 : 0, left);
    if (visit(move) == Flow::kStop) return;
  }
}

}  // namespace

void for_each_option(const HeapRule& rule, HeapSize n,
                     const std::function<Flow(const HeapMove&)>& visit, HeapSize most_small) {
  if (const FormulaRule* formula = rule.formula()) {
    // Formulas are evaluated for every smaller heap; a set of removals is listed as it is visited.
    if (const auto set = rule.as_subtraction()) return subtract(*set, n, visit);
    return leave(literal_options(*formula, n), n, visit);
  }
  const TakeBreakRule* code = rule.take_break();
  if (code == nullptr) return subtract(*rule.subtraction(), n, visit);
  DigitOptions digit_options(visit, most_small);
  const HeapSize last = code->period > 0 ? n : std::min<HeapSize>(n, code->digits.size() - 1);
  for (HeapSize taken = 0;; ++taken) {
    if (digit_options(code->digit(taken), taken, n - taken) == Flow::kStop || taken == last) return;
  }
}

}  // namespace grundy
