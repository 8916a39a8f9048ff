/// @file
/// What later heaps and the statistics of a run depend on, besides the values that its engine
/// keeps. It is the text of a state, which is sealed where no values are sealed (run/segment.hpp).
/// The state in a file of statistics has these values, too.
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

/// The state of heaps 0 .. stats.count - 1.
struct RunState {
  SparseFacts facts;
  std::vector<HeapSize> rare;  ///< all rare heaps, ascending, without heap 0
  TableStats stats;
  Digest128 whole_sections{};            ///< ValueDigest::whole_sections()
  HeapStatistics statistics;             ///< milestones, zeros and seals
  std::optional<ReturnState> returns{};  ///< of the search for a period, if there is a search
  /// The heap below which the engine has all first values, and the number of newest values that it
  /// has. 0 in older states, which have these values and no others.
  HeapSize end_of_first = 0, newest = 0;
  /// These values, if the state stands alone and was read. For a run directory, they lie in its
  /// segments.
  NewestValues first_values{}, newest_values{};

  /// What is known of the heaps below `end`. @pre end <= stats.count
  [[nodiscard]] SparseFacts facts_below(HeapSize end) const;

  friend bool operator==(const RunState&, const RunState&) = default;
};

/// Reads the state at the end of `heaps`, so that an engine can go on there.
/// @param state receives the state; the heaps refer to its rare heaps
/// @throws Error(kCorrupt) if the state contradicts itself
void bridge(SealedHeaps& heaps, RunState& state);

/// Like bridge(), and the statistics go on there, too.
/// @param newest receives the newest values, at least as many as RunState::returns needs
/// @return the counter of all heaps below the frontier
/// @throws Error(kCorrupt) if the state contradicts itself or its values
StatsCollector take_up(SealedHeaps& heaps, const KernelSet& kernels, RunState& state,
                       Milestones& milestones, ValueBuffer& newest);

/// One line of JSON, with the bytes of values behind it. A state that stands alone has values.
/// @param first the values of heaps before RunState::end_of_first, if the state stands alone
/// @param newest the newest RunState::newest values, if the state stands alone
std::string to_text(const RunState& state, Values first = {}, Values newest = {});

/// The inverse. @throws Error(kCorrupt) if it is no state of heaps 0 .. count - 1
RunState parse_run_state(const std::string& text, HeapSize count);

}  // namespace grundy
