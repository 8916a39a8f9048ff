/// @file
/// Subtraction games with many options and many values, such as squares: the values that the
/// options of a heap have, as a set of bits.
///
/// A *plane* has a bit for each of 8 values, for 64 heaps. An element s of S marks what the 64
/// heaps that lie s below have: a load, a few look-ups in registers and one operation a plane
/// (kernels/tap_kernels.cpp), whatever their values are. For a block of heaps
/// 1. options below the block mark, for a range of elements of S after the other, so that what a
///    range reaches stays in the cache;
/// 2. threads take turns (parallel/turns.hpp): each marks what was decided before its turn, waits
///    for the heaps before it, and marks the rest, 64 heaps at a time;
/// 3. of these, one after the other takes the first value without a mark, and marks it for those
///    behind it.
///
/// Marks are exact and complete, so the value is proved: every smaller value was seen at an option,
/// and it was seen at none. A heap that finds all planes full goes over its options once more.
///
/// Cost for N heaps, |S| options and V values: N |S| V / 512 operations of vectors, or N |S| stores
/// if there are many values. A heap whose value exceeds all planes (4096 values) costs |S| more,
/// and such heaps are found one after the other.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <vector>

#include <grundy/machine.hpp>

#include "core/value_buffer.hpp"
#include "engines/heap/subtraction/solver.hpp"
#include "kernels/tap_kernels.hpp"
#include "parallel/turns.hpp"

namespace grundy {

class PlaneSolver final : public SubtractionSolver {
 public:
  /// The heaps that share the loads of a mark.
  static constexpr HeapSize kGroup = 64;

  /// If `block` is not given, blocks grow with the heaps.
  PlaneSolver(const SubtractionRule& rule, HeapSize count, std::optional<HeapSize> block,
              const TapKernels& kernels, Executor& executor);

  [[nodiscard]] HeapSize block(HeapSize begin) const noexcept override;
  void adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) override;
  void solve(HeapSize begin, ValueBuffer& table) override;

  /// Bytes besides the table for `values` different values.
  static std::uint64_t memory_bytes(const SubtractionRule& rule, HeapSize count,
                                    std::uint64_t values);

 private:
  /// Computes heaps begin .. end-1. Returns the end, or the first heap whose value does not fit
  /// into T.
  template <class T>
  HeapSize solve_heaps(HeapSize begin, HeapSize end, T* values);
  /// Marks the values to which elements s, low <= s < high, lead that every heap of the group from
  /// `first` on can take.
  template <class T>
  void mark(const T* values, HeapSize first, HeapSize low, HeapSize high,
            std::uint8_t* planes) const;
  /// Decides a group, first .. end-1, whose planes have all options outside it that mark() knows.
  /// Returns its end, or the first heap whose value does not fit into T.
  template <class T>
  HeapSize decide(HeapSize first, HeapSize end, T* values, std::uint8_t* planes);
  /// The value of heap n by all of its options.
  template <class T>
  Nimber mex(const T* values, HeapSize n);
  /// Index of the first element of S that is at least `s`.
  [[nodiscard]] std::size_t tap_from(HeapSize s) const noexcept;

  const TapKernels& kernels_;
  Executor& executor_;
  std::optional<HeapSize> block_;  ///< unset: grows with the heaps
  std::vector<HeapSize> taps_;     ///< the elements of S, ascending
  /// By distance: all ones if it is an element of S.
  std::array<std::uint8_t, kGroup> near_{};
  Turns turns_;
  Nimber largest_ = 0;               ///< of all values so far
  std::size_t planes_ = 0;           ///< how many each 64 heaps have
  std::vector<std::uint8_t> marks_;  ///< of the heaps of a block
  std::vector<std::uint8_t> seen_;   ///< by value: whether an option of the last heap has it
};

}  // namespace grundy
