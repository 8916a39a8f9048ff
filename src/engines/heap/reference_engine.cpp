// SPDX-License-Identifier: MIT
#include "engines/heap/reference_engine.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "core/value_buffer.hpp"
#include "engines/heap/block_run.hpp"
#include "engines/heap/known_values.hpp"
#include "games/heap/formula.hpp"

namespace grundy {
namespace {

/// The options of one heap, as a byte map of their values.
class Options {
 public:
  Options(const HeapRule& rule, HeapSize largest_heap)
      : code_(rule.take_break()), formula_(rule.formula()) {
    if (rule.subtraction() != nullptr) {
      subtractions_ = rule.subtraction()->allowed_up_to(largest_heap);
    }
  }

  /// Prepares for values up to `largest`.
  void expect(Nimber largest) { seen_.resize(std::bit_ceil(largest + std::size_t{1}) + 1); }

  /// The mex of the values of all options of a heap of n tokens; `values` holds heaps 0 .. n-1.
  Nimber mex(HeapSize n, const Nimber* values) {
    values_ = values;
    std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
    if (formula_ != nullptr) {
      for (const HeapSize option : literal_options(*formula_, n)) seen_[values[option]] = 1;
    } else if (code_ == nullptr) {
      for (const HeapSize s : subtractions_) {
        if (s > n) break;
        seen_[values[n - s]] = 1;
      }
    } else {
      const HeapSize last = code_->period > 0 ? n : std::min<HeapSize>(n, code_->digits.size() - 1);
      for (HeapSize removed = 0; removed <= last; ++removed)
        mark(code_->digit(removed), n - removed);
    }
    const Nimber mex = least_unmarked();
    if (code_ == nullptr || code_->pass != n) return mex;
    seen_[mex] = 1;  // the heap without its pass is an option
    return least_unmarked();
  }

 private:
  Nimber least_unmarked() {
    const auto mex = static_cast<Nimber>(std::find(seen_.begin(), seen_.end(), 0) - seen_.begin());
    // Nim-sums of values below a power of two stay below it, so marking needs no check of bounds.
    // The entry after them is never marked: it ends the search and becomes the next value.
    if (mex + 1 == seen_.size()) seen_.resize(std::size_t{2} * mex + 1);
    return mex;
  }

  /// Marks the options that `digit` allows when `rest` tokens are left.
  void mark(const Digit& digit, HeapSize rest) {
    if (rest == 0) {
      if (digit.constraint(0)) seen_[0] = 1;
      return;
    }
    const HeapSize most = digit.and_more ? rest : std::min<HeapSize>(rest, digit.max_heaps());
    for (HeapSize heaps = 1; heaps <= most; ++heaps) {
      const auto constraint = digit.constraint(heaps);
      if (constraint == SplitConstraint::kAny) {
        mark_splits(rest, heaps, 1, 0, 0, 0);
      } else if (constraint == SplitConstraint::kPairwiseUnequal) {
        mark_splits(rest, heaps, 1, 0, 1, 0);
      } else if (constraint == SplitConstraint::kNotAllEqual) {
        mark_splits(rest, heaps, 1, 0, 0, 1);
      } else if (constraint == SplitConstraint::kAllEqual && rest % heaps == 0) {
        seen_[heaps % 2 == 0 ? 0 : values_[rest / heaps]] = 1;
      }
    }
  }

  /// Marks every split of `rest` into `heaps` parts in ascending order, besides heaps with nim-sum
  /// `sum`. The first part is at least `least`, each further part is at least `step` above the one
  /// before, and all parts together are at least `excess` above `heaps` times the first.
  void mark_splits(HeapSize rest, HeapSize heaps, HeapSize least, Nimber sum, HeapSize step,
                   HeapSize excess) {
    if (heaps == 1) {
      seen_[sum ^ values_[rest]] = 1;
      return;
    }
    const HeapSize above = step * (heaps * (heaps - 1) / 2) + excess;
    if (rest < above) return;
    const HeapSize most = (rest - above) / heaps;
    if (heaps == 2) {
      for (HeapSize a = least; a <= most; ++a) seen_[sum ^ values_[a] ^ values_[rest - a]] = 1;
      return;
    }
    for (HeapSize a = least; a <= most; ++a) {
      mark_splits(rest - a, heaps - 1, a + step, sum ^ values_[a], step, 0);
    }
  }

  const TakeBreakRule* code_;           ///< null for other rules
  const FormulaRule* formula_;          ///< null for other rules
  std::vector<HeapSize> subtractions_;  ///< ascending
  const Nimber* values_ = nullptr;
  std::vector<std::uint8_t> seen_ = {0, 0};
};

/// The power of n with which the work for heaps 0 .. n grows; a guess if it grows faster than any
/// power.
double work_exponent(const HeapRule& rule) {
  constexpr unsigned kUnbounded = 8;
  const double heaps = std::max(1u, rule.max_heaps().value_or(kUnbounded));
  return heaps + (rule.largest_take() ? 0 : 1);
}

}  // namespace

std::string_view ReferenceEngine::summary() const noexcept {
  return "the definition: all options of every heap, one after the other";
}

std::string ReferenceEngine::refusal(const HeapRule&) const {
  return {};
}

std::uint64_t ReferenceEngine::memory_bytes(const HeapRule& rule, HeapSize count,
                                            Nimber max_value) const {
  const bool long_list = rule.subtraction() != nullptr && !rule.largest_take();
  return count * (sizeof(Nimber) + (long_list ? sizeof(HeapSize) : 0)) +
         std::uint64_t{2} * max_value + 2 * ValueBuffer::kPadding;
}

RunStatus ReferenceEngine::run(const HeapTask& task, ValueSink& sink) const {
  constexpr HeapSize kDefaultBlock = 1024;
  const HeapSize block = task.block.value_or(kDefaultBlock);
  Options options(task.rule, task.count);
  ValueBuffer table;
  table.promote(ValueWidth::kU32);
  options.expect(load_known_values(task, table));
  const auto solve = [&](HeapSize begin, HeapSize end) {
    auto* const values = table.data<Nimber>();
    for (HeapSize n = begin; n < end; ++n) values[n] = options.mex(n, values);
  };
  return run_blocks(task,
                    {.block = [block](HeapSize) { return block; },
                     .solve = solve,
                     .work_exponent = work_exponent(task.rule)},
                    table, sink);
}

}  // namespace grundy
