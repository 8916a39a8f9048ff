/// @file
/// Shared helpers of the tests of analysis: runs that stop at a certificate, and the golden
/// periods.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <fstream>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/heap/engine.hpp>
#include <grundy/period.hpp>

#include "engines/heap/heap_testing.hpp"
#include "theory/period_watch.hpp"

namespace grundy {

/// How GoogleTest prints a report.
inline void PrintTo(const PeriodReport& report, std::ostream* out) {
  *out << to_string(report.status) << " e=" << report.preperiod << " p=" << report.period
       << " s=" << report.saltus << " to=" << report.verified_to << ' ' << report.theorem;
}

namespace testing_support {

/// Keeps values and stops the engine at a certificate.
class WatchSink : public ValueSink {
 public:
  explicit WatchSink(const HeapRule& rule) : watch_(rule) {}
  Flow put(const Stretch& block) override {
    return watch_.observe(block) ? Flow::kStop : Flow::kContinue;
  }
  [[nodiscard]] const PeriodReport& report() const noexcept { return watch_.report(); }

 private:
  PeriodWatch watch_;
};

/// The period that is certified while heaps 0 .. limit-1 are computed.
inline PeriodReport watched_period(std::string_view notation, HeapSize limit,
                                   std::optional<HeapSize> block = {}) {
  const HeapRule rule = HeapRule::parse(notation);
  WatchSink sink(rule);
  const HeapTask task{rule, limit, select_kernels("auto"), single_thread(), {}, nullptr, block};
  select_heap_engine("auto", rule, limit).run(task, sink);
  return sink.report();
}

inline PeriodReport period_of(std::string_view notation, const std::vector<Nimber>& values) {
  return find_period(HeapRule::parse(notation), std::span<const Nimber>(values));
}

/// The period shown by the first `count` values of a game.
inline PeriodReport period_of(std::string_view notation, HeapSize count) {
  return period_of(notation, values_of(notation, count));
}

/// status, preperiod, period and saltus without the wording of the proof.
inline PeriodReport facts(const PeriodReport& report) {
  return {report.status, report.preperiod, report.period, report.saltus, 0, {}};
}
inline PeriodReport certified(HeapSize preperiod, HeapSize period, Nimber saltus = 0) {
  return {PeriodStatus::kCertified, preperiod, period, saltus, 0, {}};
}
inline PeriodReport candidate(HeapSize preperiod, HeapSize period, Nimber saltus = 0) {
  return {PeriodStatus::kCandidate, preperiod, period, saltus, 0, {}};
}

/// One row of golden/octal_periods.csv.
struct GoldenPeriod {
  std::string code;
  struct Known {
    HeapSize preperiod, period;
  };
  std::optional<Known> known;  ///< nothing for an unsolved game
};

/// Games with a larger preperiod + period are left to the slow tests.
inline constexpr HeapSize kQuick = 2500;

inline std::vector<GoldenPeriod> golden_periods() {
  std::ifstream file(GRUNDY_GOLDEN_DIR "/octal_periods.csv");
  std::vector<GoldenPeriod> rows;
  std::string line;
  for (std::getline(file, line); std::getline(file, line);) {
    std::istringstream fields(line);
    std::string code, name, preperiod, period;
    for (std::string* field : {&code, &name, &preperiod, &period})
      std::getline(fields, *field, ',');
    std::replace(code.begin(), code.end(), ';', ',');  // the file's way to write S{2,5,7}
    if (code == "grundy") code = "4!.0";
    GoldenPeriod row{code, std::nullopt};
    if (!period.empty()) row.known = {std::stoull(preperiod), std::stoull(period)};
    rows.push_back(row);
  }
  EXPECT_EQ(rows.size(), 530u) << "the golden file is not complete";
  return rows;
}

}  // namespace testing_support
}  // namespace grundy
