// SPDX-License-Identifier: MIT
#include "engines/heap/formula/block_solver.hpp"

#include <algorithm>
#include <limits>

#include "games/heap/formula.hpp"

namespace grundy {
namespace {

/// The most late options of a block, as far as the plan can forecast them.
constexpr HeapSize kMostLate = HeapSize{1} << 22;
constexpr HeapSize kLeastBlock = 256;
constexpr HeapSize kLargestBlock = HeapSize{1} << 16;

/// The input for one piece of a block.
struct BlockPart {
  const std::vector<ClausePlan>& plans;
  HeapSize block;       ///< the first heap of the block
  HeapSize begin, end;  ///< the heaps of the piece
  Nimber largest;       ///< no value before the block exceeds it
  bool divisors;        ///< divisors are needed
  FormulaResult result;
};

/// Lists the options of the heaps of one piece.
template <class T>
class OptionLister {
 public:
  OptionLister(const BlockPart& part, const T* values, OptionPiece& piece)
      : part_(part), values_(values), piece_(piece) {}

  void run() {
    piece_.heaps.clear();
    piece_.gaps.clear();
    piece_.late.clear();
    piece_.bad.reset();
    if (part_.divisors) piece_.divisors.fill(part_.begin, part_.end);
    for (HeapSize n = part_.begin; n < part_.end && !piece_.bad; ++n) list(n);
  }

 private:
  void list(HeapSize n) {
    n_ = static_cast<std::int64_t>(n);
    piece_.seen.start(part_.largest);
    const std::size_t late_begin = piece_.late.size();
    if (n > 0) {
      for (const ClausePlan& plan : part_.plans) list_clause(plan);
    }
    // A heap without a move is won in misère play, as if it had an option that is lost.
    if (part_.result == FormulaResult::kMisereOutcome && piece_.late.size() == late_begin &&
        !piece_.seen.has(0) && !piece_.seen.has(1)) {
      piece_.seen.add(0);
    }
    for (std::size_t open = piece_.late.size() - late_begin + 1, v = 0; open > 0; ++v) {
      if (piece_.seen.has(v)) continue;
      piece_.gaps.push_back(static_cast<Nimber>(v));
      --open;
    }
    piece_.heaps.push_back({piece_.gaps.size(), piece_.late.size()});
  }

  void list_clause(const ClausePlan& plan) {
    const auto holds_here = [&](const FormulaCondition& c) { return holds(c, n_, 1); };
    if (!std::ranges::all_of(plan.heap_filters, holds_here)) return;
    bases_.clear();
    for (const TargetPlan& target : plan.targets) {
      bases_.push_back(target.linear ? value_of(target.linear->base, n_, 1) : 0);
    }
    if (plan.source == VariableSource::kNone) return add(plan, 1);
    const VariableRange range = plan.range(n_);
    if (range.hi < range.lo) return;
    const auto n = static_cast<HeapSize>(n_);
    switch (plan.source) {
      case VariableSource::kDivisors:
        for (const HeapSize d : piece_.divisors.of(n)) {
          if (const auto x = static_cast<std::int64_t>(d); range.lo <= x && x <= range.hi) {
            consider(plan, x);
          }
        }
        return;
      case VariableSource::kSet: {
        auto at = std::ranges::lower_bound(plan.set, static_cast<HeapSize>(range.lo));
        for (; at != plan.set.end() && *at <= static_cast<HeapSize>(range.hi); ++at) {
          consider(plan, static_cast<std::int64_t>(*at));
        }
        return;
      }
      case VariableSource::kAll:
        return each(plan, [&](auto visit) {
          for (std::int64_t d = range.lo; d <= range.hi; ++d) visit(d);
        });
      default:
        piece_.bits.fill(plan.source, range, n);
        each(plan, [&](auto visit) { piece_.bits.for_each(visit); });
    }
  }

  /// Considers all numbers that `for_each` visits. Takes few steps if all of them are options.
  template <class ForEach>
  void each(const ClausePlan& plan, ForEach for_each) {
    const TargetPlan& target = plan.targets.front();
    const bool all = plan.members.empty() && plan.filters.empty() && plan.targets.size() == 1 &&
                     target.linear && bases_.front() != kUndefined;
    if (!all) return for_each([&](std::int64_t d) { consider(plan, d); });
    const std::int64_t base = bases_.front();
    const std::int64_t factor = target.linear->factor;
    const auto block = static_cast<std::int64_t>(part_.block);
    for_each([&, values = values_](std::int64_t d) {
      const std::int64_t left = base + factor * d;  // not negative: that is a bound of the variable
      if (left < block) {
        piece_.seen.add(static_cast<Nimber>(values[left]));
      } else {
        add_option(target, left);
      }
    });
  }

