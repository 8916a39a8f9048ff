/// @file
/// What proofs of entries cost, so that a range can be cut into ranges that take as long.
///
/// Later entries have more options. Machines that do not speak to each other cut the same table at
/// the same entries, so all of this is arithmetic on integers.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

class ProofCost {
 public:
  /// @param of_entry what an entry costs, in a unit of its own, below 2^48; it is asked for some
  /// thousand entries at most, and neighbours are taken to cost as much
  /// @pre first < end
  ProofCost(HeapSize first, HeapSize end, const std::function<std::uint64_t(HeapSize)>& of_entry);

  /// Where the i-th of `ranges` consecutive ranges begins, which cost about the same and are not
  /// empty; border(ranges, ranges) is the end. @pre i <= ranges <= entries
  [[nodiscard]] HeapSize border(std::uint64_t i, std::uint64_t ranges) const;
  /// What the entries before `entry` cost together. @pre first <= entry <= end
  [[nodiscard]] double before(HeapSize entry) const;

 private:
  __extension__ using Sum = unsigned __int128;
  /// Entries that are taken to cost as much.
  struct Stretch {
    HeapSize begin;
    std::uint64_t each;
    Sum before;  ///< what all earlier entries cost
  };

  HeapSize first_, end_;
  std::vector<Stretch> stretches_;
  Sum whole_ = 0;
};

}  // namespace grundy
