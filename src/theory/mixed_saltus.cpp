// SPDX-License-Identifier: MIT
#include "theory/mixed_saltus.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace grundy {
namespace {

constexpr HeapSize kMostPeriod = 512;
constexpr HeapSize kLeastMixedRepeats = 3;
/// A search that meets more states than this is given up.
constexpr std::size_t kMostStates = std::size_t{1} << 14;

/// Looks for q1, q2 >= 0 with (x + q1 s1) xor (y + q2 s2) = z + (q1 + q2) s3.
class SumSearch {
 public:
  struct Term {
    std::uint64_t value, saltus;
    bool grows;  ///< whether its q may be more than 0
  };

  SumSearch(const Term& a, const Term& b, std::uint64_t saltus) : a_(a), b_(b), saltus_(saltus) {}

  /// Whether there are none. False if the search was given up, too.
  bool excludes(std::uint64_t sum) {
    std::set<State> seen;
    std::vector<State> open = {{a_.value, b_.value, sum}};
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      if (!seen.insert(state).second) continue;
      const auto [x, y, z] = state;
      if ((x ^ y) == z || seen.size() > kMostStates) return false;
      // The lowest bits of q1 and q2 decide the lowest bits of the three numbers.
      for (std::uint64_t i = 0; i <= (a_.grows ? 1 : 0); ++i) {
        for (std::uint64_t j = 0; j <= (b_.grows ? 1 : 0); ++j) {
          const std::uint64_t u = x + i * a_.saltus;
          const std::uint64_t v = y + j * b_.saltus;
          const std::uint64_t w = z + (i + j) * saltus_;
          if (((u ^ v ^ w) & 1) == 0) open.emplace_back(u / 2, v / 2, w / 2);
        }
      }
    }
    return true;
  }

 private:
  using State = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  Term a_, b_;
  std::uint64_t saltus_;
};

class MixedProof {
 public:
  MixedProof(const TakeBreakRule& rule, std::span<const Nimber> values, const MixedPattern& pattern,
             const std::stop_token& stop)
      : rule_(rule),
        values_(values),
        pattern_(pattern),
        stop_(stop),
        first_(std::max<HeapSize>(pattern.preperiod, 1)) {}

  [[nodiscard]] bool run() const {
    const HeapSize size = values_.size();
    if (rule_.pass && *rule_.pass >= size) return false;
    if (size <= 2 * (first_ + pattern_.period) + rule_.digits.size()) return false;
    for (HeapSize n = size - 2 * pattern_.period; n < size; ++n) {
      if (!reaches_all(n)) return false;
    }
    return options_avoid_values();
  }

 private:
  static constexpr std::uint8_t kStays = 1, kRises = 2, kBoth = 4;

  [[nodiscard]] Nimber saltus(HeapSize n) const { return pattern_.saltus[n % pattern_.period]; }
  /// Whether the value of the heap grows by exactly `rise` in two periods, and takes the nim-sum
  /// with `other` along.
  [[nodiscard]] bool lifts(HeapSize heap, Nimber other, Nimber rise) const {
    return heap >= first_ && rise != 0 && 2 * saltus(heap) == rise &&
           other >> std::countr_zero(rise) == 0;
  }

  void mark(HeapSize a, HeapSize b, Nimber rise, std::vector<std::uint8_t>& found) const {
    const Nimber of_a = values_[a], of_b = values_[b];
    const Nimber sum = of_a ^ of_b;
    if (sum >= found.size()) return;
    const bool a_stays = a >= first_ && saltus(a) == 0;
    const bool b_stays = b >= first_ && saltus(b) == 0;
    const bool one_stays = a_stays || b_stays;
    const bool both_move = std::min(a, b) >= first_ && saltus(a) == saltus(b) && saltus(a) != 0 &&
                           sum >> std::countr_zero(saltus(a)) == 0;
    const bool stays = one_stays || both_move;
    const bool rises = lifts(a, of_b, rise) || lifts(b, of_a, rise);
    found[sum] |= static_cast<std::uint8_t>((stays ? kStays : 0) | (rises ? kRises : 0) |
                                            (one_stays && rises ? kBoth : 0));
  }

  [[nodiscard]] bool reaches_all(HeapSize n) const {
    const Nimber rise = 2 * saltus(n);
    std::vector<std::uint8_t> found(values_[n]);
    for (HeapSize taken = 0; taken < rule_.digits.size(); ++taken) {
      const Digit& digit = rule_.digits[taken];
      const HeapSize left = n - taken;
      // Heap 0 stands for no heap; it is below first_ and has the value 0.
      if (digit.constraint(1)) mark(left, 0, rise, found);
      if (!digit.constraint(2)) continue;
      for (HeapSize a = 1; a <= left / 2; ++a) mark(a, left - a, rise, found);
    }
    const auto all = [&](std::size_t from, std::size_t to, std::uint8_t how) {
      return std::all_of(found.begin() + static_cast<std::ptrdiff_t>(from),
                         found.begin() + static_cast<std::ptrdiff_t>(to),
                         [how](std::uint8_t kinds) { return (kinds & how) != 0; });
    };
    if (rise == 0) return all(0, found.size(), kStays);
    // Some number L: those below it stay, those from it on rise, and those below L + rise do both.
    std::size_t least = found.size();
    while (least > 0 && (found[least - 1] & kRises) != 0) --least;
    if (!all(0, least, kStays)) return false;
    for (std::size_t from = least; from + rise <= found.size(); ++from) {
      if (all(from, from + rise, kBoth)) return true;
      if ((found[from] & kStays) == 0) return false;
    }
    return false;
  }

