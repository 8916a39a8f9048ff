/// @file
/// Values of a run whose engine has let them go: read where they are sealed, or computed again from
/// sealed states.
// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include <grundy/hooks.hpp>
#include <grundy/sink.hpp>
#include <grundy/types.hpp>

#include "run/segment.hpp"
#include "session/setup.hpp"
#include "theory/preperiod_search.hpp"

namespace grundy {

/// The run may be at work meanwhile: nothing in its directory is changed.
class SealedRecomputation final : public Recomputation {
 public:
  /// @param setup of a run with `stats_only`; setup and hooks must outlive this
  /// @param segments the chain of the run
  SealedRecomputation(const HeapSetup& setup, std::vector<Segment> segments, const Hooks& hooks)
      : setup_(setup), segments_(std::move(segments)), hooks_(hooks) {}

  /// The heaps at which states are sealed, and more heaps where values are sealed; ascending.
  [[nodiscard]] std::vector<HeapSize> seals() const;
  /// Reads the values that are sealed, and computes the others from the last state before them.
  /// @throws Error(kCorrupt) if a segment is damaged
  RunStatus compute(HeapSize begin, HeapSize end, ValueSink& sink, ProgressSink* progress) override;

 private:
  const HeapSetup& setup_;
  std::vector<Segment> segments_;
  const Hooks& hooks_;
};

}  // namespace grundy
