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
/// Outcomes are found in the same way: values above 1 count as 1, so one plane is enough.
///
/// The time is that of one mark for each amount of a row and 64 positions; a mark costs a few
/// operations for each plane of 8 values.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
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

/// What to find: values, or 0 for P-positions and 1 for all others.
enum class MarkedResult : std::uint8_t { kValues, kOutcomes };

/// The box of all positions is far larger than the sorted table, and no small one.
bool box_is_too_large(const LatticeShape& shape) noexcept;

/// What the rows of a slab cost, in operations for a plane.
double work_of_slab(const LatticeRule& rule, const LatticeShape& shape, std::uint32_t slab,
                    MarkedResult result);
/// What all slabs cost; of a large shape an estimate, by smaller ones.
double work_of_marks(const LatticeRule& rule, LatticeShape shape, MarkedResult result);

/// @tparam T the type of a value: std::uint8_t or std::uint16_t
template <class T>
class MarkedRows {
 public:
  /// A plane more of bytes would have the number that stands for no value.
  static constexpr std::size_t kPlanes = sizeof(T) == 1 ? 31 : kMostPlanes;
  /// Values must be below it.
  static constexpr Nimber kValues = kPlanes * kPlaneCodes;

  /// @pre the rule is invariant and has no pass; values are below kValues if they are wanted
  /// @param rule like the kernels, it must outlive this object
  MarkedRows(const LatticeRule& rule, const LatticeShape& shape, const TypedTapKernels<T>& kernels,
             MarkedResult result);

  /// An upper bound of the memory in bytes if no value exceeds `largest`.
  static std::uint64_t bytes(const LatticeRule& rule, const LatticeShape& shape, Nimber largest);

  /// Finds the values of the next slab, in the order of the table, and writes them to `values`. If
  /// a stop is requested, it may return false; then the slab is not complete, nor can another one
  /// be solved.
  bool solve(Executor& executor, const std::stop_token& stop, std::vector<Nimber>& values);
  /// Takes the values of the next slab as they are. @throws Error(kCorrupt) if one is too large
  void take(std::span<const Nimber> values);

 private:
  /// Tokens that a move takes; not only from the last heap.
  struct Amount {
    std::uint64_t offset;  ///< cells from an option to its position
    std::uint32_t second;  ///< from the second heap, if that is not the last one
    std::uint32_t last;    ///< from the last heap
  };
  /// Positions that differ in the last heap only, from 0 tokens on.
  struct Row {
    LatticePoint heaps{};  ///< the last one is 0
    std::size_t cell = 0;  ///< that of its first position
    std::uint32_t length = 0;
    /// The two largest heaps of a sorted table agree. Then an option may lie in the same slab,
    /// although it takes from the first heap.
    bool has_equal_largest = false;
    std::size_t planes = 0;
    /// Plane p of position j is at [(j / 64 * planes + p) * 64 + j % 64].
    std::vector<std::uint8_t> marks;
  };

  void list_amounts();
  /// The number of the cell of a position, whose heaps may be in any order if the table is sorted.
  [[nodiscard]] std::size_t cell_of(const LatticePoint& p) const noexcept;
  /// The row with these heaps.
  void place(Row& row, const LatticePoint& heaps) const noexcept;
  /// The planes of the values that may come soon.
  [[nodiscard]] std::size_t planes_wanted() const noexcept;

  /// Marks the options that have values before the slab begins.
  void mark_early(std::span<Row> rows, std::size_t planes) const;
  /// Marks the options by the amounts from number `begin` to before `end`.
  void mark(std::span<Row> rows, std::size_t begin, std::size_t end) const noexcept;
  void mark(Row& row, std::size_t begin, std::size_t count) const noexcept;
  /// Marks the other options, and finds the values of the row.
  void solve(Row& row, std::vector<Nimber>& values);
  /// The value of the position that is number `k` in the row. @pre those before it have values
  [[nodiscard]] Nimber value_of(const Row& row, std::uint32_t k);
  /// The same by the definition.
  [[nodiscard]] Nimber exact(const LatticePoint& p) const;
  void see(const Row& row, Nimber value) noexcept;
  void write(const Row& row, std::uint32_t k, Nimber value) noexcept;

  const LatticeRule& rule_;
  const LatticeShape shape_;
  const TypedTapKernels<T>& kernels_;
  const MarkedResult result_;
  const std::size_t stride_;  ///< cells of a row
  /// By tokens from the first heap, then from the second one.
  std::vector<Amount> amounts_;
  std::vector<LatticePoint> vectors_;  ///< the same amounts, if there are more than three heaps
  std::vector<std::size_t> first_;     ///< by tokens from the first heap: its first amount
  std::vector<std::uint32_t> steps_;   ///< amounts from the last heap only, ascending
  bool any_step_ = false;              ///< they are all numbers
  std::vector<T, HugePageAllocator<T>> cells_;  ///< values; kNoValue where there is none
  std::uint32_t slab_ = 0;                      ///< the next one
  Nimber largest_ = 0;                          ///< value so far
  std::vector<Row> rows_;                       ///< that are marked side by side
  /// Bits of the values of options within the row.
  std::array<std::uint8_t, kPlanes> seen_{};
};

}  // namespace grundy
