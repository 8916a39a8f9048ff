/// @file
/// How far a run is, as its engine tells it. No input or output happens here.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/types.hpp>

namespace grundy {

/// One observation of a running computation.
struct Progress {
  HeapSize done = 0;      ///< values that are final
  HeapSize total = 0;     ///< values that were asked for
  double work_done = 0;   ///< by the engine's cost model, in a unit of its own
  double work_total = 1;  ///< the work that the engine expects in total; it may change its mind

  /// How much of the work is done, in [0, 1].
  [[nodiscard]] double share() const noexcept { return work_done / work_total; }
};

/// Receives observations, at least one for every block. Called by one thread at a time.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void report(const Progress& progress) = 0;
};

}  // namespace grundy
