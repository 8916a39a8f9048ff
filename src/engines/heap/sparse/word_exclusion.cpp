// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "engines/heap/sparse/exclusion.hpp"
#include "kernels/code_kernels.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

/// Heaps meet far taps in groups: of kWholeGroup if at most kFewTaps taps lie within 64 heaps, else
/// of kPartOfWord. A heap meets the taps that lie within its group alone, because vectors of codes
/// would wait for single codes to be stored.
constexpr HeapSize kPartOfWord = 8;
constexpr HeapSize kWholeGroup = 64;
constexpr std::size_t kFewTaps = 8;

/// A turn takes a thread 20 to 40 us, so that the first heaps of the next one, whose codes the
/// other thread has written, do not count.
constexpr HeapSize kWordTurn = 4096;
constexpr std::size_t kMostWordThreads = 2;

HeapSize group_of(const SparseTable& table) {
  const std::size_t within = std::ranges::count_if(
      all_taps(table), [](const Tap& tap) { return tap.offset < kWholeGroup; });
  return within <= kFewTaps ? kWholeGroup : kPartOfWord;
}

class WordExclusion final : public Exclusion<std::uint8_t> {
 public:
  WordExclusion(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
                SlidingWindow<std::uint8_t>& codes, std::size_t threads)
      : Exclusion(kWordTurn, std::min(threads, kMostWordThreads)),
        tap_kernels_(kernels.taps.of<std::uint8_t>()),
        kernels_(kernels.codes),
        codes_(codes),
        group_(group_of(table)),
        levels_(all_taps(table), group_),
        nearest_(levels_.nearest),
        count_(planes_for(shape.code_limit)),
        planes_(turns().threads() * kWordTurn * count_) {
    const TapParts parts(levels_.from_64, turns().apart());
    near_ = TapList(parts.below);
    far_ = TapList(parts.from);
  }

 private:
  void meet_far(const Turn& turn) noexcept override {
    std::fill_n(planes(turn, turn.begin), static_cast<std::size_t>(turn.end - turn.begin) * count_,
                std::uint8_t{0});
    for (HeapIndex n = turn.begin; n < turn.end; n += 64) {
      tap_kernels_.mark_planes(codes_.at(n), far_.view(), planes(turn, n), count_);
    }
  }
  HeapIndex decide(const Turn& turn) noexcept override {
    for (HeapIndex n = turn.begin; n < turn.end; n += 64) {
      std::uint8_t* const own = planes(turn, n);
      tap_kernels_.mark_planes(codes_.at(n), near_.view(), own, count_);
      const std::size_t decided = decide(n, own);
      if (decided < 64) return n + static_cast<HeapIndex>(decided);
    }
    return turn.end;
  }
  /// Decides up to 64 heaps from n on. Returns the number of heaps with a code below cap(). The
  /// nearest taps lead to heaps with codes, because a phase with words begins more than 64 heaps
  /// after the last heap without one.
  std::size_t decide(HeapIndex n, const std::uint8_t* planes) noexcept {
    std::uint64_t sets[64];
    kernels_.join_planes(planes, count_, sets);
    for (std::size_t j = 0; j < 64; j += group_) {
      const std::size_t known = known_of(n + static_cast<HeapIndex>(j), group_);
      if (known == group_) continue;
      std::uint8_t* const here = codes_.at(n) + j;
      kernels_.mark_sets(here, levels_.close.view(), sets + j, group_);
      const std::size_t decided = known + kernels_.decide(here + known, nearest_.view(),
                                                          sets + j + known, group_ - known, cap());
      if (decided < group_) return j + decided;
    }
    return 64;
  }
  /// The planes of the 64 heaps from n on.
  std::uint8_t* planes(const Turn& turn, HeapIndex n) noexcept {
    const auto heaps = turn.slot * kWordTurn + static_cast<HeapSize>(n - turn.begin);
    return planes_.data() + heaps * count_;
  }

  const TypedTapKernels<std::uint8_t>& tap_kernels_;
  const CodeKernels& kernels_;
  SlidingWindow<std::uint8_t>& codes_;
  const HeapSize group_;
  const TapLevels levels_;
  const TapRow nearest_;
  const std::size_t count_;           ///< number of planes of a heap
  TapList far_, near_;                ///< taps from offset 64 on
  std::vector<std::uint8_t> planes_;  ///< by slot and heap of the turn
};

}  // namespace

std::unique_ptr<Exclusion<std::uint8_t>> make_word_exclusion(const SparseTable& table,
                                                             const PhaseShape& shape,
                                                             const KernelSet& kernels,
                                                             SlidingWindow<std::uint8_t>& codes,
                                                             std::size_t threads) {
  return std::make_unique<WordExclusion>(table, shape, kernels, codes, threads);
}

}  // namespace grundy::sparse
