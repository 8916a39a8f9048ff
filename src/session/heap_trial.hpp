/// @file
/// A trial of a game of one heap: runs the engine on the first heaps for a second at most, and
/// predicts the time of the heaps behind them.
///
/// Two engines have a cost model. The model says how the cost of a heap grows, with forecasts of
/// the rare heaps (engines/heap/cost_forecast.hpp), and the trial says how fast this machine is. An
/// engine that chooses is expected to choose by the same model. The cost of other engines is taken
/// to grow as it did over the last octave of the trial, or as the options do.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/stats.hpp>

#include "core/stopwatch.hpp"
#include "core/value_buffer.hpp"
#include "engines/heap/cost_forecast.hpp"
#include "session/period_search.hpp"
#include "session/setup.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {

class HeapTrial final : private ValueSink {
 public:
  /// Heaps of a trial, at most.
  static constexpr HeapSize kMostHeaps = HeapSize{1} << 24;

  /// Whether the options of a heap of the game grow by a constant factor from octave to octave.
  static bool cost_grows(const HeapSetup& setup);

  /// Runs the engine of the setup, which must outlive the trial, for `heaps` heaps at most.
  HeapTrial(const HeapSetup& setup, HeapSize heaps, std::stop_token stop);

  /// Whether the stop token ended the trial.
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  /// The number of heaps that were computed.
  [[nodiscard]] HeapSize computed() const noexcept { return computed_; }
  [[nodiscard]] TableStats stats() const { return stats_.stats(); }
  [[nodiscard]] const PeriodSearch& search() const noexcept { return search_; }
  /// The number of rare heaps; 0 if the moves have no sparse space.
  [[nodiscard]] std::uint64_t rare() const;
  /// The number of newest values that a search for a return would watch behind the trial; 0 if no
  /// such search can be made.
  [[nodiscard]] HeapSize watched() const;
  /// All values. Empty if the trial keeps the rare heaps instead, which it does only without a
  /// table, to save their memory.
  [[nodiscard]] Values values() const noexcept { return values_ ? values_->values() : Values(); }

  /// What the heaps behind the trial will need.
  struct Outlook {
    double seconds = 0;
    const HeapEngine* engine = nullptr;  ///< the engine at the end
    /// The engine before it, up to heap `change`; null if there is none.
    const HeapEngine* before = nullptr;
    HeapSize change = 0;
  };
  /// The outlook for heaps from .. to-1.
  [[nodiscard]] Outlook outlook(HeapSize from, HeapSize to, RareGrowth growth) const;

 private:
  struct Mark {
    HeapSize heaps;
    double seconds;
  };

  Flow put(const Stretch& block) override;
  /// Keeps what the outlook needs. These are the rare heaps in place of values, if no table is
  /// wanted and the engine knows the rare heaps.
  void keep(const Stretch& block);
  /// The sparse space of the first heaps: counted, or taken from the engine.
  [[nodiscard]] SparseLoad load_of(const TwoHeapMoves& moves, HeapSize heaps) const;
  /// The first mark at `heaps` heaps or more; the last mark if there is none.
  [[nodiscard]] Mark mark_at(HeapSize heaps) const;
  /// The power of the heaps with which the time has grown over the last octave, at least 1.
  [[nodiscard]] double growth() const;
  /// Seconds per heap between the marks next to two numbers of heaps.
  [[nodiscard]] double cost_between(HeapSize from, HeapSize to) const;

  const HeapSetup& setup_;
  PeriodSearch search_;
  StatsCollector stats_;
  std::optional<ValueBuffer> values_{std::in_place};
  std::vector<HeapSize> rare_;  ///< in place of values: the rare heaps,
  Nimber mask_ = 0;             ///< under this mask
  std::optional<SparseFacts> facts_;
  std::vector<Mark> marks_{{0, 0}};
  std::vector<EngineChoice> choices_;
  HeapSize computed_ = 0;
  double seconds_ = 0;
  bool cancelled_ = false;
  Stopwatch time_;
  double begun_;  ///< seconds of the processor that the process had used before
};

}  // namespace grundy
