/// @file
/// Statistics of several heaps, counted again.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/statistics_check.hpp>

#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "kernels/kernels.hpp"
#include "table/layout_text.hpp"

namespace grundy {
namespace {

/// XXH3-128 of all that was counted.
Digest128 digest_of_counts(const TableStats& stats, const std::vector<std::uint64_t>& zeros) {
  std::vector<std::uint64_t> words{stats.count, stats.max_value, stats.argmax};
  words.insert(words.end(), stats.histogram.begin(), stats.histogram.end());
  words.insert(words.end(), zeros.begin(), zeros.end());
  return hash128(std::as_bytes(std::span(words)));
}

/// The fastest kernels that did not make the file, by the names in `makers`. If it names none of
/// this machine, as in a reproducible file, the fastest are likely to have made it, and others are
/// taken. Sets with the same functions for several heaps count as one.
std::string other_kernel(const std::string& makers) {
  const auto kernels = available_kernels();
  std::vector<const KernelSet*> used;
  for (const KernelSet& set : kernels) {
    if (fmt::format(", {}, ", makers).find(fmt::format(", {}, ", set.name)) != std::string::npos) {
      used.push_back(&set);
    }
  }
  if (used.empty()) used.push_back(&kernels.back());
  for (std::size_t i = kernels.size(); i-- > 0;) {
    const auto is_same = [&](const KernelSet* maker) { return &maker->lines == &kernels[i].lines; };
    if (std::ranges::none_of(used, is_same)) return std::string(kernels[i].name);
  }
  return std::string(kernels.back().name);
}

/// The first thing of the file that was counted otherwise, as a sentence; empty if there is none.
std::string difference(const LatticeStatistics& file, const TableStats& now,
                       const std::vector<std::uint64_t>& zeros) {
  const TableStats& then = file.info.stats;
  for (std::size_t value = 0; value < std::min(then.histogram.size(), now.histogram.size());
       ++value) {
    if (then.histogram[value] == now.histogram[value]) continue;
    return fmt::format("{} positions have the value {}, and it says {}",
                       format_count(now.histogram[value]), value,
                       format_count(then.histogram[value]));
  }
  const Layout& layout = file.info.layout;
  if (then.max_value != now.max_value || then.argmax != now.argmax) {
    return fmt::format("the largest value is {}, first at {}, and it says {} at {}", now.max_value,
                       position_text(layout, now.argmax, ","), then.max_value,
                       position_text(layout, then.argmax, ","));
  }
  return file.zeros == zeros ? "" : "the first positions of value 0 are others than it says";
}

}  // namespace

LatticeStatisticsCheck check_lattice_statistics(const ListCheckRequest& request,
                                                const Hooks& hooks) {
  const Stopwatch time;
  LatticeStatisticsCheck check;
  check.file = read_lattice_statistics(request.file);
  const TableInfo& info = check.file.info;
  check.notation = info.canonical;
  check.unit = "values";
  check.count = info.stats.count;
  check.digest = digest_of_counts(info.stats, check.file.zeros);
  check.statement = "another computation of all values counts what the file says";
  check.complete = true;
  if (request.samples == 0) return check;
  const auto rule = [&] {
    try {
      return LatticeRule::parse(info.canonical);
    } catch (const Error& error) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}': {}", request.file.string(), error.what()));
    }
  };
  Request again{
      .game = LatticeGame{.rule = rule(), .shape = info.layout.shape(), .stats_only = true},
      .machine = request.machine,
      .force = request.force};
  again.machine.kernel = other_kernel(info.kernel);
  const Report report = compute(again, hooks);
  check.complete = report.complete;
  if (check.complete) {
    check.wrong = difference(check.file, report.info.stats, report.statistics.zeros);
    check.methods = {fmt::format("all values computed again, by the engine {} with the kernel {}",
                                 report.info.engine, report.info.kernel)};
  }
  if (check.holds()) {
    check.proved = check.count;
    check.proved_range = {0, check.count - 1};
  }
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
