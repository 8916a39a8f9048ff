/// @file
/// The marks of taps in planes, for all splits of a rule at once.
///
/// Only the taps of the first split mark (LaggedSplits), and the planes of the others are its own,
/// some heaps later: many splits cost little more than one.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/taps.hpp"
#include "engines/heap/two_heap_moves.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy::sparse {

template <class T>
class SplitMarks {
 public:
  /// @param splits all splits of the rule
  /// @param taps taps of LaggedSplits(splits).splits, sorted by place
  SplitMarks(const TypedTapKernels<T>& kernels, const std::vector<SplitMove>& splits,
             const std::vector<Tap>& taps);

  /// All taps that these stand for: each tap itself and, for every lag, the one behind it. Sorted
  /// by place.
  [[nodiscard]] std::vector<Tap> marked() const;
  /// Without lags but 0, the planes by mark() are complete.
  [[nodiscard]] bool have_lags() const noexcept { return lags_.size() > 1; }
  /// Marks what the taps reach from the 64 heaps from codes[0] on, in `count` planes.
  void mark(const T* codes, std::uint8_t* planes, std::size_t count) const noexcept {
    kernels_.mark_planes(codes, list_.view(), planes, count);
  }
  /// The same for the last ones of the 64 heaps before codes[0], as many as unite() needs, in
  /// planes that are clear.
  void mark_before(const T* codes, std::uint8_t* planes, std::size_t count) const noexcept;
  /// Marks what they reach under all splits from `heaps` heaps, a multiple of 64. Each 64 heaps
  /// have planes of their own, `stride` bytes behind those before. Takes 64 KiB of the stack.
  void mark_all(const T* codes, std::size_t heaps, std::uint8_t* planes, std::size_t stride,
                std::size_t count) const noexcept;
  /// Adds to the planes of 64 heaps what they reach under all splits.
  /// @param before, own planes by mark(), of the 64 heaps before and of these heaps
  void unite(const std::uint8_t* before, const std::uint8_t* own, std::uint8_t* planes,
             std::size_t count) const noexcept;

 private:
  const TypedTapKernels<T>& kernels_;
  const std::vector<Tap> taps_;
  const TapList list_;
  const std::vector<HeapSize> lags_;
};

}  // namespace grundy::sparse
