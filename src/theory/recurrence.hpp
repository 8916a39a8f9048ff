/// @file
/// Finds periods of a growing table online: one pass, a nanosecond a value, kilobytes of state.
///
/// A gear hash (h := 2 h + random number of the value) depends on the last 64 values. Of every 4096
/// heaps the one with the least hash is distinguished, so that equal stretches distinguish equal
/// heaps wherever segments begin, mostly. A distinguished heap is looked up by a hash of the 1024
/// values before it. A match at distance p is checked on the table itself, backward as far as it
/// goes, which gives the preperiod, and from then on forward as the table grows. Nothing rests on
/// hashes: they only decide what is compared.
///
/// What is found depends on the values alone, not on how they arrive.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include <grundy/types.hpp>

namespace grundy {

/// G(n + period) = G(n) (with the least such period, once two of them were seen) for first <= n <
/// matched - period, and not for n = first - 1.
struct Recurrence {
  HeapSize first = 0;
  HeapSize period = 0;
  HeapSize matched = 0;
};

class RecurrenceSearch {
 public:
  /// Takes a table that has grown. Returns what recurs up to its end, if anything.
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
  std::uint64_t least_ = 0;  ///< hash in the present segment,
  HeapSize least_at_ = 0;    ///< and the heap after which it was seen
  std::unordered_map<std::uint64_t, HeapSize> distinguished_;  ///< the latest heap by its hash
  unsigned thin_ = 0;  ///< only hashes with so many low zero bits are kept
  std::optional<Recurrence> found_;
  bool reduced_ = false;  ///< its period is the least
};

/// The least period of values that have the period `period` from heap `first` on.
/// @pre table.size() >= first + period
HeapSize least_period(Values table, HeapSize first, HeapSize period);

}  // namespace grundy
