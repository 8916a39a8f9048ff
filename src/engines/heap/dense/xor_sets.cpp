// SPDX-License-Identifier: MIT
#include "engines/heap/dense/xor_sets.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>

#include "core/value_buffer.hpp"
#include "engines/heap/block_run.hpp"
#include "engines/heap/digit_moves.hpp"
#include "engines/heap/known_values.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

/// A family of splits. The set of nim-sums of a family is kept for every heap size.
struct Family {
  unsigned heaps;      ///< number of heaps, at least 2
  bool or_more;        ///< larger numbers of heaps belong to the family, too
  bool not_all_equal;  ///< the split into equal heaps is left out
  friend bool operator==(const Family&, const Family&) = default;

  /// The largest size that the smallest heap of such a split of m tokens can have. Every split is
  /// found from its smallest heap, so larger sizes need not be tried. The k heaps of a split are
  /// all equal exactly if the smallest is m/k.
  [[nodiscard]] HeapSize largest_smallest(HeapSize m) const noexcept {
    return (not_all_equal && m > 0 ? m - 1 : m) / heaps;
  }
};

/// The moves of one digit, in terms of families.
struct DigitPlan {
  bool whole = false;                   ///< nothing may be left
  bool single = false;                  ///< one heap may be left
  std::vector<std::size_t> families{};  ///< indices
  std::vector<HeapSize> equal_heaps{};  ///< numbers of equal heaps that may be left
  HeapSize equal_heaps_above = kNever;  ///< any larger number of equal heaps may be left
  static constexpr HeapSize kNever = std::numeric_limits<HeapSize>::max();
};

/// A code in terms of families. families[k - 2] is exactly k heaps, for k = 2, 3, .., as far as
/// needed; then come the other families.
struct Plan {
  std::vector<Family> families;
  std::vector<DigitPlan> digits;

  /// Whether sets of the family are parts of sets of larger heaps: a split of k heaps is one heap
  /// and a split of k - 1 heaps.
  [[nodiscard]] bool is_part(std::size_t family) const noexcept {
    return families[family].or_more || std::ranges::any_of(families, [family](const Family& other) {
             return other.heaps > 2 && other.heaps - 3 == family;
           });
  }
};

Plan make_plan(const TakeBreakRule& rule) {
  const std::vector<DigitMoves> digits(rule.digits.begin(), rule.digits.end());
  unsigned most = 1;
  bool or_more = false;
  for (const DigitMoves& digit : digits) {
    most = std::max(most, digit.explicit_heaps);
    or_more |= digit.beyond == SplitConstraint::kAny;
  }
  Plan plan;
  for (unsigned k = 2; k <= most; ++k) plan.families.push_back({k, false, false});
  if (or_more) plan.families.push_back({most + 1, true, false});

  const auto index_of = [&](const Family& family) {
    const std::size_t index =
        std::find(plan.families.begin(), plan.families.end(), family) - plan.families.begin();
    if (index == plan.families.size()) plan.families.push_back(family);
    return index;
  };
  for (const DigitMoves& digit : digits) {
    DigitPlan moves{.whole = digit.whole, .single = digit.single};
    const auto add = [&](unsigned k, SplitConstraint constraint) {
      if (constraint == SplitConstraint::kAllEqual) {
        moves.equal_heaps.push_back(k);
      } else {
        moves.families.push_back(index_of({k, false, constraint != SplitConstraint::kAny}));
      }
    };
    for (const DigitMoves::Split& split : digit.splits) add(split.heaps, split.constraint);
    if (digit.beyond) {
      // It reaches every exact family after the explicit ones, and the last family.
      for (unsigned k = std::max(2u, digit.explicit_heaps + 1); k <= most; ++k) {
        add(k, *digit.beyond);
      }
      if (*digit.beyond == SplitConstraint::kAllEqual) {
        moves.equal_heaps_above = most;
      } else {
        moves.families.push_back(index_of({most + 1, true, false}));
      }
    }
    plan.digits.push_back(std::move(moves));
  }
  return plan;
}

/// Bit sets of nim-sums, one for every family and heap size, all of the same power-of-two length.
/// They lie in slabs of consecutive sizes. So more sets move nothing, and longer sets need extra
/// memory for one slab only.
class SetStore {
 public:
  static constexpr HeapSize kSlab = 64;

  explicit SetStore(std::size_t families) : families_(families) {}

  [[nodiscard]] std::size_t words() const noexcept { return words_; }

  [[nodiscard]] std::uint64_t* set(std::size_t family, HeapSize m) noexcept {
    return slabs_[m / kSlab].data() + (family * kSlab + m % kSlab) * words_;
  }

  /// Makes room for the sets of sizes below `count`; new ones are empty.
  void resize(HeapSize count) {
    while (slabs_.size() * kSlab < count) slabs_.emplace_back(families_ * kSlab * words_);
  }

  /// Doubles the length of every set. No member of a set changes.
  void lengthen() {
    for (auto& slab : slabs_) slab = lengthened(slab, words_);
    words_ *= 2;
  }

