// SPDX-License-Identifier: MIT
#include "theory/saltus_gaps.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "theory/pattern_splits.hpp"

namespace grundy {
namespace {

/// A gap stays open if it needs more possible halves in all states together.
constexpr std::size_t kMostHalves = std::size_t{1} << 18;
/// Splits that a search does not find in so many steps are left out: less than a second.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 30;
/// Splits are left out if their values add up to more than the number plus this: the values would
/// need many bits in common, and splits with smaller sums do as well.
constexpr std::int64_t kMostOver = 16;

class GapAutomaton {
 public:
  /// All possible halves of the values, and the half of the number that is to be reached.
  struct State {
    std::uint64_t target = 0;
    std::set<GrowingValues> values;
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
    return std::ranges::any_of(state.values, [&state](const GrowingValues& values) {
      return values.solved() && values.nim_sum() == state.target;
    });
  }

  [[nodiscard]] State next(const State& state, unsigned bit) const {
    const std::uint64_t target = state.target + std::uint64_t{bit} * saltus_;
    State result{target >> 1, {}};
    for (const GrowingValues& values : state.values) {
      values.for_each_half(saltus_, [&](const GrowingValues& rest, std::uint64_t lowest) {
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
  PatternSplits splits(rule, all, kMostSteps);
  const auto period = static_cast<std::int64_t>(pattern.period);
  const std::int64_t saltus = pattern.saltus;
  const std::int64_t target = all[heap] - gap;
  const auto fixed_bits = static_cast<unsigned>(std::countr_zero(pattern.saltus));
  GapAutomaton::State start{static_cast<std::uint64_t>(target) >> fixed_bits, {}};
  for (std::size_t removed = 0; removed < rule.digits.size(); ++removed) {
    const auto left = static_cast<std::int64_t>(heap - removed);
    const auto add = [&](const PatternSplits::Split& split) {
      for (std::size_t tokens = 0; tokens < split.tokens.size(); ++tokens) {
        const std::int64_t more = left - static_cast<std::int64_t>(tokens);
        if (split.tokens[tokens] == 0 || more % period != 0) continue;
        const std::int64_t over =
            static_cast<std::int64_t>(split.sum) + more / period * saltus - target;
        if (over < 0 || over % 2 != 0 || over > kMostOver) continue;
        GrowingValues option{split.terms, static_cast<std::uint64_t>(over / 2)};
        // Neither the values nor the number change these bits when they grow.
        const std::uint64_t differing = option.nim_sum() ^ static_cast<std::uint64_t>(target);
        if ((differing & ((std::uint64_t{1} << fixed_bits) - 1)) != 0) continue;
        if (!option.drop_fixed_bits(fixed_bits)) continue;
        option.normalize();
        start.values.insert(std::move(option));
      }
      return start.values.size() <= kMostHalves;
    };
    const std::int64_t least = period * target - saltus * left;
    if (!splits.for_each(removed, least, add)) break;
  }
  return GapAutomaton(pattern.saltus >> fixed_bits).universal(std::move(start));
}

}  // namespace grundy
