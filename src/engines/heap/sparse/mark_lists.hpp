/// @file
/// The least codes that taps from offset 64 on do not reach, where codes are many: lists of
/// candidates for the heaps of two blocks, the one that is decided and the one after it.
///
/// The taps that are worth it (engines/heap/sparse/tap_ranking.hpp) mark the codes that they reach, a byte
/// each. Of what they leave open the least codes are candidates: eight times as many as in the end
/// meet the taps that rank next, by comparison, half of those the next taps, and so on until the
/// last ones meet all that are left. A list that all
/// taps have met is made anew from all marks if nothing of it is left.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/plan.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"
#include "engines/heap/sparse/window.hpp"
#include "kernels/mark_kernels.hpp"

namespace grundy::sparse {

class MarkLists {
 public:
  using Code = std::uint16_t;

  /// @param limit codes that are listed are below
  MarkLists(const PhaseShape& shape, const SparseKernels& kernels, const TapLevels& levels,
            const MarkKernels& marks, const RankedTaps& ranked, Nimber limit,
            const SlidingWindow<Code>& codes);

  /// Codes that are listed are below.
  [[nodiscard]] Nimber limit() const noexcept { return static_cast<Nimber>(64 * words_); }
  /// Number of independent parts of the far work of a block.
  [[nodiscard]] std::size_t far_parts() const noexcept { return parts_.size(); }
  /// Lists the candidates of one part of the block that begins at heap `begin`.
  void far(HeapIndex begin, std::size_t part) noexcept;
  /// The candidates of the 64 heaps from n on, in groups.
  Code* near(HeapIndex n) noexcept {
    Code* const own = at(n);
    kernels_.eliminate(codes_.at(n), levels_.middle.view(), own, 64 / kHeaps);
    return own;
  }

 private:
  static constexpr std::size_t kHeaps = kGroupHeaps<Code>;
  static constexpr std::size_t kList = 64 * kCandidates;
  static constexpr std::size_t kStages = 4;
  static constexpr std::size_t kLists = std::size_t{1} << (kStages - 1);
  static constexpr HeapSize kLeastPart = 64;  ///< heaps per part of the far work
  static constexpr HeapSize kMostParts = 8;

  /// What one part of the far work needs for itself.
  struct Part {
    std::vector<std::uint8_t> marks;  ///< of kMarkHeaps heaps
    std::vector<std::uint64_t> open;  ///< their open codes, a bit each
    std::vector<std::uint8_t> seen;   ///< by code
  };

  Code* at(HeapIndex n) noexcept {
    return lists_.data() + static_cast<HeapSize>(n) % (2 * block_) * kCandidates;
  }
  /// Where the candidates of heap j of 64 begin in the lists, and how far from there the c-th is.
  static constexpr std::size_t place(std::size_t j) noexcept {
    return j / kHeaps * kHeaps * kCandidates + j % kHeaps;
  }
  static constexpr std::size_t slot(std::size_t c) noexcept {
    return c / kCandidates * kList + c % kCandidates * kHeaps;
  }
  void list(HeapIndex n, std::size_t first, Part& part, Code* lists) const noexcept;
  static void close_gaps(Code* lists, std::size_t count, std::size_t kept) noexcept;
  void list_from_all(HeapIndex n, Part& part, Code* own) const noexcept;

  const HeapSize block_;
  const SparseTypedKernels<Code>& kernels_;
  const MarkKernels& mark_kernels_;
  const TapLevels& levels_;
  const SlidingWindow<Code>& codes_;
  const std::size_t words_;
  const std::size_t stride_;
  std::vector<std::uint64_t> marked_offsets_;
  std::vector<Code> marked_codes_;
  TapList stages_[kStages];
  std::vector<Tap> far_;
  HeapSize part_;
  std::vector<Part> parts_;
  std::vector<Code> lists_;
};

}  // namespace grundy::sparse
