// SPDX-License-Identifier: MIT
#include <limits>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/period_report.hpp>

#include "core/enum_words.hpp"
#include "core/text.hpp"

namespace grundy {

namespace {

constexpr EnumWord<PeriodStatus> kStatusWords[] = {{PeriodStatus::kNone, "none"},
                                                   {PeriodStatus::kCandidate, "candidate"},
                                                   {PeriodStatus::kCertified, "certified"}};

}  // namespace

std::string_view to_string(PeriodStatus status) noexcept {
  return word_for(status, kStatusWords);
}

std::optional<PeriodStatus> period_status(std::string_view name) noexcept {
  return value_with(name, kStatusWords);
}

std::string period_sentence(const PeriodReport& period) {
  if (period.status == PeriodStatus::kNone) {
    if (period.verified_to == 0) {
      return "none proved; it was not looked for in all heaps";
    }
    return fmt::format("none found in {} heaps", format_count(period.verified_to));
  }
  std::string text = fmt::format("{} from heap {} on{}", format_count(period.period),
                                 format_count(period.preperiod),
                                 period.is_least ? "" : " or earlier; the preperiod was not found");
  if (period.saltus != 0) text += fmt::format(", saltus {}", period.saltus);
  if (const auto last = period.last_exception()) {
    text += fmt::format(", last exception at heap {}", format_count(*last));
  }
  if (period.status == PeriodStatus::kCertified) return text + ", proved for all heaps";
  text += fmt::format(", seen in {} heaps, not proved", format_count(period.verified_to));
  // A pattern that recedes is seen in the later part of every table.
  if (period.preperiod > period.verified_to / 2) {
    text += "; it holds in less than half of them, and may begin later in a longer table";
  }
  return text;
}

HeapSize periodic_heap(const PeriodReport& report, HeapSize n) noexcept {
  if (n < report.preperiod) return n;
  return report.preperiod + (n - report.preperiod) % report.period;
}

std::uint64_t periodic_value(const PeriodReport& report, Nimber base, HeapSize n) {
  if (report.saltus == 0) return base;
  const HeapSize repeats = (n - periodic_heap(report, n)) / report.period;
  if (repeats > (std::numeric_limits<std::uint64_t>::max() - base) / report.saltus) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the value of heap {} is {} + {} * {}, which is more than 2^64-1", n,
                            base, repeats, report.saltus));
  }
  return base + repeats * report.saltus;
}

}  // namespace grundy