  /// Copies sets of `words` words each into sets of twice the length.
  static std::vector<std::uint64_t> lengthened(const std::vector<std::uint64_t>& sets,
                                               std::size_t words) {
    std::vector<std::uint64_t> longer(2 * sets.size());
    for (std::size_t at = 0; at < sets.size(); at += words) {
      std::copy_n(sets.begin() + at, words, longer.begin() + 2 * at);
    }
    return longer;
  }

 private:
  std::size_t families_;
  std::size_t words_ = 1;
  std::vector<std::vector<std::uint64_t>> slabs_;
};

void insert(std::uint64_t* set, Nimber value) noexcept {
  set[value / 64] |= std::uint64_t{1} << (value % 64);
}

/// One run. Heaps come in blocks. First comes the part of the sets and options of a block that
/// earlier blocks decide, for all heaps of the block in parallel. The rest, a small triangle, is
/// found heap by heap.
class XorSetsRun {
 public:
  explicit XorSetsRun(const HeapTask& task)
      : task_(task),
        rule_(*task.rule.take_break()),
        plan_(make_plan(rule_)),
        sets_(plan_.families.size()) {
    const Nimber largest = load_known_values(task, table_);
    table_.promote(ValueWidth::kU32);
    while (largest >= 64 * sets_.words()) sets_.lengthen();
    const HeapSize most_taken = rule_.digits.size() - 1;
    if (rule_.period == 0) of_options_ = table_.size() - std::min(table_.size(), most_taken);
  }

  RunStatus run(ValueSink& sink) {
    const HeapSize block = task_.block.value_or(SetStore::kSlab);
    values_ = table_.data<Nimber>();
    for (HeapSize begin = 0; begin < table_.size();) {
      if (task_.stop.stop_requested()) return RunStatus::kCancelled;
      const HeapSize end = std::min(begin + block, table_.size());
      take_up(begin, end);
      begin = end;
    }
    // The work for a heap grows with its size times the length of a set, which is assumed to be
    // constant.
    constexpr double kWorkExponent = 2;
    return run_blocks(task_,
                      {.block = [block](HeapSize) { return block; },
                       .solve = [this](HeapSize begin, HeapSize end) { compute(begin, end); },
                       .work_exponent = kWorkExponent},
                      table_, sink);
  }

 private:
  /// Finds the sets of known heaps.
  void take_up(HeapSize begin, HeapSize end) {
    sets_.resize(end);
    task_.executor.parallel_for(end - begin, [&](std::size_t j) { add_far(begin + j, j); });
    for (HeapSize n = begin; n < end; ++n) add_near(n, n - begin);
  }

  void compute(HeapSize begin, HeapSize end) {
    sets_.resize(end);
    options_.assign((end - begin) * sets_.words(), 0);
    values_ = table_.data<Nimber>();
    task_.executor.parallel_for(end - begin, [&](std::size_t j) {
      add_far(begin + j, j);
      add_options(options_of(j), begin + j, 0, begin);
    });
    for (HeapSize n = begin; n < end; ++n) {
      const HeapSize j = n - begin;
      add_near(n, j);
      add_options(options_of(j), n, begin, n + 1);
      std::size_t value = task_.kernels.first_zero_bit(options_of(j), 0, sets_.words());
      if (rule_.pass == n) value = next_zero_bit(j, value);
      values_[n] = static_cast<Nimber>(value);
      if (value >= 64 * sets_.words()) {
        options_ = SetStore::lengthened(options_, sets_.words());
        sets_.lengthen();
      }
    }
  }

  /// The value of a heap with a pass, which may move to the value `without` of the heap without it.
  [[nodiscard]] std::size_t next_zero_bit(HeapSize j, std::size_t without) noexcept {
    const std::size_t bits = 64 * sets_.words();
    return without + 1 < bits
               ? task_.kernels.first_zero_bit(options_of(j), without + 1, sets_.words())
               : without + 1;
  }

  [[nodiscard]] std::uint64_t* options_of(HeapSize j) noexcept {
    return options_.data() + j * sets_.words();
  }

  /// Calls `visit` with the families whose sets of heap n other sets, or the options of unknown
  /// heaps, are made from.
  template <class Visit>
  void for_each_family(HeapSize n, const Visit& visit) {
    for (std::size_t f = 0; f < plan_.families.size(); ++f) {
      if (n >= of_options_ || plan_.is_part(f)) visit(f);
    }
  }
  /// Adds to the sets of heap n, which is number j of its block, the splits that earlier blocks
  /// decide.
  void add_far(HeapSize n, HeapSize j) {
    for_each_family(
        n, [&](std::size_t f) { add_splits(f, n, j + 1, plan_.families[f].largest_smallest(n)); });
  }
  /// Adds the others.
  void add_near(HeapSize n, HeapSize j) {
    for_each_family(n, [&](std::size_t f) {
      add_splits(f, n, 1, std::min(j, plan_.families[f].largest_smallest(n)));
    });
  }

