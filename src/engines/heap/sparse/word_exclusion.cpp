// SPDX-License-Identifier: MIT
#include <bit>
#include <vector>

#include "engines/heap/sparse/exclusion.hpp"
#include "engines/heap/sparse/plane_marks.hpp"

namespace grundy::sparse {
namespace {

/// Stands for a heap without a code. Its XOR with a code is never below 64.
constexpr std::uint64_t kOutside = 64;

class WordExclusion final : public Exclusion<std::uint8_t> {
 public:
  WordExclusion(const SparseTable& table, const PhaseShape& shape, const TapKernels& kernels,
                SlidingWindow<std::uint8_t>& codes, HeapIndex begin)
      : shape_(shape),
        kernels_(kernels),
        codes_(codes),
        levels_(table, shape, kGroup),
        marks_(shape, kernels, levels_, shape.code_limit, codes),
        wide_(begin, levels_.reach + 64, 2 * shape.block, kOutside) {
    for (HeapIndex n = begin - static_cast<HeapIndex>(levels_.reach); n < begin; ++n) {
      *wide_.at(n) = *codes.at(n) < 64 ? *codes.at(n) : kOutside;
    }
  }

  std::size_t far_parts() const noexcept override { return marks_.far_parts(); }
  void far(HeapIndex begin, std::size_t part) noexcept override { marks_.far(begin, part); }

  HeapIndex chain(HeapIndex begin, Nimber cap) noexcept override {
    const HeapIndex end = begin + static_cast<HeapIndex>(shape_.block);
    for (HeapIndex n = begin; n < end; n += 64) {
      std::uint64_t sets[64] = {};
      collect(marks_.near(n), sets);
      for (HeapIndex j = 0; j < 64; ++j) {
        if (j % kGroup == 0) {
          kernels_.mark_sets(wide_.at(n + j), levels_.close.view(), sets + j, kGroup);
        }
        std::uint64_t* const here = wide_.at(n + j);
        std::uint64_t set = sets[j];
        for (const Tap& tap : levels_.nearest) {
          const std::uint64_t code = here[-static_cast<HeapIndex>(tap.offset)] ^ tap.code;
          set |= std::uint64_t{code < 64} << (code % 64);
        }
        const auto code = static_cast<Nimber>(std::countr_one(set));
        if (code >= cap) return n + j;
        *here = code;
        *codes_.at(n + j) = static_cast<std::uint8_t>(code);
      }
    }
    return end;
  }

  void advance(HeapIndex end) override { wide_.advance(end); }

 private:
  /// Joins the planes of each of 64 heaps into one word.
  void collect(const std::uint8_t* planes, std::uint64_t (&sets)[64]) const noexcept {
    for (std::size_t p = 0; p < marks_.count(); ++p) {
      for (std::size_t j = 0; j < 64; ++j) {
        sets[j] |= std::uint64_t{planes[64 * p + j]} << 8 * p;
      }
    }
  }

  static constexpr HeapIndex kGroup = 8;

  const PhaseShape shape_;
  const TapKernels& kernels_;
  SlidingWindow<std::uint8_t>& codes_;
  const TapLevels levels_;
  PlaneMarks marks_;
  SlidingWindow<std::uint64_t> wide_;  ///< a copy of the codes, one word for each
};

}  // namespace

std::unique_ptr<Exclusion<std::uint8_t>> make_word_exclusion(const SparseTable& table,
                                                             const PhaseShape& shape,
                                                             const TapKernels& kernels,
                                                             SlidingWindow<std::uint8_t>& codes,
                                                             HeapIndex begin) {
  return std::make_unique<WordExclusion>(table, shape, kernels, codes, begin);
}

}  // namespace grundy::sparse
