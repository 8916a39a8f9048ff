// SPDX-License-Identifier: MIT
#include "session/window_proof.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/value_copy.hpp"
#include "engines/heap/sparse/split.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy {
namespace {

/// Finds how deep the witnesses of the heaps of one table lie.
template <class T>
class WitnessDepth {
 public:
  WitnessDepth(const TwoHeapMoves& moves, const sparse::Split& split, std::span<const T> values)
      : moves_(moves), split_(split), values_(values), met_(std::size_t{largest_of(values)} + 1) {
    for (HeapSize parity = 0; parity < 2; ++parity) {
      Nimber rare = 0;
      for (std::size_t v = 0; v < met_.size(); ++v) {
        rare_below_[parity].push_back(rare);
        rare += split.is_common(static_cast<Nimber>(v), parity) ? 0 : 1;
      }
    }
  }

  /// The least D such that, from heaps begin .. end - 1, every smaller value of the rare type is
  /// reached by a move that leaves one heap at most, or by a split with a smaller heap of at most
  /// D. If this D is above `most`, some number above `most`. @pre the heaps are common, and too
  /// large to vanish
  [[nodiscard]] HeapSize of_heaps(HeapSize begin, HeapSize end, HeapSize most) {
    HeapSize depth = 0;
    for (HeapSize n = begin; n < end && depth <= most; ++n) {
      depth = std::max(depth, of_heap(n, most));
    }
    return depth;
  }

 private:
  [[nodiscard]] HeapSize of_heap(HeapSize n, HeapSize most) {
    const Nimber value = values_[n];
    Nimber missing = rare_below_[n % 2][value];
    begin_heap();
    const auto meet = [&](Nimber option) {
      if (option >= value || met_[option] == mark_) return;
      met_[option] = mark_;
      if (!split_.is_common(option, n)) --missing;
    };
    for (const HeapSize take : moves_.singles) meet(values_[n - take]);
    HeapSize depth = 0;
    while (missing > 0 && depth <= most) {
      ++depth;
      for (const SplitMove& split : moves_.splits) {
        if (depth > split.pairs(n)) continue;
        meet(Nimber{values_[depth]} ^ Nimber{values_[n - split.take - depth]});
      }
    }
    return depth;
  }

  /// From here on, options of earlier heaps count as not met.
  void begin_heap() {
    if (mark_ == std::numeric_limits<std::uint32_t>::max()) {
      std::ranges::fill(met_, 0);
      mark_ = 0;
    }
    ++mark_;
  }

  const TwoHeapMoves& moves_;
  const sparse::Split& split_;
  std::span<const T> values_;
  /// Number of smaller rare values for each value, at even and at odd heaps.
  std::array<std::vector<Nimber>, 2> rare_below_;
  std::vector<std::uint32_t> met_;  ///< for every value, the mark of the last heap
  std::uint32_t mark_ = 0;
};

/// Puts the least depth that the proof can use into `facts`; false if the values prove nothing.
template <class T>
bool find_depth(WitnessDepth<T> witnesses, HeapSize take, const PeriodReport& pattern,
                SparseFacts& facts) {
  for (;;) {
    if (!sparse_certificate_holds(facts, take, pattern.preperiod, pattern.period, facts.count)) {
      return false;
    }
    // A deeper witness moves the period of heaps that the proof is about.
    const HeapSize begin = pattern.preperiod + sparse_window(facts, take);
    const HeapSize most = facts.count - pattern.preperiod - pattern.period;
    const HeapSize depth = witnesses.of_heaps(begin, begin + pattern.period, most);
    if (depth <= facts.depth) return true;
    facts.depth = depth;
  }
}

std::optional<PeriodReport> prove_by_window(const HeapRule& rule, Values table,
                                            const PeriodReport& pattern) {
  const auto moves = sparse::splitting_moves(rule);
  if (!moves || pattern.saltus != 0) return std::nullopt;
  const sparse::Split split = sparse::choose_split(*moves, table).split;
  if (split.mask == 0) return std::nullopt;
  const std::vector<HeapSize> rare = sparse::rare_heaps(split, table);
  SparseFacts facts{.mask = split.mask,
                    .parity = split.parity,
                    .rare = rare.size(),
                    .last_rare = rare.empty() ? 0 : rare.back(),
                    .depth = rule.pass().value_or(0),
                    .count = table.size()};
  const HeapSize take = moves->largest_take;
  const bool proved = table.visit([&]<class T>(std::span<const T> values) {
    return find_depth(WitnessDepth<T>(*moves, split, values), take, pattern, facts);
  });
  if (!proved) return std::nullopt;
  return sparse_report(facts, take, pattern.preperiod, pattern.period);
}

}  // namespace

PeriodReport period_of_table(const HeapRule& rule, Values table) {
  PeriodReport found = find_period(rule, table);
  if (found.status != PeriodStatus::kCandidate) return found;
  return prove_by_window(rule, table, found).value_or(found);
}

}  // namespace grundy
