/// @file
/// The proof that the rare values below a heap's value are reached.
///
/// The value of a heap was found as the least value of the common type that no option has. It
/// remains to show that each smaller value of the rare type is the value of an option. A *witness*
/// is such an option.
///
/// *Rows*: for one such value and many heaps at once, OR the bit rows of pairs of common heaps that
/// reach it. The pairs are learned (engines/heap/sparse/learned_plans.hpp).
///
/// *Planes*, for many codes: for 64 heaps and all such values at once, mark the codes that pairs of
/// common heaps reach, if the pairs are worth it (engines/heap/sparse/learned_taps.hpp).
///
/// Values that rows or planes leave open are compared with pairs of codes, many at a time, and with
/// all options of the heap if need be.
///
/// The proof works on complete blocks, so it runs late, beside the search for the next values. A
/// heap that fails is a new rare heap, and all results after it are discarded.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/row_plan.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {

/// @tparam T type of a code, std::uint8_t or std::uint16_t
template <class T>
class Witness {
 public:
  virtual ~Witness() = default;

  /// Takes the codes of the heaps first .. first + heaps - 1, the beginning of a block, so that
  /// they can be partners. Earlier heaps may be checked at the same time.
  virtual void publish(HeapIndex first, std::size_t heaps) noexcept = 0;

  /// Checks `heaps` heaps (a multiple of 64) from `first` on. limits[i] belongs to first + i: rare
  /// codes below it stand for values below that of the heap. Does the part `share` of `shares` of
  /// the work. Returns the first heap for which this part of the work shows a smaller value that no
  /// option has, or first + heaps.
  virtual HeapIndex check(HeapIndex first, const T* limits, std::size_t heaps, std::size_t share,
                          std::size_t shares) noexcept = 0;

  /// The number of codes that rows have left open since the last call; nothing if there are no
  /// rows.
  /// @pre check() is not at work
  virtual std::optional<std::uint64_t> take_open() noexcept { return std::nullopt; }

  /// Makes room for heaps below `end` and one block more. The last two blocks before it can still
  /// be checked.
  virtual void advance(HeapIndex end) = 0;
};

/// @param plans by rare code
/// @param begin the first heap that is checked
template <class T>
std::unique_ptr<Witness<T>> make_row_witness(const SparseTable& table, const PhaseShape& shape,
                                             const KernelSet& kernels,
                                             const std::vector<RowPlan>& plans,
                                             const SlidingWindow<T>& codes, HeapIndex begin);

/// @param pairs pairs of common heaps that mark, as taps of the smaller heap under LaggedSplits
/// @param marked codes below it get planes
/// @param begin the first heap that is checked
std::unique_ptr<Witness<std::uint16_t>> make_plane_witness(
    const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
    const std::vector<Tap>& pairs, Nimber marked, const SlidingWindow<std::uint16_t>& codes,
    HeapIndex begin);

}  // namespace grundy::sparse
