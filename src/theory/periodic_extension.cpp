// SPDX-License-Identifier: MIT
#include "theory/periodic_extension.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

/// Values in a full block: small enough for the second-level cache at the width of a byte.
constexpr HeapSize kBlock = HeapSize{1} << 18;

/// Repeats `period` until the values fill a block. Each repetition is larger than the one before by
/// `saltus`, and T holds the largest value.
template <class T, class U>
std::vector<T> repeated(std::span<const U> period, Nimber saltus) {
  const std::size_t repeats = (kBlock + period.size() - 1) / period.size();
  std::vector<T> pattern;
  pattern.reserve(repeats * period.size());
  for (std::size_t k = 0; k < repeats; ++k) {
    for (const U value : period) pattern.push_back(static_cast<T>(value + k * saltus));
  }
  return pattern;
}

/// Calls `emit(begin, offset, count, cycle)` for consecutive runs of heaps from .. to-1. The run at
/// `begin` starts at `offset` in copy number `cycle` of a pattern of `length` values at heap
/// `start`.
template <class Emit>
Flow for_each_run(HeapSize start, HeapSize length, HeapSize from, HeapSize to, Emit emit) {
  Flow flow = Flow::kContinue;
  for (HeapSize at = from; at < to && flow == Flow::kContinue;) {
    const HeapSize offset = (at - start) % length;
    const HeapSize count = std::min({kBlock, length - offset, to - at});
    flow = emit(at, offset, count, (at - start) / length);
    at += count;
  }
  return flow;
}

Flow extend_plain(const PeriodReport& report, Values period, HeapSize from, HeapSize to,
                  ValueSink& sink) {
  return period.visit([&]<class T>(std::span<const T> values) {
    const std::vector<T> copies =
        values.size() < kBlock ? repeated<T>(values, 0) : std::vector<T>();
    const Values pattern = copies.empty() ? period : Values(std::span<const T>(copies));
    return for_each_run(report.preperiod, pattern.size(), from, to,
                        [&](HeapSize begin, HeapSize offset, HeapSize count, HeapSize) {
                          return sink.put({begin, pattern.subspan(offset, count), {}});
                        });
  });
}

/// Hands over pattern + shift as values of type T.
template <class T>
Flow put_raised(std::span<const std::uint64_t> pattern, HeapSize shift, HeapSize begin,
                std::vector<T>& buffer, ValueSink& sink) {
  buffer.resize(pattern.size());
  std::transform(pattern.begin(), pattern.end(), buffer.begin(),
                 [shift](std::uint64_t value) { return static_cast<T>(value + shift); });
  return sink.put({begin, std::span<const T>(buffer), {}});
}

Flow extend_raised(const PeriodReport& report, Values period, HeapSize from, HeapSize to,
                   ValueSink& sink) {
  const std::vector<std::uint64_t> pattern = period.visit(
      [&report](auto values) { return repeated<std::uint64_t>(values, report.saltus); });
  const HeapSize step = pattern.size() / report.period * report.saltus;
  constexpr HeapSize kLargest = largest_value(ValueWidth::kU32);
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint16_t> halves;
  std::vector<std::uint32_t> words;
  return for_each_run(
      report.preperiod, pattern.size(), from, to,
      [&](HeapSize begin, HeapSize offset, HeapSize count, HeapSize cycle) {
        const auto run = std::span(pattern).subspan(offset, count);
        const HeapSize top = *std::max_element(run.begin(), run.end());
        if (top > kLargest || cycle > (kLargest - top) / step) {
          throw Error(
              ErrorCode::kFailure,
              fmt::format("values from heap {} on exceed {}, the largest that a table holds", begin,
                          kLargest));
        }
        const HeapSize shift = cycle * step;
        switch (width_for(static_cast<Nimber>(top + shift))) {
          case ValueWidth::kU8:
            return put_raised(run, shift, begin, bytes, sink);
          case ValueWidth::kU16:
            return put_raised(run, shift, begin, halves, sink);
          case ValueWidth::kU32:
            break;
        }
        return put_raised(run, shift, begin, words, sink);
      });
}

}  // namespace

Flow extend_periodically(const PeriodReport& report, Values table, HeapSize from, HeapSize to,
                         ValueSink& sink) {
  const Values period = table.subspan(report.preperiod, report.period);
  return report.saltus == 0 ? extend_plain(report, period, from, to, sink)
                            : extend_raised(report, period, from, to, sink);
}

}  // namespace grundy
