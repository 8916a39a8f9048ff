// SPDX-License-Identifier: MIT
#include "session/table_statistics.hpp"

#include <algorithm>
#include <bit>

#include <grundy/compute.hpp>

#include "engines/heap/sparse/split.hpp"
#include "kernels/kernels.hpp"
#include "session/milestones.hpp"

namespace grundy {
namespace {

constexpr HeapSize kStep = HeapSize{1} << 20;  ///< heaps that are looked at together

/// The split of the first heaps of a table, if its rule may have one.
std::optional<sparse::Split> split_of(const TableReader& table) {
  const auto moves = sparse::splitting_moves(HeapRule::parse(table.info().canonical));
  if (!moves) return std::nullopt;
  std::vector<Nimber> values(std::min(table.info().stats.count, kSplitHeaps));
  table.read(0, values);
  const sparse::Split split = sparse::choose_split(*moves, std::span<const Nimber>(values)).split;
  return split.mask == 0 ? std::nullopt : std::optional(split);
}

/// Counts rare heaps as they pass by.
class RareCounter {
 public:
  /// Takes the next heap, if it is rare.
  void add(HeapSize n) {
    SparseFacts& facts = rare_.facts;
    const HeapSize gap = n - facts.last_rare;
    if (facts.rare > 0 && gap > rare_.largest_gap) {
      rare_.largest_gap = gap;
      rare_.gap_after = facts.last_rare;
    }
    ++facts.rare;
    facts.last_rare = n;
  }
  /// Call it when all rare heaps below the next power of two were added.
  void mark_power() { rare_.below.push_back(rare_.facts.rare); }

  /// @param facts the other facts of the sparse space
  [[nodiscard]] RareHeaps take(const SparseFacts& facts) {
    rare_.facts.mask = facts.mask;
    rare_.facts.parity = facts.parity;
    rare_.facts.count = facts.count;
    return std::move(rare_);
  }

 private:
  RareHeaps rare_;
};

}  // namespace

std::optional<SparseFacts> sparse_facts(const HeapRule& rule, Values values) {
  const auto moves = sparse::splitting_moves(rule);
  if (!moves) return std::nullopt;
  const sparse::SplitChoice choice = sparse::choose_split(*moves, values);
  if (choice.split.mask == 0) return std::nullopt;
  SparseFacts facts;
  facts.mask = choice.split.mask;
  facts.parity = choice.split.parity;
  facts.rare = choice.rare;
  facts.count = values.size();
  facts.last_rare = values.visit([&](auto table) {
    HeapSize n = table.size() - 1;
    while (n > 0 && choice.split.is_common(table[n], n)) --n;
    return n;
  });
  return facts;
}

TableStatistics table_statistics(const TableReader& table) {
  const HeapSize count = table.info().stats.count;
  const std::optional<sparse::Split> split = split_of(table);
  RareCounter rare;
  StatsCollector counter(select_kernels("auto"));
  Milestones milestones;
  TableStatistics statistics;
  std::vector<Nimber> values;
  for (HeapSize begin = 0; begin < count; begin += values.size()) {
    values.resize(std::min(kStep, count - begin));
    table.read(begin, values);
    const Stretch block{begin, std::span<const Nimber>(values), {}};
    milestones.count(block, counter);
    if (const auto last = last_zero(block)) statistics.last_zero = last;
    for (HeapSize n = begin; split && n < begin + values.size(); ++n) {
      if (n > 0 && !split->is_common(values[n - begin], n)) rare.add(n);
      if (std::has_single_bit(n + 1)) rare.mark_power();
    }
  }
  statistics.whole = table.info().stats;
  HeapStatistics found = milestones.take();
  statistics.milestones = std::move(found.milestones);
  statistics.zeros = std::move(found.zeros);
  if (split) {
    statistics.rare = rare.take({.mask = split->mask, .parity = split->parity, .count = count});
  }
  return statistics;
}

TableStatistics table_statistics(const StatisticsFile& file) {
  const HeapStatistics& found = file.statistics;
  TableStatistics statistics{.whole = file.info.stats,
                             .milestones = found.milestones,
                             .zeros = found.zeros,
                             .last_zero = last_zero(file.info.stats, found),
                             .rare = std::nullopt};
  if (!found.sparse || found.rare_heaps.size() < found.sparse->rare) return statistics;
  RareCounter rare;
  auto next = found.rare_heaps.begin();
  const auto add_below = [&](HeapSize end) {
    for (; next != found.rare_heaps.end() && *next < end; ++next) rare.add(*next);
  };
  for (const TableStats& milestone : found.milestones) {
    add_below(milestone.count);
    rare.mark_power();
  }
  add_below(file.info.stats.count);
  statistics.rare = rare.take(*found.sparse);
  return statistics;
}

}  // namespace grundy