  void consider(const ClausePlan& plan, std::int64_t d) {
    for (const MemberFilter& member : plan.members) {
      if (!member.holds(static_cast<HeapSize>(d))) return;
    }
    for (const FormulaCondition& condition : plan.filters) {
      if (!holds(condition, n_, d)) return;
    }
    add(plan, d);
  }

  void add(const ClausePlan& plan, std::int64_t d) {
    for (std::size_t i = 0; i < plan.targets.size(); ++i) {
      const TargetPlan& target = plan.targets[i];
      std::int64_t left = bases_[i];
      if (!target.linear) {
        left = value_of(target.target, n_, d);
      } else if (left != kUndefined) {
        left += target.linear->factor * d;
      }
      if (left >= 0) add_option(target, left);
    }
  }

  void add_option(const TargetPlan& target, std::int64_t left) {
    const auto option = static_cast<HeapSize>(left);
    if (option < part_.block) {
      piece_.seen.add(static_cast<Nimber>(values_[option]));
    } else if (left < n_) {
      piece_.late.push_back(static_cast<std::uint32_t>(option - part_.block));
    } else if (!piece_.bad) {
      piece_.bad = BadTarget{static_cast<HeapSize>(n_), &target.target, left};
    }
  }

  const BlockPart& part_;
  const T* values_;
  OptionPiece& piece_;
  std::int64_t n_ = 0;
  std::vector<std::int64_t> bases_;  ///< of the targets of the clause, or kUndefined
};

}  // namespace

void SeenValues::start(Nimber largest) {
  if (stamps_.size() <= largest) stamps_.resize(std::size_t{2} * largest + 64);
  if (++stamp_ == 0) {  // old stamps would seem new
    std::ranges::fill(stamps_, 0u);
    stamp_ = 1;
  }
}

FormulaBlockSolver::FormulaBlockSolver(const FormulaRule& rule, HeapSize count, Executor& executor,
                                       FormulaResult result)
    : executor_(executor),
      result_(result),
      plans_(formula_plan(rule, count)),
      dense_(std::ranges::any_of(plans_, [](const ClausePlan& plan) { return plan.dense(); })),
      divisors_(std::ranges::any_of(plans_, [](const ClausePlan& plan) {
        return plan.source == VariableSource::kDivisors;
      })) {
  HeapSize options = 1;
  for (const ClausePlan& plan : plans_) options += plan.options(count);
  block_ = std::clamp(kMostLate / options, kLeastBlock, kLargestBlock);
}

void FormulaBlockSolver::solve(HeapSize begin, Values table, std::span<Nimber> values) {
  const HeapSize end = begin + values.size();
  const std::size_t most = kPiecesOfThread * executor_.threads();
  const HeapSize size = (values.size() + most - 1) / most;
  const std::size_t pieces = (values.size() + size - 1) / size;
  if (pieces_.size() < pieces) pieces_.resize(pieces);
  executor_.parallel_for(pieces, [&](std::size_t i) {
    const BlockPart part{.plans = plans_,
                         .block = begin,
                         .begin = begin + i * size,
                         .end = std::min(begin + (i + 1) * size, end),
                         .largest = largest_,
                         .divisors = divisors_,
                         .result = result_};
    table.visit([&]<class T>(std::span<const T> known) {
      OptionLister<T>(part, known.data(), pieces_[i]).run();
    });
  });
  std::size_t n = 0;
  for (std::size_t i = 0; i < pieces; ++i) {
    const OptionPiece& piece = pieces_[i];
    if (piece.bad) refuse_target(piece.bad->heap, *piece.bad->target, piece.bad->value);
    OptionPiece::Heap from{};
    for (const OptionPiece::Heap& to : piece.heaps) {
      values[n++] = value_of_heap(
          std::span(piece.gaps).subspan(from.gaps_end, to.gaps_end - from.gaps_end),
          std::span(piece.late).subspan(from.late_end, to.late_end - from.late_end), values);
      from = to;
    }
  }
}

Nimber FormulaBlockSolver::value_of_heap(std::span<const Nimber> gaps,
                                         std::span<const std::uint32_t> late,
                                         std::span<const Nimber> values) {
  Nimber value = gaps.front();
  if (late.size() == 1) {
    if (values[late.front()] == value) value = gaps[1];
  } else if (!late.empty()) {
    seen_.start(largest_);
    for (const std::uint32_t option : late) seen_.add(values[option]);
    value = *std::ranges::find_if(gaps, [&](Nimber gap) { return !seen_.has(gap); });
  }
  if (result_ == FormulaResult::kMisereOutcome) value = std::min<Nimber>(value, 1);
  largest_ = std::max(largest_, value);
  return value;
}

}  // namespace grundy
