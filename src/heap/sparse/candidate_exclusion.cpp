// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "heap/sparse/exclusion.hpp"
#include "heap/sparse/plane_marks.hpp"

namespace grundy::sparse {
namespace {

template <class T>
class CandidateExclusion final : public Exclusion<T> {
 public:
  CandidateExclusion(const SparseTable& table, const PhaseShape& shape,
                     const SparseKernels& kernels, Nimber guessed, SlidingWindow<T>& codes)
      : shape_(shape),
        kernels_(kernels.of<T>()),
        codes_(codes),
        levels_(table, shape, kHeaps),
        near_(levels_.nearest),
        marks_(shape, kernels, levels_, guessed, codes),
        seen_(std::size_t{std::numeric_limits<T>::max()} + 1) {}

  std::size_t far_parts() const noexcept override { return marks_.far_parts(); }
  void far(HeapIndex begin, std::size_t part) noexcept override { marks_.far(begin, part); }

  HeapIndex chain(HeapIndex begin, Nimber cap) noexcept override {
    const HeapIndex end = begin + static_cast<HeapIndex>(shape_.block);
    for (HeapIndex n = begin; n < end; n += 64) {
      const T* const planes = marks_.near(n);
      T candidates[64 * kCandidates];
      kernels_.list_unmarked(planes, marks_.count(), candidates);
      for (std::size_t j = 0; j < 64; j += kHeaps) {
        T* const here = codes_.at(n) + j;
        T* const own = candidates + j * kCandidates;
        kernels_.eliminate(here, levels_.close.view(), own, 1);
        const std::size_t decided = decide_group(here, planes + j, own, cap);
        if (decided < kHeaps) return n + static_cast<HeapIndex>(j + decided);
      }
    }
    return end;
  }

  void advance(HeapIndex) override {}

 private:
  static constexpr std::size_t kHeaps = kGroupHeaps<T>;

  /// Writes the codes of one group, from the candidates that taps of all other levels left. Returns
  /// the first heap whose code is not below `cap`, or kHeaps.
  std::size_t decide_group(T* here, const T* planes, const T* candidates, Nimber cap) noexcept {
    std::size_t j = 0;
    while ((j = kernels_.choose(here, near_.view(), candidates, j)) < kHeaps) {
      const Nimber code = exact(here + j, planes + j);
      if (code >= cap) break;
      here[j++] = static_cast<T>(code);
    }
    // Listed codes are below the end of the planes, and others were compared with the cap.
    if (j == kHeaps && marks_.count() * kPlaneCodes<T> <= cap) return kHeaps;
    return static_cast<std::size_t>(
        std::find_if(here, here + j, [&](T code) { return code >= cap; }) - here);
  }

  /// The least code that no tap reaches from the heap whose code is to be at `here` and whose marks
  /// are at `planes`; code_limit if all are reached.
  Nimber exact(const T* here, const T* planes) noexcept {
    std::fill_n(seen_.begin(), shape_.code_limit, std::uint8_t{0});
    mark(here, levels_.within_64);
    const auto in_planes =
        std::min(shape_.code_limit, static_cast<Nimber>(marks_.count() * kPlaneCodes<T>));
    Nimber code = 0;
    for (; code < in_planes; ++code) {
      const unsigned marks = planes[code / kPlaneCodes<T> * 64];
      if ((marks >> code % kPlaneCodes<T> & 1) == 0 && seen_[code] == 0) return code;
    }
    mark(here, levels_.from_64);
    while (code < shape_.code_limit && seen_[code] != 0) ++code;
    return code;
  }

  /// seen_[code] := 1 for every code that one of the taps reaches.
  void mark(const T* here, const std::vector<Tap>& taps) noexcept {
    std::uint8_t* const by_code = seen_.data();
    for (const Tap& tap : taps) {
      by_code[here[-static_cast<HeapIndex>(tap.offset)] ^ tap.code] = 1;
    }
  }

  const PhaseShape shape_;
  const SparseTypedKernels<T>& kernels_;
  SlidingWindow<T>& codes_;
  const TapLevels levels_;
  const NearTapList<T> near_;
  PlaneMarks<T> marks_;
  std::vector<std::uint8_t> seen_;  ///< by code
};

}  // namespace

template <class T>
std::unique_ptr<Exclusion<T>> make_candidate_exclusion(const SparseTable& table,
                                                       const PhaseShape& shape,
                                                       const SparseKernels& kernels, Nimber guessed,
                                                       SlidingWindow<T>& codes) {
  return std::make_unique<CandidateExclusion<T>>(table, shape, kernels, guessed, codes);
}

template std::unique_ptr<Exclusion<std::uint8_t>> make_candidate_exclusion(
    const SparseTable&, const PhaseShape&, const SparseKernels&, Nimber,
    SlidingWindow<std::uint8_t>&);
template std::unique_ptr<Exclusion<std::uint16_t>> make_candidate_exclusion(
    const SparseTable&, const PhaseShape&, const SparseKernels&, Nimber,
    SlidingWindow<std::uint16_t>&);

}  // namespace grundy::sparse
