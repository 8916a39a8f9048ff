/// @file
/// What later heaps and the statistics of a run depend on, besides the values that its engine
/// keeps: the text of a state that is sealed where no values are (run/segment.hpp). The state of a
/// file of statistics has these values, too.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <grundy/statistics.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

#include "core/value_buffer.hpp"
#include "kernels/kernels.hpp"
#include "run/sealed_heaps.hpp"
#include "session/milestones.hpp"
#include "theory/newest_values.hpp"
#include "theory/return_search.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {

/// Of heaps 0 .. stats.count - 1.
struct RunState {
  SparseFacts facts;
  std::vector<HeapSize> rare;  ///< all rare heaps, ascending, without heap 0
  TableStats stats;
  Digest128 whole_sections{};            ///< ValueDigest::whole_sections()
  HeapStatistics statistics;             ///< milestones, zeros and seals
  std::optional<ReturnState> returns{};  ///< of the search for a period, if there is one
  /// Where the engine has all values of the first heaps, and how many of the newest ones it has. 0
  /// in older states, which have these values and no others.
  HeapSize end_of_first = 0, newest = 0;
  /// These values, if the state stands alone and was read. Those of a run directory lie in its
  /// segments.
  NewestValues first_values{}, newest_values{};

  /// What is known of the heaps below `end`. @pre end <= stats.count
  [[nodiscard]] SparseFacts facts_below(HeapSize end) const;

  friend bool operator==(const RunState&, const RunState&) = default;
};

/// Reads the state in which `heaps` end, so that an engine can go on there.
/// @param state what it says; the heaps refer to its rare heaps
/// @throws Error(kCorrupt) if it contradicts itself
void bridge(SealedHeaps& heaps, RunState& state);

/// The same, and the statistics go on there too.
/// @param newest gets the newest values, as many as RunState::returns needs at least
/// @return the counter of all heaps below the frontier
/// @throws Error(kCorrupt) if the state contradicts itself or its values
StatsCollector take_up(SealedHeaps& heaps, const KernelSet& kernels, RunState& state,
                       Milestones& milestones, ValueBuffer& newest);

/// One line of JSON, with the bytes of values behind it.
/// @param first the values of heaps before RunState::end_of_first, and `newest` as many as
///   RunState::newest says, if the state is to stand alone
std::string to_text(const RunState& state, Values first = {}, Values newest = {});

/// The inverse. @throws Error(kCorrupt) if it is none of heaps 0 .. count - 1
RunState parse_run_state(const std::string& text, HeapSize count);

}  // namespace grundy
