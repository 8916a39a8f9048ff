/// @file
/// The search for a period: the table is compared with itself at every shift.
///
/// A pattern G(n + p) = G(n) + s on a tail is the same as first differences that repeat with p, so
/// the overlaps of the *reversed differences* give, for every p at once, the longest tail that has
/// this period and hence its least preperiod. Plain periods are those with s = 0. Shifts are
/// visited in ascending order and the first one that its theorem certifies is the answer. It is
/// minimal: the true least period divides it, has the same preperiod, needs fewer values, and so
/// would have been met before.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <grundy/period.hpp>

#include "theory/period_theorem.hpp"
#include "theory/saltus_theorem.hpp"
#include "theory/self_overlap.hpp"

namespace grundy {
namespace {

/// A pattern without a proof is worth reporting if its tail has kLeastRepeats periods, is at least
/// 1 / kLeastShare of the table, and has kLeastTail values.
constexpr HeapSize kLeastRepeats = 3;
constexpr HeapSize kLeastShare = 4;
constexpr HeapSize kLeastTail = 16;

bool worth_reporting(const PeriodPattern& pattern) noexcept {
  const HeapSize tail = pattern.size - pattern.preperiod;
  return tail / kLeastRepeats >= pattern.period && tail >= pattern.size / kLeastShare &&
         tail >= kLeastTail;
}

/// The search in one table by one theorem.
template <class T>
class TableSearch {
 public:
  TableSearch(const HeapRule& rule, const PeriodTheorem& theorem, std::span<const T> values)
      : rule_(rule), theorem_(theorem), values_(values) {}

  PeriodReport run() {
    PeriodReport report;
    report.verified_to = values_.size();
    if (values_.size() < 2) return report;
    if (values_.size() <= std::numeric_limits<std::uint32_t>::max()) {
      compare_with_itself<std::uint32_t>();
    } else {
      compare_with_itself<std::uint64_t>();
    }
    if (!certified_ && !candidate_) return report;
    PeriodPattern found = certified_ ? *certified_ : *candidate_;
    found.preperiod = least_preperiod(found);
    report.preperiod = found.preperiod;
    report.period = found.period;
    report.saltus = found.saltus;
    report.status = PeriodStatus::kCertified;
    if (certified_ || all_but_state_recurs(found)) {
      report.theorem = theorem_.statement(found);
    } else if (const auto proof = saltus_proof(found)) {
      report.theorem = saltus_statement(*proof, found.saltus);
    } else {
      report.status = PeriodStatus::kCandidate;
    }
    return report;
  }

 private:
  [[nodiscard]] std::int64_t value(std::size_t n) const noexcept { return values_[n]; }

  /// Finds the least certified pattern and the least one worth reporting before it.
  template <class Index>
  void compare_with_itself() {
    using Kind = PeriodTheorem::Kind;
    const std::size_t size = values_.size();
    const bool window = theorem_.kind() == Kind::kWindow;
    // A window needs no match longer than itself, but the match may lie at any distance. A split
    // theorem needs two periods, and a candidate three.
    const std::size_t max_shift = window                            ? size - 1
                                  : theorem_.kind() == Kind::kSplit ? size / 2
                                                                    : size / kLeastRepeats;
    const std::size_t cap = window ? std::min<std::size_t>(theorem_.reach(), size) : size;
    // Every proof and every candidate needs `least` equal differences and one value more, or one
    // period if that is less. Nearly all shifts fail here.
    const std::size_t least = window ? cap : size;
    const auto difference_from_end = [this, size](std::size_t i) {
      return value(size - 1 - i) - value(size - 2 - i);
    };
    for_each_self_overlap<Index>(
        size - 1, max_shift, cap, difference_from_end, [&](std::size_t shift, std::size_t match) {
          if (match + 1 < std::min(shift, least)) return false;
          const std::int64_t saltus = value(size - 1) - value(size - 1 - shift);
          if (saltus < 0) return false;
          // `match` equal differences are match + 1 values that differ by the saltus.
          const PeriodPattern pattern{size, size - shift - match - 1, shift,
                                      static_cast<Nimber>(saltus)};
          if (!candidate_ && worth_reporting(pattern)) {
            candidate_ = pattern;
            if (theorem_.kind() == Kind::kAllBut || theorem_.kind() == Kind::kNone) return true;
          }
          if (theorem_.kind() == Kind::kAllBut || !theorem_.enough(pattern)) return false;
          certified_ = pattern;
          return true;
        });
  }

  /// Matches may have been capped: extends the pattern down as far as the values allow.
  [[nodiscard]] HeapSize least_preperiod(const PeriodPattern& pattern) const noexcept {
    HeapSize e = pattern.preperiod;
    while (e > 0 && value(e - 1 + pattern.period) == value(e - 1) + pattern.saltus) --e;
    return e;
  }

  /// The state of an all-but game before heap `size` equals the state before heap size - p,
  /// translated. Both states grow by translates of each other from heap to heap. So if they agree
  /// anywhere, they agree here.
  [[nodiscard]] bool all_but_state_recurs(const PeriodPattern& pattern) const {
    if (theorem_.kind() != PeriodTheorem::Kind::kAllBut || !theorem_.enough(pattern)) return false;
    const auto now = values_.first(values_.size() - theorem_.reach());
    const auto before = now.first(now.size() - pattern.period);
    const auto largest = [](std::span<const T> values) -> std::size_t {
      return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    };
    const std::size_t bound = std::max(largest(now), largest(before) + pattern.saltus) + 1;
    std::vector<bool> used(bound), expected(bound);
    std::fill_n(expected.begin(), pattern.saltus, true);
    for (const T v : now) used[v] = true;
    for (const T v : before) expected[v + std::size_t{pattern.saltus}] = true;
    return used == expected;
  }

  [[nodiscard]] std::optional<SaltusProof> saltus_proof(const PeriodPattern& pattern) const {
    if (pattern.saltus == 0 || !saltus_theorem_applies(rule_)) return std::nullopt;
    const auto first = values_.first(saltus_proof_values(values_.size()));
    return prove_saltus(rule_, std::vector<Nimber>(first.begin(), first.end()), pattern);
  }

  const HeapRule& rule_;
  const PeriodTheorem& theorem_;
  std::span<const T> values_;
  std::optional<PeriodPattern> certified_, candidate_;
};

}  // namespace

PeriodReport find_period(const HeapRule& rule, Values table) {
  const PeriodTheorem theorem(rule);
  return table.visit([&]<class T>(std::span<const T> values) {
    return TableSearch<T>(rule, theorem, values).run();
  });
}

}  // namespace grundy
