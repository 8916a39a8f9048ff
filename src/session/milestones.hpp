/// @file
/// What a run without a table leaves besides its statistics: statistics at every power of two, the
/// first P-positions, the rare heaps, and the last values.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include <grundy/sink.hpp>
#include <grundy/statistics.hpp>

#include "theory/stats_collector.hpp"

namespace grundy {

class Milestones {
 public:
  /// Goes on after the heaps of earlier lives. @param newest their last values
  void resume(HeapStatistics earlier, Values newest);
  /// Hands the next block to the counter, and notes the statistics at every power of two.
  void count(const Stretch& block, StatsCollector& counter);
  /// Takes the sparse space as the engine of the block tells it.
  void note_rare(const Stretch& block);
  /// Notes that the run is sealed here.
  void note_seal(const SealedAt& seal);
  /// Notes where the period of the run fails for the last time.
  void note_exception(const LastException& last) { found_.last_exception = last; }
  [[nodiscard]] const HeapStatistics& found() const noexcept { return found_; }
  [[nodiscard]] HeapStatistics take() { return std::move(found_); }

 private:
  void keep_tail(Values newest);

  HeapStatistics found_;
};

/// The largest heap of value 0, as far as `found` tells: from the list, if it has all of them, or
/// from the last values. Nothing if they do not tell it.
std::optional<HeapSize> last_zero(const TableStats& counted, const HeapStatistics& found);

}  // namespace grundy
