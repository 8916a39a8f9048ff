/// @file
/// The search of a fast phase for the least value of the common type that no option has, in the set
/// of codes that taps reach. It is exact, because only rare heaps lead to values of the common
/// type.
///
/// Threads find codes in turn (parallel/turns.hpp). A thread first looks at the *far* taps, whose
/// partners have codes when it takes the turn. When all heaps before the turn have codes, it adds
/// the nearer taps, 64 heaps at a time, and then decides those heaps. There are two ways:
///
/// - *planes*: vectors with 8 codes of a heap hold the sets of 64 heaps. With P planes, R far taps
///   cost R * P / 64 three-way operations for each heap, and fewer table look-ups, or R stores if
///   there are many planes. The taps that find few more codes do not mark: the codes that the
///   others leave open are compared with them, 4 of 16 heaps at a time, and so are the nearer taps.
/// - *words* (codes below 64, few taps): the planes of a heap form one word. A tap is a variable
///   shift for eight heaps at once. This is the fastest way from one heap to the next.
///
/// The least codes that planes do not reach are listed as *candidates*. One vector operation
/// compares 4 candidates of 16 heaps (8 heaps, if a code has two bytes) with a tap within 64. Then
/// these heaps choose all at once, with the taps of the last two groups (kernels/
/// candidate_kernels.cpp). Codes beyond the planes are rare; a heap that may have one is decided
/// with all its taps, one by one.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "kernels/kernels.hpp"
#include "parallel/turns.hpp"

namespace grundy::sparse {

template <class T>
class Exclusion {
 public:
  virtual ~Exclusion() = default;

  /// The most threads that run() at the same time.
  [[nodiscard]] std::size_t threads() const noexcept { return turns_.threads(); }
  /// Begins a block, which follows the one before. Its codes are written to the window, from heap
  /// `from` on, as long as they are below `cap`.
  void begin(const HeapRange& block, HeapIndex from, Nimber cap) noexcept {
    turns_.begin(block.begin, block.end);
    from_ = from;
    cap_ = cap;
  }
  /// Decides turns of the block until none is left.
  void run() noexcept {
    while (const std::optional<Turn> turn = turns_.take()) {
      meet_far(*turn);
      if (!turns_.wait_for(*turn)) return;
      turns_.decided(*turn, decide(*turn));
    }
  }
  /// The end of the block, or the first heap whose code is not below the cap; what the window has
  /// from there on is no code. @pre run() has returned on all threads
  [[nodiscard]] HeapIndex end() const noexcept { return turns_.end(); }

 protected:
  Exclusion(HeapSize turn, std::size_t threads) : turns_(turn, threads) {}

  [[nodiscard]] const Turns& turns() const noexcept { return turns_; }
  [[nodiscard]] Turns& turns() noexcept { return turns_; }
  [[nodiscard]] Nimber cap() const noexcept { return cap_; }
  /// The number of heaps that have codes already, among the `heaps` heaps from n on.
  [[nodiscard]] std::size_t known_of(HeapIndex n, std::size_t heaps) const noexcept {
    return static_cast<std::size_t>(
        std::clamp<HeapIndex>(from_ - n, 0, static_cast<HeapIndex>(heaps)));
  }

 private:
  /// Looks at the taps from offset turns().apart() on.
  virtual void meet_far(const Turn& turn) noexcept = 0;
  /// Writes the codes of the turn. Returns its end, or the first heap without a code below cap().
  virtual HeapIndex decide(const Turn& turn) noexcept = 0;

  Turns turns_;
  HeapIndex from_ = 0;
  Nimber cap_ = 0;
};

/// Makes the exclusion with candidates from planes.
/// @tparam T std::uint8_t or std::uint16_t
/// @param marking the taps of LaggedSplits::splits that mark, sorted by place; all others meet
/// candidates, unless a tap that marks stands for them
/// @param common codes below it get planes
/// @param threads number of threads that may find codes at the same time
template <class T>
std::unique_ptr<Exclusion<T>> make_plane_exclusion(const SparseTable& table,
                                                   const PhaseShape& shape,
                                                   const KernelSet& kernels,
                                                   const std::vector<Tap>& marking, Nimber common,
                                                   SlidingWindow<T>& codes, std::size_t threads);

/// @pre shape.code_limit <= 64
std::unique_ptr<Exclusion<std::uint8_t>> make_word_exclusion(const SparseTable& table,
                                                             const PhaseShape& shape,
                                                             const KernelSet& kernels,
                                                             SlidingWindow<std::uint8_t>& codes,
                                                             std::size_t threads);

}  // namespace grundy::sparse
