/// @file
/// The least preperiod of a period that was proved without a table: the values are computed again
/// where they are needed, from the states that the run has sealed.
///
/// Let the sequence repeat with p from heap h on, let W be the window of the certificate, and r the
/// last rare heap. The sequence repeats from heap s > r on if and only if W values from s on equal
/// the W values from s + p on. So one seal is judged by 2 W values, and bisection finds the last
/// seal that fails. No preperiod e is r or less: otherwise heap r + p would have the value of heap
/// r, and with it its rare type. (For r = 0 that is heap 0, whose value is of the rare type.)
///
/// Between that seal and the next one both sequences, p apart, are computed piece by piece and
/// their digests are compared. The last piece that differs is computed again and compared value by
/// value. The W values behind it prove that it was the last one.
///
/// Cost: let g be the largest distance between neighbouring seals, and S the number of seals. The
/// bisection has log2 S steps of at most 2 (g + W) values, and the end takes 8 g + 2 W values. (An
/// interval of more than 2^38 heaps takes one more round.) Memory: W values, 2^22 values and the
/// digests.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>

#include <grundy/progress.hpp>
#include <grundy/sink.hpp>
#include <grundy/types.hpp>

#include "theory/return_search.hpp"

namespace grundy {

/// Computes values of a run once more.
class Recomputation {
 public:
  virtual ~Recomputation() = default;
  /// Hands the values of heaps begin .. end - 1 to `sink`, in blocks in ascending order. Computes
  /// them from the last seal at `begin` or before it.
  /// @param progress hears which heap has been reached; null if nobody asks
  virtual RunStatus compute(HeapSize begin, HeapSize end, ValueSink& sink,
                            ProgressSink* progress) = 0;
};

/// The least preperiod, and the last exception before it.
struct Preperiod {
  HeapSize preperiod = 0;
  Nimber value = 0;  ///< of the last exception, heap preperiod - 1; 0 if the preperiod is 0
  Nimber later = 0;  ///< of the heap one period after the last exception

  friend bool operator==(const Preperiod&, const Preperiod&) = default;
};

/// @param seals the heaps at which the states are sealed, ascending
/// @param progress hears how many heaps have been computed again, and about how many will be
/// @return nothing if a computation was cancelled
/// @throws Error(kMismatch) if the values contradict the return, and what `values` throws
std::optional<Preperiod> find_preperiod(const Return& found, HeapSize largest_take,
                                        std::span<const HeapSize> seals, Recomputation& values,
                                        ProgressSink* progress = nullptr);

}  // namespace grundy
