/// @file
/// What is sealed of the first heaps of a run, as an engine takes it up: values, or a state with
/// the first values.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <grundy/known.hpp>

#include "core/value_buffer.hpp"
#include "run/segment.hpp"

namespace grundy {

/// The heaps below a frontier. An engine is given all but the last few thousand (the *window*),
/// which it computes again.
class SealedHeaps final : public KnownValues {
 public:
  SealedHeaps() = default;
  /// @param segments a chain from its first one on
  /// @param frontier heaps below are sealed, and wanted; the end of the last one if it is a state
  /// @throws Error(kCorrupt) if the text of the state does not match its digest
  SealedHeaps(std::vector<Segment> segments, HeapSize frontier);

  [[nodiscard]] HeapSize frontier() const noexcept { return frontier_; }
  /// The chain. @pre a segment has heap n
  [[nodiscard]] const Segment& segment(HeapSize n) const { return segment_of(segments_, n); }
  /// What the last state says besides its values; empty if values are sealed.
  [[nodiscard]] const std::string& state_text() const noexcept { return state_text_; }
  /// Appends the values of the last state, which end with the frontier.
  /// @pre state_text() is not empty
  void read_state(ValueBuffer& values) const;
  /// Says what stands for the values that are gone, of heaps below count(). Of the gap itself the
  /// ends are set here. The rare heaps must outlive this. @pre state_text() is not empty
  void bridge(const Gap& gap);

  [[nodiscard]] HeapSize count() const noexcept override;
  [[nodiscard]] std::string_view engine() const noexcept override {
    return segments_.empty() ? std::string_view() : segments_.back().header.engine;
  }
  [[nodiscard]] EngineSlowness slowness() const override { return slowness_; }
  void set_slowness(EngineSlowness slowness) { slowness_ = std::move(slowness); }
  [[nodiscard]] const Gap* gap() const noexcept override { return gap_ ? &*gap_ : nullptr; }
  void replay(ValueSink& sink) const override { replay(0, count(), sink); }
  /// Appends the values of the window. @throws Error(kCorrupt)
  void read_window(ValueBuffer& values) const;

 private:
  /// Hands over those of the values `from` .. `to` - 1 that are there.
  void replay(HeapSize from, HeapSize to, ValueSink& sink) const;

  std::vector<Segment> segments_;
  std::vector<Segment> values_;   ///< those before the first state
  std::optional<Segment> state_;  ///< the last one, if it is a state,
  std::string state_text_;        ///< and its text
  std::optional<Gap> gap_;
  EngineSlowness slowness_;
  HeapSize frontier_ = 0;
};

}  // namespace grundy