  /// Adds to the set of family f and m tokens the splits whose smallest heap is first .. last.
  void add_splits(std::size_t f, HeapSize m, HeapSize first, HeapSize last) {
    if (first > last) return;
    const Family family = plan_.families[f];
    std::uint64_t* const into = sets_.set(f, m);
    if (family.heaps > 2) {
      add_translated(into, family.heaps - 3, m, first, last);
    } else {
      for (HeapSize a = first; a <= last; ++a) insert(into, values_[a] ^ values_[m - a]);
    }
    // The smallest of more heaps is at most this.
    const HeapSize smallest = std::min(last, m / (family.heaps + 1));
    if (family.or_more && first <= smallest) add_translated(into, f, m, first, smallest);
  }

  /// Adds to `into` G(a) xor the set of m - a tokens in `family`, for a = first .. last.
  void add_translated(std::uint64_t* into, std::size_t family, HeapSize m, HeapSize first,
                      HeapSize last) {
    constexpr Nimber kInWord = 63;
    constexpr HeapSize kFew = 4 * (kInWord + 1);
    const auto add = task_.kernels.or_xor_translated;
    const std::size_t words = sets_.words();
    if (last - first < kFew) {
      for (HeapSize a = first; a <= last; ++a)
        add(into, sets_.set(family, m - a), words, values_[a]);
      return;
    }
    // Moving words is quick, and moving bits inside words is slow. So the sets that need the same
    // move of bits are united first, with their words in place, and then their bits move once.
    std::vector<std::uint64_t> gathered((kInWord + 1) * words);
    for (HeapSize a = first; a <= last; ++a) {
      add(gathered.data() + (values_[a] & kInWord) * words, sets_.set(family, m - a), words,
          values_[a] & ~kInWord);
    }
    for (Nimber key = 0; key <= kInWord; ++key) {
      add(into, gathered.data() + key * words, words, key);
    }
  }

  /// Adds the values of the options of heap n that leave first .. last - 1 tokens in all.
  void add_options(std::uint64_t* into, HeapSize n, HeapSize first, HeapSize last) noexcept {
    const HeapSize digits = rule_.digits.size();
    if (rule_.period == 0 && n >= digits) first = std::max(first, n - (digits - 1));
    for (HeapSize rest = first; rest < last; ++rest) {
      const HeapSize removed = n - rest;
      const HeapSize digit =
          removed < digits ? removed : digits - rule_.period + (removed - digits) % rule_.period;
      add_moves(into, plan_.digits[digit], rest);
    }
  }

  void add_moves(std::uint64_t* into, const DigitPlan& moves, HeapSize rest) noexcept {
    if (rest == 0) {
      if (moves.whole) insert(into, 0);
      return;
    }
    if (moves.single) insert(into, values_[rest]);
    for (const std::size_t family : moves.families) {
      task_.kernels.or_words(into, sets_.set(family, rest), sets_.words());
    }
    const auto add_equal = [&](HeapSize heaps) {
      if (rest % heaps == 0) insert(into, heaps % 2 == 0 ? 0 : values_[rest / heaps]);
    };
    for (const HeapSize heaps : moves.equal_heaps) add_equal(heaps);
    if (moves.equal_heaps_above < rest) {
      for (HeapSize heaps = moves.equal_heaps_above + 1; heaps <= rest; ++heaps) add_equal(heaps);
    }
  }

  const HeapTask& task_;
  const TakeBreakRule& rule_;
  const Plan plan_;
  SetStore sets_;
  ValueBuffer table_;
  Nimber* values_ = nullptr;  ///< the values of the table
  HeapSize of_options_ = 0;   ///< unknown heaps may have options of so many tokens and more
  std::vector<std::uint64_t> options_;  ///< for each heap of the block, the values of its options
};

}  // namespace

std::string xor_sets_refusal(const HeapRule& rule) {
  if (rule.formula() != nullptr) return "its moves are given by formulas";
  if (rule.take_break() == nullptr) return "it is a subtraction game";
  for (const Digit& digit : rule.take_break()->digits) {
    const DigitMoves moves(digit);
    for (const DigitMoves::Split& split : moves.splits) {
      if (split.heaps > 2 && split.constraint == SplitConstraint::kPairwiseUnequal) {
        return "three or more heaps must be pairwise unequal";
      }
    }
    if (moves.beyond == SplitConstraint::kPairwiseUnequal ||
        moves.beyond == SplitConstraint::kNotAllEqual) {
      return "any number of heaps is allowed under the constraint that they be unequal";
    }
  }
  return {};
}

std::uint64_t xor_sets_memory(const HeapRule& rule, HeapSize count, Nimber max_value) {
  const std::uint64_t set_bytes = std::max<std::uint64_t>(64, std::bit_ceil(max_value + 1ull)) / 8;
  const std::uint64_t heap_bytes =
      make_plan(*rule.take_break()).families.size() * set_bytes + sizeof(Nimber);
  const std::uint64_t heaps = count > std::numeric_limits<std::uint64_t>::max() / heap_bytes - 256
                                  ? std::numeric_limits<std::uint64_t>::max() / heap_bytes
                                  : count + 256;  // options of the block, and new slabs
  return heaps * heap_bytes;
}

RunStatus run_xor_sets(const HeapTask& task, ValueSink& sink) {
  return XorSetsRun(task).run(sink);
}

}  // namespace grundy
