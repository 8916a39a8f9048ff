/// @file
/// The cost of proving entries, so that a range can be cut into ranges that take equally long.
///
/// Later entries have more options. Machines that do not communicate must cut the same table at the
/// same entries, so all of this is arithmetic on integers.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

class ProofCost {
 public:
  /// @param of_entry the cost of an entry, in a unit of its own, below 2^48. It is called for some
  /// thousand entries at most; neighbours are assumed to cost the same
  /// @pre first < end
  ProofCost(HeapSize first, HeapSize end, const std::function<std::uint64_t(HeapSize)>& of_entry);

  /// The beginning of range i of `ranges` consecutive ranges, which cost about the same and are not
  /// empty; border(ranges, ranges) is the end. @pre i <= ranges <= entries
  [[nodiscard]] HeapSize border(std::uint64_t i, std::uint64_t ranges) const;
  /// The total cost of the entries before `entry`. @pre first <= entry <= end
  [[nodiscard]] double before(HeapSize entry) const;

 private:
  __extension__ using Sum = unsigned __int128;
  /// Entries that are assumed to cost the same.
  struct Stretch {
    HeapSize begin;
    std::uint64_t each;
    Sum before;  ///< cost of all earlier entries
  };

  HeapSize first_, end_;
  std::vector<Stretch> stretches_;
  Sum whole_ = 0;
};

}  // namespace grundy
