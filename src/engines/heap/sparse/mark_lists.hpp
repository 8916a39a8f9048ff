/// @file
/// For rules with many codes: the least codes that taps from offset 64 on do not reach. They are
/// listed as candidates for the heaps of two blocks, the block that is chained and the one after
/// it.
///
/// The taps that are worth it (engines/heap/sparse/tap_ranking.hpp) mark the codes that they reach
/// (engines/heap/sparse/open_codes.hpp). The least codes that stay open are candidates. They are
/// compared with all other taps, in passes. The first pass has eight times as many candidates as
/// the last, and each pass halves their number, so that most taps meet few candidates. If no
/// candidate of a heap is left, its list is made again from the marks of all taps.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/far_parts.hpp"
#include "engines/heap/sparse/open_codes.hpp"
#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/tap_ranking.hpp"
#include "engines/heap/sparse/taps.hpp"
#include "kernels/tap_kernels.hpp"

namespace grundy::sparse {

class MarkLists {
 public:
  using Code = std::uint16_t;

  /// @param limit all listed codes are below it
  MarkLists(const PhaseShape& shape, const TapKernels& kernels, const TapLevels& levels,
            const RankedTaps& ranked, Nimber limit, const SlidingWindow<Code>& codes);

  /// All listed codes are below this.
  [[nodiscard]] Nimber limit() const noexcept { return open_.limit(); }
  /// Number of independent parts of the far work of a block.
  [[nodiscard]] std::size_t far_parts() const noexcept { return parts_.count(); }
  /// Lists the candidates of one part of the block that begins at heap `begin`.
  void far(HeapIndex begin, std::size_t part) noexcept;
  /// The candidates of the 64 heaps from n on, in groups.
  Code* near(HeapIndex n) noexcept {
    Code* const own = at(n);
    kernels_.of<Code>().eliminate(codes_.at(n), levels_.middle.view(), own, 64 / kHeaps);
    return own;
  }

 private:
  static constexpr std::size_t kHeaps = kGroupHeaps<Code>;
  static constexpr std::size_t kList = 64 * kCandidates;
  static constexpr std::size_t kPasses = 4;
  static constexpr std::size_t kLists = std::size_t{1} << (kPasses - 1);
  static constexpr HeapSize kLeastPart = 64;  ///< number of heaps in a part of the far work
  static constexpr HeapSize kMostParts = 8;

  Code* at(HeapIndex n) noexcept {
    return lists_.data() + static_cast<HeapSize>(n) % (2 * block_) * kCandidates;
  }
  /// The place in the lists at which the candidates of heap j of 64 begin, and the distance of
  /// candidate c from there.
  static constexpr std::size_t place(std::size_t j) noexcept {
    return j / kHeaps * kHeaps * kCandidates + j % kHeaps;
  }
  static constexpr std::size_t slot(std::size_t c) noexcept {
    return c / kCandidates * kList + c % kCandidates * kHeaps;
  }
  void list_open(HeapIndex n, std::size_t first, std::size_t part, Code* lists) noexcept;
  static void close_gaps(Code* lists, std::size_t count, std::size_t kept) noexcept;
  void list_from_all(HeapIndex n, std::size_t part, Code* own) noexcept;

  const HeapSize block_;
  const TapKernels& kernels_;
  const TapLevels& levels_;
  const SlidingWindow<Code>& codes_;
  const FarParts parts_;
  std::vector<Tap> far_;                         ///< all taps with partners two blocks back or more
  TapList passes_[kPasses];                      ///< the far taps that do not mark
  OpenCodes open_;                               ///< of the far taps that mark
  std::vector<std::vector<std::uint8_t>> seen_;  ///< by part of the far work and code
  std::vector<Code> lists_;
};

}  // namespace grundy::sparse
