/// @file
/// How far a run is, as its engine tells it. No input or output happens here.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <grundy/types.hpp>

namespace grundy {

/// One observation of a running computation.
struct Progress {
  HeapSize done = 0;        ///< values that are final; of a search for one, positions searched
  HeapSize total = 0;       ///< values that were asked for; 0 for a search
  double work_done = 0;     ///< by the engine's cost model, in a unit of its own
  double work_total = 1;    ///< the work that the engine expects in total; it may change its mind.
                            ///< Infinite for a search, because nobody can know it
  std::uint64_t bytes = 0;  ///< memory for what a search has learnt
  std::uint64_t most_bytes = 0;  ///< how much of it there may be

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
