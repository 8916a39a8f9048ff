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
  explicit RareCounter(const sparse::Split& split) : split_(split) {}

  void add(HeapSize begin, std::span<const Nimber> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const HeapSize n = begin + i;
      if (n > 0 && !split_.is_common(values[i], n)) add_rare(n);
      if (std::has_single_bit(n + 1)) rare_.below.push_back(rare_.facts.rare);
    }
    rare_.facts.count = begin + values.size();
  }

  [[nodiscard]] RareHeaps take() {
    rare_.facts.mask = split_.mask;
    rare_.facts.position = split_.position;
    return std::move(rare_);
  }

 private:
  void add_rare(HeapSize n) {
    SparseFacts& facts = rare_.facts;
    const HeapSize gap = n - facts.last_rare;
    if (facts.rare > 0 && gap > rare_.largest_gap) {
      rare_.largest_gap = gap;
      rare_.gap_after = facts.last_rare;
    }
    ++facts.rare;
    facts.last_rare = n;
  }

  sparse::Split split_;
  RareHeaps rare_;
};

}  // namespace

TableStatistics table_statistics(const TableReader& table) {
  const HeapSize count = table.info().stats.count;
  const std::optional<sparse::Split> split = split_of(table);
  std::optional<RareCounter> rare;
  if (split) rare.emplace(*split);
  Milestones milestones(select_kernels("auto"));
  std::vector<Nimber> values;
  for (HeapSize begin = 0; begin < count; begin += values.size()) {
    values.resize(std::min(kStep, count - begin));
    table.read(begin, values);
    milestones.put({begin, std::span<const Nimber>(values), {}});
    if (rare) rare->add(begin, values);
  }
  TableStatistics statistics;
  statistics.whole = table.info().stats;
  statistics.milestones = milestones.take_milestones();
  statistics.zeros = milestones.take_zeros();
  if (rare) statistics.rare = rare->take();
  return statistics;
}

}  // namespace grundy
