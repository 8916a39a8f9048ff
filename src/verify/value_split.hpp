/// @file
/// Rare and common heaps of a stored table (the sparse space, Winning Ways ch. 4).
///
/// A mask m and a bit s define f(n) = parity(G(n) & m) xor s (n & 1). For a split a + c = n - k,
/// f(a) xor f(c) = parity((G(a) xor G(c)) & m) xor s ((n - k) & 1): so if a heap n is *common*, an
/// option that has its value splits into one common and one rare heap, and only splits with a rare
/// heap need to be compared. That holds for any m and s; they are chosen so that few heaps are
/// rare, by a Walsh-Hadamard transform of the histogram of values by parity of the heap.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/pair_moves.hpp"
#include "verify/prover.hpp"

namespace grundy {

class ValueSplit {
 public:
  /// The best split for the splitting moves of a rule; nothing if no split spares much.
  static std::optional<ValueSplit> find(const std::vector<PairRun>& runs, StoredValues stored);

  [[nodiscard]] bool common(HeapSize n, Nimber value) const noexcept;
  /// Heaps that are not common, ascending.
  [[nodiscard]] const std::vector<HeapSize>& rare() const noexcept { return rare_; }
  [[nodiscard]] std::string describe() const;

 private:
  Nimber mask_ = 0;
  bool position_ = false;     ///< s
  bool common_class_ = true;  ///< f of common heaps
  std::vector<HeapSize> rare_;
};

}  // namespace grundy
