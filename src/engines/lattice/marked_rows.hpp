/// @file
/// Values of an invariant game, whose moves are the same amounts wherever the heaps allow them
/// (E. Duchene and M. Rigo, Invariant games, Theoretical Computer Science 411, 2010). Then an
/// amount leads from all positions of a *row*, which differ in one heap only, to consecutive
/// positions of another row. So 64 positions look at the option of one amount at once: each amount
/// is a tap (kernels/tap_kernels.hpp), and marks the values of its 64 options in planes of bits. A
/// position has the least value that neither planes nor options within its own row hold.
///
/// Rows that have the same first heap, which form a *slab*, are marked side by side with the
/// amounts that reduce it. The other amounts are marked row after row.
///
/// In a sorted table the heaps of a position descend here, so a slab has one size of the largest
/// heap. Options need not be sorted: a value is written wherever its heaps lie in some order. An
/// option that is the same position as an earlier one of the row may have no value yet when the row
/// is marked. It agrees with that one in all heaps but the last, and the rule is symmetric: so it
/// is an option within the row, too.
///
/// The time is that of one mark for each amount of a row and 64 positions; a mark costs a few
/// operations for each plane of 8 values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/machine.hpp>
#include <grundy/types.hpp>

#include "core/huge_pages.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy {

class MarkedRows {
 public:
  /// Values must be below it.
  static constexpr Nimber kValues = kMostPlanes * kPlaneCodes;

  /// @pre the rule is invariant and has no pass, and no play from the largest position has kValues
  /// moves
  /// @param rule like the kernels, it must outlive this object
  MarkedRows(const LatticeRule& rule, const LatticeShape& shape,
             const TypedTapKernels<std::uint16_t>& kernels);

  /// An upper bound of the memory in bytes if no value exceeds `largest`.
  static std::uint64_t bytes(const LatticeRule& rule, const LatticeShape& shape, Nimber largest);

  /// By slab: what a run costs until it begins; and what a run costs.
  static std::vector<double> work_before_slabs(const LatticeRule& rule, const LatticeShape& shape);

  /// Finds the values of the next slab, in the order of the table, and writes them to `values`.
  /// Returns whether it has found them; if a stop is requested, it may not have.
  bool solve(Executor& executor, const std::stop_token& stop, std::vector<Nimber>& values);
  /// Takes the values of the next slab as they are.
  void take(std::span<const Nimber> values);

 private:
  using Code = std::uint16_t;

  /// Positions that differ in the last heap only, from 0 tokens on.
  struct Row {
    LatticePoint heaps{};  ///< the last one is 0
    std::size_t cell = 0;  ///< that of its first position
    std::uint32_t length = 0;
    bool is_last = false;             ///< of a slab of a sorted table: its two largest heaps agree
    std::size_t planes = 0;           ///< of 8 values each, for each 64 of its positions
    std::vector<std::uint8_t> marks;  ///< code c of position j is as for TypedTapKernels
    std::vector<std::uint64_t> early, late;  ///< offsets of options in other rows
    std::vector<std::uint32_t> steps;        ///< tokens of moves within the row, ascending
  };

  /// The number of the cell of a position, whose heaps may be in any order if the table is sorted.
  [[nodiscard]] std::size_t cell_of(const LatticePoint& p) const noexcept;
  /// The row with these heaps.
  void place(Row& row, const LatticePoint& heaps) const noexcept;
  /// Lists the moves of the row, and marks the options that have values before the slab begins.
  void mark_early(Row& row, std::size_t planes) const;
  void mark(Row& row, const std::vector<std::uint64_t>& offsets) const noexcept;
  /// Marks the other options, and finds the values of the row.
  void solve(Row& row, std::vector<Nimber>& values);
  /// The value of the position that is number `k` in the row. @pre its options have values
  [[nodiscard]] Nimber value_of(const Row& row, std::uint32_t k);
  /// The same by the definition.
  [[nodiscard]] Nimber exact(LatticePoint p);
  void write(const Row& row, std::uint32_t k, Nimber value) noexcept;

  const LatticeRule& rule_;
  const LatticeShape shape_;
  const TypedTapKernels<Code>& kernels_;
  std::size_t stride_ = 0;                            ///< cells of a row
  std::vector<Code, HugePageAllocator<Code>> cells_;  ///< values; kNoValue where there is none
  std::uint32_t slab_ = 0;                            ///< the next one
  Nimber largest_ = 0;                                ///< value so far
  std::vector<Row> rows_;                             ///< that are marked side by side
  std::vector<std::uint8_t> seen_;                    ///< bits of values, for one position
};

}  // namespace grundy
