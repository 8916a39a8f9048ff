// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/period_report.hpp>

namespace grundy {

std::string_view to_string(PeriodStatus status) noexcept {
  switch (status) {
    case PeriodStatus::kNone:
      return "none";
    case PeriodStatus::kCandidate:
      return "candidate";
    case PeriodStatus::kCertified:
      break;
  }
  return "certified";
}

HeapSize periodic_heap(const PeriodReport& report, HeapSize n) noexcept {
  if (n < report.preperiod) return n;
  return report.preperiod + (n - report.preperiod) % report.period;
}

Nimber periodic_value(const PeriodReport& report, Nimber base, HeapSize n) {
  if (report.saltus == 0) return base;
  const HeapSize repeats = (n - periodic_heap(report, n)) / report.period;
  if (repeats > (largest_value(ValueWidth::kU32) - base) / report.saltus) {
    throw Error(ErrorCode::kFailure,
                fmt::format("the value of heap {} exceeds 32 bits: it is {} + {} * {}", n, base,
                            repeats, report.saltus));
  }
  return base + static_cast<Nimber>(repeats) * report.saltus;
}

}  // namespace grundy
