// SPDX-License-Identifier: MIT
#include "theory/saltus_exclusion.hpp"

#include <algorithm>
#include <functional>
#include <vector>

#include "theory/heap_classes.hpp"

namespace grundy {
namespace {

/// A proof that needs more splits into classes of heaps than this is given up: some seconds.
constexpr std::uint64_t kMostSplits = std::uint64_t{1} << 30;

class ExclusionSearch {
 public:
  ExclusionSearch(const TakeBreakRule& rule, std::span<const Nimber> values,
                  const PeriodPattern& pattern)
      : rule_(rule),
        saltus_(pattern.saltus),
        values_(values, pattern),
        search_(pattern.saltus),
        classes_(values_.classes()) {
    const auto excess = [this](const HeapClass& heap) { return values_.excess(heap.size); };
    std::ranges::sort(classes_, std::greater<>(), excess);
    for (const HeapClass& heap : classes_) {
      if (heap.value.grows) least_ = excess(heap);  // excesses descend
    }
  }

  bool run() {
    for (std::size_t i = 0; i < rule_.digits.size(); ++i) {
      removed_ = static_cast<std::int64_t>(i);
      for (unsigned heaps = 1; heaps <= 3; ++heaps) {
        if (!rule_.digits[i].constraint(heaps)) continue;
        if (!extend(heaps, 0, 0)) return false;
      }
    }
    return true;
  }

 private:
  /// Adds `more` heaps, of the classes from `from` on, to the split. Returns false if an option may
  /// have the value.
  bool extend(unsigned more, std::size_t from, std::int64_t excess) {
    if (more == 0) return avoids();
    for (std::size_t c = from; c < classes_.size(); ++c) {
      // A nim-sum is at most the sum. So a split whose excess is too small cannot have the value of
      // the pattern.
      const std::int64_t next = values_.excess(classes_[c].size);
      if (excess + static_cast<std::int64_t>(more) * next < least_ + saltus_ * removed_)
        return true;
      split_.push_back(&classes_[c]);
      if (!extend(more - 1, c, excess + next)) return false;
      split_.pop_back();
    }
    return true;
  }

  bool avoids() {
    if (++splits_ > kMostSplits) return false;
    ThreeValues question;
    std::int64_t heap = removed_;
    std::int64_t sum = 0;
    std::size_t j = 0;
    for (const HeapClass* part : split_) {
      question.terms.at(j++) = part->value;
      heap += part->size;
      sum += static_cast<std::int64_t>(part->value.value);
    }
    // Splits into small heaps only belong to heaps below 3 e + t.
    if (std::ranges::none_of(question.terms, &ThreeValues::Term::grows)) return true;
    const std::int64_t twice = sum - values_[static_cast<HeapSize>(heap)];
    if (twice < 0 || twice % 2 != 0) return true;
    question.majority = static_cast<std::uint64_t>(twice / 2);
    return search_.ask(question) == MajoritySearch::Answer::kUnsolvable;
  }

  const TakeBreakRule& rule_;
  std::int64_t saltus_;
  PatternValues values_;
  MajoritySearch search_;
  std::vector<HeapClass> classes_;  ///< by descending excess
  std::vector<const HeapClass*> split_;
  std::int64_t least_ = 0;  ///< the least excess of a heap from e on
  std::int64_t removed_ = 0;
  std::uint64_t splits_ = 0;
};

}  // namespace

MajoritySearch::Answer MajoritySearch::ask(ThreeValues question) {
  std::vector<ThreeValues> open;
  const auto meet = [&](const ThreeValues& state) {
    if (seen_.insert(state).second) open.push_back(state);
  };
  std::ranges::sort(question.terms);
  meet(question);
  while (!open.empty()) {
    if (seen_.size() > most_states_) return Answer::kTooLarge;
    const ThreeValues state = open.back();
    open.pop_back();
    if (state.solved()) return Answer::kSolvable;
    state.for_each_half(saltus_, [&meet](const ThreeValues& rest, std::uint64_t) { meet(rest); });
  }
  return Answer::kUnsolvable;
}

bool options_avoid_pattern(const TakeBreakRule& rule, std::span<const Nimber> values,
                           const PeriodPattern& pattern) {
  return ExclusionSearch(rule, values, pattern).run();
}

}  // namespace grundy
