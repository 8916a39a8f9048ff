/// @file
/// What is known of the period of a heap game, and values of any heap from a proof of it.
///
/// Conventions: `preperiod` is the least e with G(n + period) = G(n) + saltus for *all* n >= e,
/// counted from heap 0; the last exceptional heap is e - 1; `period` is minimal. A status is
/// `certified` only when a theorem applies whose conditions were checked on the values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

enum class PeriodStatus { kNone, kCandidate, kCertified };

/// `none`, `candidate`, `certified`.
std::string_view to_string(PeriodStatus status) noexcept;
/// The status of that name; nothing if there is none.
std::optional<PeriodStatus> period_status(std::string_view name) noexcept;

/// G(n + period) = G(n) + saltus[n % period] for all n >= preperiod, where some saltus differ.
struct MixedPattern {
  HeapSize preperiod = 0;
  HeapSize period = 0;
  std::vector<Nimber> saltus;  ///< by the residue of the heap modulo the period; not all equal
  HeapSize size = 0;           ///< the number of values that show the pattern, and prove it
  bool proved = false;         ///< for all heaps; else it was seen

  [[nodiscard]] PeriodStatus status() const noexcept {
    return proved ? PeriodStatus::kCertified : PeriodStatus::kCandidate;
  }
  friend bool operator==(const MixedPattern&, const MixedPattern&) = default;
};

/// What is known of the period of one game.
struct PeriodReport {
  PeriodStatus status = PeriodStatus::kNone;
  HeapSize preperiod = 0;
  HeapSize period = 0;
  Nimber saltus = 0;         ///< 0: periodic; else arithmetically periodic
  HeapSize verified_to = 0;  ///< values of heaps 0 .. verified_to-1 were compared
  std::string theorem;       ///< what proves it, with its bound; empty unless certified
  /// With a proof by the window certificate: the sparse space of heaps 0 .. verified_to-1.
  std::optional<SparseFacts> sparse{};
  /// What search_period() found where a game with a pass has no period. Files do not keep it.
  std::optional<MixedPattern> mixed{};
  /// Whether no smaller preperiod does. A run that has ended before it was found knows only an
  /// upper bound.
  bool is_least = true;

  /// The last heap at which the periodic pattern fails; nothing if it holds from heap 0 on, or if
  /// the preperiod is only a bound.
  [[nodiscard]] std::optional<HeapSize> last_exception() const noexcept {
    return preperiod == 0 || !is_least ? std::nullopt : std::optional<HeapSize>(preperiod - 1);
  }
  /// Whether a proof gives the values of all heaps.
  [[nodiscard]] bool proved() const noexcept {
    return mixed ? mixed->proved : status == PeriodStatus::kCertified;
  }
  /// Whether the value of heap n is proved to come again after every period, for ever.
  [[nodiscard]] bool recurs(HeapSize n) const noexcept {
    if (!proved()) return false;
    if (mixed) return n >= mixed->preperiod && mixed->saltus[n % mixed->period] == 0;
    return saltus == 0 && n >= preperiod;
  }
  /// Whether values are proved to grow without end.
  [[nodiscard]] bool grows() const noexcept { return proved() && (mixed || saltus != 0); }
  friend bool operator==(const PeriodReport&, const PeriodReport&) = default;
};

/// What is known of the period, for people: `12 from heap 71 on, last exception at heap 70, proved
/// for all heaps`.
std::string period_sentence(const PeriodReport& period);

/// The heap below preperiod + period whose value gives that of heap n.
/// @pre report.status != kNone
HeapSize periodic_heap(const PeriodReport& report, HeapSize n) noexcept;

/// The value of heap n, where `base` is the value of heap periodic_heap(report, n). A saltus leads
/// beyond the 32 bits of stored values. @throws Error(kUsage) beyond 64 bits
std::uint64_t periodic_value(const PeriodReport& report, Nimber base, HeapSize n);

/// The same from the first values of the table. @pre table.size() >= preperiod + period
inline std::uint64_t periodic_value(const PeriodReport& report, Values table, HeapSize n) {
  return periodic_value(report, table[periodic_heap(report, n)], n);
}

}  // namespace grundy
