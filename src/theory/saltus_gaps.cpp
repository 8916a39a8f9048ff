// SPDX-License-Identifier: MIT
#include "theory/saltus_gaps.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "theory/heap_classes.hpp"

namespace grundy {
namespace {

/// A gap stays open if it needs more classes of heaps, or more possible halves in all states
/// together.
constexpr std::size_t kMostClasses = 512;
constexpr std::size_t kMostHalves = std::size_t{1} << 18;
/// Splits are left out if their values add up to more than the number plus this: the values would
/// need many bits in common, and splits with smaller sums do as well.
constexpr std::int64_t kMostOver = 16;

class GapAutomaton {
 public:
  /// All possible halves of the values, and the half of the number that is to be reached.
  struct State {
    std::uint64_t target = 0;
    std::set<ThreeValues> values;
    friend auto operator<=>(const State&, const State&) = default;
  };

  explicit GapAutomaton(Nimber saltus) : saltus_(saltus) {}

  /// Whether every number Q >= 0 leads from `start` to a solution.
  bool universal(State start) {
    std::vector<std::map<State, std::size_t>::const_iterator> order;
    std::size_t halves = 0;
    const auto meet = [&](State state) {
      const auto [at, met] = numbers_.emplace(std::move(state), order.size());
      if (met) {
        order.push_back(at);
        halves += at->first.values.size();
      }
      return at->second;
    };
    meet(std::move(start));
    std::vector<std::size_t> after_zero;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (halves > kMostHalves || order[i]->first.values.empty()) return false;
      after_zero.push_back(meet(next(order[i]->first, 0)));
      meet(next(order[i]->first, 1));
    }
    // The bits of Q end with zeros without end.
    return std::ranges::all_of(order, [&](const auto& from) {
      std::size_t i = from->second;
      for (std::size_t steps = 0; steps <= order.size(); ++steps, i = after_zero[i]) {
        if (solved(order[i]->first)) return true;
      }
      return false;
    });
  }

 private:
  [[nodiscard]] static bool solved(const State& state) {
    return std::ranges::any_of(state.values, [&state](const ThreeValues& values) {
      return values.solved() && values.nim_sum() == state.target;
    });
  }

  [[nodiscard]] State next(const State& state, unsigned bit) const {
    const std::uint64_t target = state.target + std::uint64_t{bit} * saltus_;
    State result{target >> 1, {}};
    for (const ThreeValues& values : state.values) {
      values.for_each_half(saltus_, [&](const ThreeValues& rest, std::uint64_t lowest) {
        if (lowest == (target & 1u)) result.values.insert(rest);
      });
    }
    return result;
  }

  Nimber saltus_;
  std::map<State, std::size_t> numbers_;
};

}  // namespace

bool gap_closes(const TakeBreakRule& rule, std::span<const Nimber> values,
                const PeriodPattern& pattern, HeapSize heap, Nimber gap) {
  const PatternValues all(values, pattern);
  std::vector<HeapClass> classes = all.classes();
  if (classes.size() > kMostClasses) return false;
  classes.insert(classes.begin(), HeapClass{});  // no heap
  const auto period = static_cast<std::int64_t>(pattern.period);
  const std::int64_t target = all[heap] - gap;
  GapAutomaton::State start{static_cast<std::uint64_t>(target), {}};
  for (std::size_t removed = 0; removed < rule.digits.size(); ++removed) {
    for (std::size_t a = 0; a < classes.size(); ++a) {
      for (std::size_t b = a; b < classes.size(); ++b) {
        for (std::size_t c = std::max<std::size_t>(b, 1); c < classes.size(); ++c) {
          const unsigned heaps = 1u + (a > 0 ? 1u : 0u) + (b > 0 ? 1u : 0u);
          if (!rule.digits[removed].constraint(heaps)) continue;
          const std::int64_t more = static_cast<std::int64_t>(heap - removed) - classes[a].size -
                                    classes[b].size - classes[c].size;
          if (more % period != 0) continue;
          ThreeValues split{{classes[a].value, classes[b].value, classes[c].value}};
          std::int64_t over = more / period * static_cast<std::int64_t>(pattern.saltus) - target;
          for (const auto& term : split.terms) over += static_cast<std::int64_t>(term.value);
          if (over < 0 || over % 2 != 0 || over > kMostOver) continue;
          split.majority = static_cast<std::uint64_t>(over / 2);
          std::ranges::sort(split.terms);
          start.values.insert(split);
        }
      }
    }
  }
  return GapAutomaton(pattern.saltus).universal(std::move(start));
}

}  // namespace grundy
