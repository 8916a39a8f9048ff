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

/// The heaps below a frontier. An engine gets all values but the last few thousand (the *window*),
/// which it computes again. If a state is sealed, the engine gets only values below the end of the
/// state: the first ones and the newest ones, even if all values are sealed.
class SealedHeaps final : public KnownValues {
 public:
  /// Values behind the last state are computed again, up to this number. If more are sealed, all
  /// values are taken up.
  static constexpr HeapSize kMostBehindState = HeapSize{1} << 27;
  /// The same if all values are sealed, which are taken up faster than they are computed. If they
  /// are no more than this in all, at most a window is computed again: a short life must get beyond
  /// what is sealed.
  static constexpr HeapSize kMostBehindValues = HeapSize{1} << 22;

  /// The window has no more than one in so many heaps, and what is left of a unit.
  static constexpr HeapSize kWindowShare = 16;

  SealedHeaps() = default;
  /// @param segments a chain from its first one on
  /// @param frontier heaps below this are sealed and wanted
  /// @throws Error(kCorrupt) if the text of the state does not match its digest
  SealedHeaps(std::vector<Segment> segments, HeapSize frontier);

  [[nodiscard]] HeapSize frontier() const noexcept { return frontier_; }
  /// The segment of the chain that has heap n. @pre there is one
  [[nodiscard]] const Segment& segment(HeapSize n) const { return segment_of(segments_, n); }
  /// Whether every value below the frontier is sealed.
  [[nodiscard]] bool has_values() const noexcept { return values_.size() == segments_.size(); }
  /// Whether an engine can go on from a state.
  [[nodiscard]] bool has_state() const noexcept { return state_.has_value(); }
  /// Compares the values before the first state with their digests, because an engine that goes on
  /// from a state gets only a few of them. @throws Error(kCorrupt)
  void check_values() const;
  /// Gives an engine all values, as if no state were sealed. @pre has_values()
  void take_values() noexcept { state_.reset(); }
  /// The text of the state. @pre has_state(), here and below
  [[nodiscard]] const std::string& state_text() const noexcept { return state_text_; }
  /// The state holds for the heaps below this.
  [[nodiscard]] HeapSize end_of_state() const noexcept { return state_->header.end(); }
  /// Says what stands for the values that an engine does not get. @param gone begins after the
  /// first values and ends before the newest values; from 0 to end_of_state() if that is not known.
  /// The rare heaps must outlive this.
  void bridge(const Gone& gone);
  /// The number of newest values, before the end of the state, that an engine gets. @pre bridge()
  /// was called
  [[nodiscard]] HeapSize newest() const noexcept { return end_of_state() - gone_->end; }
  /// Appends the last `count` of these values. @throws Error(kCorrupt) if there are fewer
  void read_newest(HeapSize count, ValueBuffer& values) const;

  [[nodiscard]] HeapSize count() const noexcept override;
  [[nodiscard]] std::string_view engine() const noexcept override {
    return segments_.empty() ? std::string_view() : segments_.back().header.engine;
  }
  [[nodiscard]] EngineSlowness slowness() const override { return slowness_; }
  void set_slowness(EngineSlowness slowness) { slowness_ = std::move(slowness); }
  /// There is none if all heaps are computed again.
  [[nodiscard]] const Gone* gone() const noexcept override {
    return gone_ && count() > 0 ? &*gone_ : nullptr;
  }
  void replay(ValueSink& sink) const override;
  /// Appends the values of the window. @throws Error(kCorrupt)
  void read_window(ValueBuffer& values) const;

 private:
  /// Hands over those values `from` .. `to` - 1 that exist.
  void replay(HeapSize from, HeapSize to, ValueSink& sink) const;
  /// Whether the state has values that are sealed nowhere else.
  [[nodiscard]] bool has_own_values() const noexcept { return end_of_state() > end_of_values(); }
  [[nodiscard]] HeapSize end_of_values() const noexcept {
    return values_.empty() ? 0 : values_.back().header.end();
  }

  std::vector<Segment> segments_;
  std::vector<Segment> values_;   ///< the segments that have all values, from the first one on
  std::optional<Segment> state_;  ///< the last state, if it is near the frontier
  std::string state_text_;        ///< the text of the state
  std::optional<Gone> gone_;
  EngineSlowness slowness_;
  HeapSize frontier_ = 0;
};

}  // namespace grundy
