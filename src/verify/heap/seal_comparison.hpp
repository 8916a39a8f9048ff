/// @file
/// What an engine finds between two seals of a run, compared with what is sealed: values, rare
/// heaps, statistics.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/sink.hpp>
#include <grundy/statistics.hpp>
#include <grundy/verify.hpp>

#include "core/digest.hpp"
#include "run/segment.hpp"
#include "session/milestones.hpp"
#include "session/run_state.hpp"
#include "theory/stats_collector.hpp"
#include "verify/heap/pair_moves.hpp"
#include "verify/heap/state_period.hpp"
#include "verify/heap/value_split.hpp"

namespace grundy {

using Segments = std::vector<Segment>;

/// Heaps first .. end-1, whose values follow from the segments below `before`.
struct Interval {
  std::size_t before;  ///< number of segments that are known; 0: the interval begins with heap 0
  std::size_t state;   ///< number of the state that ends it
  HeapSize first;
  HeapSize end;

  [[nodiscard]] bool is_first() const noexcept { return before == 0; }
};

/// Compares the rare heaps that a state lists with those among the values of the heaps below it.
class RareComparison {
 public:
  /// Both arguments must outlive this. @pre the moves split heaps
  RareComparison(const PairMoves& moves, const RunState& state)
      : split_(moves, state.facts.mask, state.facts.parity), state_(state) {}

  void put(const Stretch& block) {
    block.values.visit([&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const HeapSize heap = block.begin + i;
        if (heap == 0 || split_.common(heap, values[i])) continue;
        same_ = same_ && found_ < state_.rare.size() && state_.rare[found_] == heap;
        ++found_;
      }
    });
  }
  [[nodiscard]] bool same() const noexcept { return same_ && found_ == state_.rare.size(); }

 private:
  ValueSplit split_;
  const RunState& state_;
  std::size_t found_ = 0;
  bool same_ = true;
};

/// Counts the values that an engine finds and compares them with the sealed ones.
class SealComparison final : public ValueSink {
 public:
  /// @param period its claim about all heaps is compared too; null if no period is claimed
  /// @param rare the rare heaps of the state at the end are compared; null if the engine tells them
  SealComparison(const Segments& segments, const Interval& interval, StatsCollector& counter,
                 Milestones& milestones, const StatePeriod* period, RareComparison* rare)
      : sealed_(segments.begin(),
                segments.begin() + static_cast<std::ptrdiff_t>(interval.state) + 1),
        counter_(counter),
        milestones_(milestones),
        period_(period),
        rare_(rare) {
    // Keep the values that are sealed in the interval, and those just before it that are computed
    // again.
    std::erase_if(sealed_, [&](const Segment& segment) {
      const bool near = segment.header.end() >= interval.first;
      return segment.header.is_state() && !near;
    });
  }

  Flow put(const Stretch& block) override {
    for (const Segment& segment : sealed_) {
      if (!compare(segment, block)) return Flow::kStop;
    }
    const HeapSize counted = counter_.stats().count;
    if (block.end() > counted) {
      const Stretch fresh = block.from(counted);
      milestones_.count(fresh, counter_);
      if (rare_ != nullptr) rare_->put(fresh);
    }
    milestones_.note_rare(block);
    return period_ == nullptr || obeys_period(block) ? Flow::kContinue : Flow::kStop;
  }
  [[nodiscard]] const std::optional<WrongValue>& wrong() const noexcept { return wrong_; }

 private:
  /// Compares the values of the block that the segment has.
  bool compare(const Segment& segment, const Stretch& block) {
    const HeapSize first = std::max(segment.header.first(), block.begin);
    const HeapSize end = std::min(segment.header.end(), block.end());
    if (first >= end) return true;
    values_.resize(end - first);
    reader_of(segment).read(first, values_);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Nimber found = block.values[first + i - block.begin];
      if (found == values_[i]) continue;
      wrong_ = {first + i, fmt::format("heap {} was sealed with {} in '{}', and its value is {}",
                                       first + i, values_[i], segment.path.string(), found)};
      return false;
    }
    return true;
  }

  /// Several states may hold newest values of one block, so their readers are kept. Segments of
  /// values are read one after another and may be many, so one reader is kept for them.
  SegmentReader& reader_of(const Segment& segment) {
    if (!segment.header.has_values()) {
      return states_.try_emplace(segment.header.index, segment).first->second;
    }
    if (!reader_ || reader_->segment().header.index != segment.header.index) {
      reader_.emplace(segment);
    }
    return *reader_;
  }

  bool obeys_period(const Stretch& block) {
    return block.values.visit([&](auto values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (period_->allows(block.begin + i, values[i])) continue;
        wrong_ = period_->rare_heap(block.begin + i);
        return false;
      }
      return true;
    });
  }

  Segments sealed_;
  StatsCollector& counter_;
  Milestones& milestones_;
  const StatePeriod* period_;
  RareComparison* rare_;
  std::map<std::uint64_t, SegmentReader> states_;  ///< by number in the chain
  std::optional<SegmentReader> reader_;            ///< of the values that were read last
  std::vector<Nimber> values_;
  std::optional<WrongValue> wrong_;
};

inline constexpr const char* kOtherRareHeaps =
    "has another list of rare heaps than the values below it";

/// The first difference between two states at one heap, as a clause; empty if there is none.
inline std::string difference(const TableStats& found, const Milestones& milestones,
                              const RunState& sealed) {
  if (found.digest != sealed.stats.digest) {
    return fmt::format("has the digest {}, and the values below it have {}",
                       to_hex(sealed.stats.digest), to_hex(found.digest));
  }
  if (found != sealed.stats) return "has other statistics than the values below it";
  const HeapStatistics& lists = milestones.found();
  if (lists.milestones != sealed.statistics.milestones || lists.zeros != sealed.statistics.zeros) {
    return "has other statistics at powers of two than the values below it";
  }
  const auto listed = std::min(sealed.rare.size(), lists.rare_heaps.size());
  if (lists.sparse && lists.sparse->mask == sealed.facts.mask &&
      (lists.sparse->rare != sealed.rare.size() ||
       !std::equal(lists.rare_heaps.begin(),
                   lists.rare_heaps.begin() + static_cast<std::ptrdiff_t>(listed),
                   sealed.rare.begin()))) {
    return kOtherRareHeaps;
  }
  return {};
}

}  // namespace grundy
