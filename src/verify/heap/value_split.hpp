/// @file
/// Rare and common heaps of a stored table (the sparse space, Winning Ways ch. 4).
///
/// A mask m and a bit s define f(n) = parity(G(n) & m) xor s (n & 1). A split a + c = n - k has
/// f(a) xor f(c) = parity((G(a) xor G(c)) & m) xor s ((n - k) & 1). So if a heap n is *common*, an
/// option that has its value splits into one common and one rare heap, and only splits with a rare
/// heap need to be compared. This holds for any m and s. They are chosen so that few heaps are
/// rare, by a Walsh-Hadamard transform of the histogram of values by parity of the heap.
///
/// The sparse engine has the same idea in engines/heap/sparse/split.hpp. The code is written twice
/// on purpose: the proof must not repeat a mistake of the engine.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verify/heap/pair_moves.hpp"
#include "verify/prover.hpp"

namespace grundy {

class ValueSplit {
 public:
  /// The split with mask m, and with s = 1 if `position`; it lists no rare heaps.
  /// @pre moves.one_parity() if `position`
  ValueSplit(const PairMoves& moves, Nimber mask, bool position) noexcept;

  /// The best split of the values for the moves; nothing if no split saves much work.
  static std::optional<ValueSplit> find(const PairMoves& moves, StoredValues stored);

  /// Whether the heap is common if it has this value.
  [[nodiscard]] bool common(HeapSize n, Nimber value) const noexcept {
    const bool f = (__builtin_parity(value & mask_) != 0) != (position_ && n % 2 != 0);
    return f == common_class_;
  }
  /// The heaps that are not common, ascending. @pre find() made the split
  [[nodiscard]] const std::vector<HeapSize>& rare() const noexcept { return rare_; }
  [[nodiscard]] std::string describe() const;

 private:
  Nimber mask_;
  bool position_;      ///< s
  bool common_class_;  ///< f of common heaps
  std::vector<HeapSize> rare_;
};

}  // namespace grundy
