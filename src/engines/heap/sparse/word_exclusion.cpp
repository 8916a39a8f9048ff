// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "engines/heap/sparse/exclusion.hpp"
#include "engines/heap/sparse/plane_marks.hpp"
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

HeapSize group_of(const SparseTable& table) {
  const std::size_t within = std::ranges::count_if(
      all_taps(table), [](const Tap& tap) { return tap.offset < kWholeGroup; });
  return within <= kFewTaps ? kWholeGroup : kPartOfWord;
}

class WordExclusion final : public Exclusion<std::uint8_t> {
 public:
  WordExclusion(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
                SlidingWindow<std::uint8_t>& codes)
      : kernels_(kernels.codes),
        codes_(codes),
        group_(group_of(table)),
        levels_(all_taps(table), group_),
        nearest_(levels_.nearest),
        marks_(shape, kernels.taps, levels_.from_64, shape.code_limit, codes) {}

  std::size_t far_parts(const HeapRange& block) const noexcept override {
    return marks_.far_parts(block);
  }
  void far(const HeapRange& block, std::size_t part) noexcept override { marks_.far(block, part); }

  HeapIndex chain(const HeapRange& block, HeapIndex from, Nimber cap) noexcept override {
    for (HeapIndex n = block.begin; n < block.end; n += 64) {
      const std::size_t decided = decide(n, from, cap);
      if (decided < 64) return n + static_cast<HeapIndex>(decided);
    }
    return block.end;
  }

 private:
  /// Decides up to 64 heaps from n on, those from heap `from` on. Returns the number of heaps with
  /// a code below `cap`. The nearest taps lead to heaps with codes, because a phase with words
  /// begins more than 64 heaps after the last heap without one.
  std::size_t decide(HeapIndex n, HeapIndex from, Nimber cap) noexcept {
    std::uint64_t sets[64];
    kernels_.join_planes(marks_.near(n), marks_.count(), sets);
    for (std::size_t j = 0; j < 64; j += group_) {
      const std::size_t known = known_of_group(n + static_cast<HeapIndex>(j), group_, from);
      if (known == group_) continue;
      std::uint8_t* const here = codes_.at(n) + j;
      kernels_.mark_sets(here, levels_.close.view(), sets + j, group_);
      const std::size_t decided = known + kernels_.decide(here + known, nearest_.view(),
                                                          sets + j + known, group_ - known, cap);
      if (decided < group_) return j + decided;
    }
    return 64;
  }

  const CodeKernels& kernels_;
  SlidingWindow<std::uint8_t>& codes_;
  const HeapSize group_;
  const TapLevels levels_;
  const TapRow nearest_;
  PlaneMarks<std::uint8_t> marks_;
};

}  // namespace

std::unique_ptr<Exclusion<std::uint8_t>> make_word_exclusion(const SparseTable& table,
                                                             const PhaseShape& shape,
                                                             const KernelSet& kernels,
                                                             SlidingWindow<std::uint8_t>& codes) {
  return std::make_unique<WordExclusion>(table, shape, kernels, codes);
}

}  // namespace grundy::sparse
