/// @file
/// Finds periods of a growing table online: one pass, a nanosecond a value, kilobytes of state.
///
/// A gear hash (h := 2 h + random number of the value) depends on the last 64 values. Heaps are cut
/// into segments of 4096, and the heap with the least hash in its segment is *distinguished*. Equal
/// stretches of values mostly distinguish equal heaps, wherever the segments begin.
/// A distinguished heap is looked up by a hash of the 1024 values before it. A match at distance p
/// is checked on the table itself: backward as far as it goes, which gives the preperiod, and
/// forward as the table grows. Hashes only decide what is compared; no result rests on them.
///
/// The result depends on the values alone, not on the blocks in which they arrive.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include <grundy/types.hpp>

namespace grundy {

/// G(n + period) = G(n) for first <= n < matched - period, and not for n = first - 1. The period is
/// the least one as soon as two periods have been seen.
struct Recurrence {
  HeapSize first = 0;
  HeapSize period = 0;
  HeapSize matched = 0;
};

class RecurrenceSearch {
 public:
  /// Takes the table again after it has grown. Returns the recurrence up to its end, if there is
  /// one.
  const std::optional<Recurrence>& observe(Values table);

 private:
  template <class T>
  void hash(std::span<const T> table);
  template <class T>
  void hash_segments(std::span<const T> table);
  template <class T>
  void compare(std::span<const T> table);
  template <class T>
  void distinguish(std::span<const T> table, HeapSize heap);
  template <class T>
  bool extend(std::span<const T> table, HeapSize end);

  HeapSize seen_ = 0;
  std::uint64_t gear_ = 0;
  std::uint64_t least_ = 0;  ///< the least hash in the present segment
  HeapSize least_at_ = 0;    ///< the heap after which the least hash was seen
  std::unordered_map<std::uint64_t, HeapSize> distinguished_;  ///< the latest heap by its hash
  unsigned thin_ = 0;  ///< only hashes with at least this many low zero bits are kept
  std::optional<Recurrence> found_;
  bool reduced_ = false;  ///< the period of found_ is the least one
};

/// The least period of values that have the period `period` from heap `first` on.
/// @pre table.size() >= first + period
HeapSize least_period(Values table, HeapSize first, HeapSize period);

}  // namespace grundy