  /// Whether no option has the value of its heap, where the pattern gives all values.
  [[nodiscard]] bool options_avoid_values() const {
    const HeapSize classes = first_ + pattern_.period;  // single heaps, then residues
    const auto term = [&](HeapSize heap) {
      return SumSearch::Term{values_[heap], heap < first_ ? 0 : saltus(heap), heap >= first_};
    };
    for (HeapSize taken = 0; taken < rule_.digits.size(); ++taken) {
      const Digit& digit = rule_.digits[taken];
      for (HeapSize a = first_; a < classes; ++a) {
        if (stop_.stop_requested()) return false;
        for (HeapSize b = 0; b <= a; ++b) {
          if (!digit.constraint(b == 0 ? 1 : 2)) continue;
          const HeapSize n = a + b + taken;
          if (!SumSearch(term(a), term(b), saltus(n)).excludes(values_[n])) return false;
        }
      }
    }
    return true;
  }

  const TakeBreakRule& rule_;
  std::span<const Nimber> values_;
  const MixedPattern& pattern_;
  const std::stop_token& stop_;
  HeapSize first_;
};

/// The pattern of this period, if the values show one.
std::optional<MixedPattern> pattern_of(std::span<const Nimber> values, HeapSize period) {
  const HeapSize size = values.size();
  const auto differs = [&](HeapSize n) {
    const std::int64_t rise = std::int64_t{values[n]} - values[n - period];
    const HeapSize last = size - 1 - (size - 1 - n) % period;
    return rise < 0 || rise != std::int64_t{values[last]} - values[last - period];
  };
  HeapSize n = size;
  while (n > period && !differs(n - 1)) --n;
  const HeapSize preperiod = n - period;
  if (preperiod > size / 2 || size - preperiod < kLeastMixedRepeats * period) return std::nullopt;
  MixedPattern pattern{.preperiod = preperiod,
                       .period = period,
                       .saltus = std::vector<Nimber>(period),
                       .size = size};
  for (HeapSize m = size - period; m < size; ++m) {
    pattern.saltus[m % period] = values[m] - values[m - period];
  }
  const auto other = [&](Nimber rise) { return rise != pattern.saltus.front(); };
  if (std::ranges::none_of(pattern.saltus, other)) return std::nullopt;
  return pattern;
}

}  // namespace

std::optional<MixedPattern> find_mixed_pattern(const HeapRule& rule, std::span<const Nimber> values,
                                               const std::stop_token& stop) {
  values = values.first(std::min<std::size_t>(values.size(), kMostMixedValues));
  for (HeapSize p = 1; p <= std::min<HeapSize>(kMostPeriod, values.size() / 4); ++p) {
    std::optional<MixedPattern> pattern = pattern_of(values, p);
    if (!pattern) continue;
    const bool covered = rule.take_break() != nullptr && rule.largest_take() &&
                         rule.unconstrained() && rule.max_heaps().value_or(3) <= 2;
    pattern->proved = covered && MixedProof(*rule.take_break(), values, *pattern, stop).run();
    if (stop.stop_requested()) return std::nullopt;
    return pattern;
  }
  return std::nullopt;
}

std::string to_words(const MixedPattern& pattern) {
  std::vector<std::string> parts;
  std::vector<Nimber> rises = pattern.saltus;
  std::ranges::sort(rises);
  rises.erase(std::unique(rises.begin(), rises.end()), rises.end());
  constexpr std::size_t kMostListed = 12;
  for (const Nimber rise : rises) {
    if (rise == 0) continue;
    std::vector<HeapSize> residues;
    for (HeapSize r = 0; r < pattern.period; ++r) {
      if (pattern.saltus[r] == rise) residues.push_back(r);
    }
    const std::size_t shown = std::min(residues.size(), kMostListed);
    const std::string more =
        residues.size() > shown ? fmt::format(" and {} more", residues.size() - shown) : "";
    parts.push_back(fmt::format("{} at n = {}{}", rise,
                                fmt::join(std::span(residues).first(shown), ", "), more));
  }
  return fmt::format("period {} from heap {} on, with the saltus {} (modulo {}){}", pattern.period,
                     pattern.preperiod, fmt::join(parts, "; "), pattern.period,
                     rises.front() == 0 ? ", and 0 elsewhere" : "");
}

}  // namespace grundy
