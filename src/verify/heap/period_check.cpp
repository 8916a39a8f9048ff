// SPDX-License-Identifier: MIT
#include "verify/heap/period_check.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/primes.hpp"
#include "theory/period_theorem.hpp"
#include "theory/saltus_theorem.hpp"
#include "theory/sparse_certificate.hpp"
#include "verify/heap/window_check.hpp"

namespace grundy {
namespace {

using Kind = PeriodTheorem::Kind;

/// Heaps of a piece of values in memory.
constexpr HeapSize kHeapsRead = HeapSize{1} << 16;

/// The least table size that is enough for the theorem, given that the table of the claim is.
HeapSize least_size(const PeriodTheorem& theorem, const PeriodReport& period) {
  const auto enough = [&](HeapSize size) {
    return theorem.enough({size, period.preperiod, period.period, period.saltus});
  };
  HeapSize low = period.preperiod + period.period;
  HeapSize high = period.verified_to;
  while (low < high) {
    const HeapSize middle = low + (high - low) / 2;
    if (enough(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high;
}

/// Thrown to end a check from inside.
struct StoppedCheck {};

/// One claim about values. @throws StoppedCheck when asked to stop
class PeriodCheck {
 public:
  PeriodCheck(const ValuesClaim& claim, const HeapRule& rule, Executor& executor,
              std::stop_token stop)
      : stop_(std::move(stop)),
        claim_(claim),
        period_(claim.period),
        rule_(rule),
        theorem_(rule),
        executor_(executor),
        compared_(period_.status == PeriodStatus::kCertified
                      ? claim.count
                      : std::min(period_.verified_to, claim.count)) {}

  std::optional<WrongValue> run() const {
    const HeapSize e = period_.preperiod;
    const HeapSize p = period_.period;
    const bool certified = period_.status == PeriodStatus::kCertified;
    if (period_.verified_to > claim_.computed || period_.verified_to < e + p) {
      return WrongValue{e, fmt::format("the period claims to rest on the heaps below {}, of which "
                                       "{} were computed",
                                       period_.verified_to, claim_.computed)};
    }
    if (certified && !saltus_of_splits() && !equalities_suffice(rule_, period_)) {
      return not_enough();
    }
    if (const auto n = first_exception(p, period_.saltus, e, compared_ - p)) {
      return WrongValue{*n + p,
                        fmt::format("heap {} has value {}, but the period {} gives {}", *n + p,
                                    value(*n + p), p, std::uint64_t{value(*n)} + period_.saltus)};
    }
    if (e > 0 && value(e - 1 + p) == std::uint64_t{value(e - 1)} + period_.saltus) {
      return WrongValue{e - 1,
                        fmt::format("the preperiod {} is too large: heap {} obeys the period "
                                    "as well",
                                    e, e - 1)};
    }
    if (certified && theorem_.kind() == Kind::kAllBut && !used_values_recur()) {
      return WrongValue{e, fmt::format("the period {} is called certified, but the values used "
                                       "before heaps {} and {} are no translates of each other",
                                       p, period_.verified_to - p, period_.verified_to)};
    }
    if (certified && saltus_of_splits() && !saltus_is_proved()) return not_enough();
    if (auto wrong = smaller_period()) return wrong;
    return period_.sparse ? check_window_certificate(claim_, rule_, executor_) : std::nullopt;
  }

 private:
  [[nodiscard]] Nimber value(HeapSize n) const {
    Nimber v = 0;
    claim_.read(n, {&v, 1});
    return v;
  }

  /// Whether the claim needs more than equalities: saltus_is_proved() then checks the rest.
  [[nodiscard]] bool saltus_of_splits() const noexcept {
    return period_.saltus != 0 && saltus_theorem_applies(rule_);
  }

  [[nodiscard]] WrongValue not_enough() const {
    return WrongValue{period_.preperiod,
                      fmt::format("the period {} is called certified, but the {} heaps it rests on "
                                  "are not enough for a proof",
                                  period_.period, period_.verified_to)};
  }

  [[nodiscard]] bool saltus_is_proved() const {
    std::vector<Nimber> values(saltus_proof_values(period_.verified_to));
    claim_.read(0, values);
    return prove_saltus(rule_, values,
                        {period_.verified_to, period_.preperiod, period_.period, period_.saltus})
        .has_value();
  }

  /// The least n of [begin, end) with G(n + shift) != G(n) + saltus.
  [[nodiscard]] std::optional<HeapSize> first_exception(HeapSize shift, Nimber saltus,
                                                        HeapSize begin, HeapSize end) const {
    if (begin >= end) return std::nullopt;
    const HeapSize step = claim_.piece;
    std::atomic<HeapSize> first = end;
    executor_.parallel_for((end - begin - 1) / step + 1, [&](std::size_t i) {
      const HeapSize from = begin + i * step;
      if (stop_.stop_requested()) return;
      if (from >= first.load(std::memory_order_relaxed)) return;
      std::vector<Nimber> low(std::min(step, end - from));
      std::vector<Nimber> high(low.size());
      claim_.read(from, low);
      claim_.read(from + shift, high);
      const auto agrees = [saltus](Nimber above, Nimber below) {
        return above == std::uint64_t{below} + saltus;
      };
      const auto at = std::ranges::mismatch(high, low, agrees).in1 - high.begin();
      if (static_cast<std::size_t>(at) == low.size()) return;
      const HeapSize n = from + static_cast<HeapSize>(at);
      HeapSize seen = first.load();
      while (n < seen && !first.compare_exchange_weak(seen, n)) {
      }
    });
    if (stop_.stop_requested()) throw StoppedCheck();
    if (first == end) return std::nullopt;
    return first.load();
  }

  /// An exception to each period that divides this one, or the first such period without one.
  [[nodiscard]] std::optional<WrongValue> smaller_period() const {
    const HeapSize e = period_.preperiod;
    for (const HeapSize q : primes_of(period_.period)) {
      const HeapSize shorter = period_.period / q;
      if (period_.saltus % q != 0) continue;
      const HeapSize end = std::min(e + period_.period, compared_ - shorter);
      if (first_exception(shorter, static_cast<Nimber>(period_.saltus / q), e, end)) continue;
      return WrongValue{e, fmt::format("the period {} is not the least: {} is one as well",
                                       period_.period, shorter)};
    }
    return std::nullopt;
  }

  /// All-but sets: the values used before heap verified_to - t must be those before the heap one
  /// period earlier, translated by the saltus, together with 0 .. saltus-1.
  [[nodiscard]] bool used_values_recur() const {
    const HeapSize now = period_.verified_to - theorem_.reach();
    std::vector<bool> expected = used_below(now - period_.period);
    expected.insert(expected.begin(), period_.saltus, true);
    std::vector<bool> used = used_below(now);
    used.resize(std::max(used.size(), expected.size()));
    expected.resize(used.size());
    return used == expected;
  }

  [[nodiscard]] std::vector<bool> used_below(HeapSize end) const {
    std::vector<bool> used;
    std::vector<Nimber> values;
    for (HeapSize n = 0; n < end; n += values.size()) {
      values.resize(std::min(claim_.piece, end - n));
      claim_.read(n, values);
      for (const Nimber v : values) {
        if (v >= used.size()) used.resize(std::size_t{v} + 1);
        used[v] = true;
      }
    }
    return used;
  }

  std::stop_token stop_;
  const ValuesClaim& claim_;
  const PeriodReport& period_;
  const HeapRule& rule_;
  PeriodTheorem theorem_;
  Executor& executor_;
  HeapSize compared_;  ///< heaps below this obey the period
};

}  // namespace

HeapSize periodic_from(const HeapRule& rule, const TableInfo& info) {
  if (info.period.status != PeriodStatus::kCertified) return info.stats.count;
  if (info.period.sparse) {
    return window_certificate_applies(rule, info.period) ? info.period.verified_to
                                                         : info.stats.count;
  }
  const PeriodTheorem theorem(rule);
  // For an all-but set the states were compared at this very heap, and the proof of a saltus of
  // splits uses all of these values. The other theorems hold wherever their bound is met.
  if (theorem.kind() == Kind::kAllBut || info.period.saltus != 0) return info.period.verified_to;
  return least_size(theorem, info.period);
}

bool equalities_suffice(const HeapRule& rule, const PeriodReport& period) {
  if (period.sparse) return window_certificate_applies(rule, period);
  return PeriodTheorem(rule).enough(
      {period.verified_to, period.preperiod, period.period, period.saltus});
}

ValuesClaim claim_of(const TableReader& table) {
  const TableInfo& info = table.info();
  return {.period = info.period,
          .count = info.stats.count,
          .computed = info.computed,
          .largest = info.stats.max_value,
          .piece = table.chunk_size(),
          .read = [&table](HeapSize begin, std::span<Nimber> out) { table.read(begin, out); }};
}

ValuesClaim claim_of(const PeriodReport& period, std::span<const Nimber> values) {
  return {.period = period,
          .count = values.size(),
          .computed = values.size(),
          .largest = values.empty() ? 0 : std::ranges::max(values),
          .piece = kHeapsRead,
          .read = [values](HeapSize begin, std::span<Nimber> out) {
            std::ranges::copy(values.subspan(begin, out.size()), out.begin());
          }};
}

std::optional<WrongValue> check_period(const ValuesClaim& claim, const HeapRule& rule,
                                       Executor& executor, std::stop_token stop) {
  if (claim.period.status == PeriodStatus::kNone) return std::nullopt;
  try {
    return PeriodCheck(claim, rule, executor, std::move(stop)).run();
  } catch (const StoppedCheck&) {
    return std::nullopt;
  }
}

}  // namespace grundy
