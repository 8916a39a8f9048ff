/// @file
/// Statistics of a finished table of heaps: statistics at every power of two, heaps of value 0, and
/// the rare heaps of its sparse space with the gaps between them.
///
/// One pass with a few chunks of memory. The split into rare and common values is the best one for
/// the first kSplitHeaps heaps (engines/heap/sparse/split.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/statistics.hpp>
#include <grundy/stats.hpp>
#include <grundy/table.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The rare heaps of a table.
struct RareHeaps {
  SparseFacts facts;                 ///< without depth
  std::vector<std::uint64_t> below;  ///< rare heaps below 2^k, for each milestone
  HeapSize largest_gap = 0;          ///< between consecutive rare heaps
  HeapSize gap_after = 0;            ///< the heap before this gap
};

struct TableStatistics {
  TableStats whole;
  std::vector<TableStats> milestones;  ///< of heaps 0 .. 2^k - 1, for every k
  std::vector<HeapSize> zeros;         ///< the first kMilestoneZeros of them
  std::optional<HeapSize> last_zero;   ///< the largest of all of them, if it is known
  std::optional<RareHeaps> rare;       ///< nothing for rules without a sparse space
};

/// Heaps on which the split is chosen.
inline constexpr HeapSize kSplitHeaps = HeapSize{1} << 22;

/// The sparse space of the best split of all these values, without depth; nothing for rules without
/// one. Of at most kSplitHeaps values table_statistics() says the same.
std::optional<SparseFacts> sparse_facts(const HeapRule& rule, Values values);

/// @pre table.info() is of a heap game
/// @throws Error(kCorrupt) if the table is damaged
TableStatistics table_statistics(const TableReader& table);
/// The same for a run without a table.
TableStatistics table_statistics(const StatisticsFile& file);

}  // namespace grundy
