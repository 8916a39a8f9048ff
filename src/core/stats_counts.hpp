/// @file
/// The maximum, the records and the histogram of a TableStats, while its values are counted.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include <grundy/stats.hpp>

namespace grundy {

/// Notes the value of an entry: if it exceeds all before it, it is the maximum and a record.
/// @pre entries come in the order of the table, from entry 0 on; those that are left out have no
///   records
inline void note_record(std::uint64_t entry, Nimber value, TableStats& stats) {
  if (value <= stats.max_value && !stats.records.empty()) return;
  stats.max_value = value;
  stats.argmax = entry;
  if (stats.records.size() < TableStats::kRecordLimit) {
    stats.records.push_back({entry, value});
  } else {
    stats.records_complete = false;
  }
}

/// Gives a histogram a bin for every value up to `top`, as far as they are counted.
inline void make_bins(Nimber top, std::vector<std::uint64_t>& histogram) {
  const std::size_t bins = std::size_t{std::min(top, TableStats::kHistogramLimit - 1)} + 1;
  if (bins > histogram.size()) histogram.resize(bins);
}

/// Counts values. @param top the largest of them @param count the kernel `histogram`
/// @pre make_bins() made room for them
template <class T>
void count_values(std::span<const T> values, Nimber top,
                  void (*count)(const T*, std::size_t, std::uint64_t*) noexcept,
                  std::vector<std::uint64_t>& histogram) {
  if (top < TableStats::kHistogramLimit) {
    count(values.data(), values.size(), histogram.data());
    return;
  }
  for (const T value : values) {
    if (value < TableStats::kHistogramLimit) ++histogram[value];
  }
}

/// Adds the counts of other entries.
inline void add_counts(std::span<const std::uint64_t> more, std::vector<std::uint64_t>& histogram) {
  histogram.resize(std::max(histogram.size(), more.size()));
  std::ranges::transform(more, histogram, histogram.begin(), std::plus<>());
}

}  // namespace grundy
