// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "heap/sparse/exclusion.hpp"

namespace grundy::sparse {
namespace {

/// Heaps per part of the far work, at most.
constexpr HeapSize kPartHeaps = 256;

/// Planes come in pairs.
template <class T>
std::size_t planes_for(Nimber codes) {
  return std::max<std::size_t>(1, (codes + 2 * kPlaneCodes<T> - 1) / (2 * kPlaneCodes<T>)) * 2;
}

template <class T>
class PlaneExclusion final : public Exclusion<T> {
 public:
  PlaneExclusion(const SparseTable& table, const PhaseShape& shape, const SparseKernels& kernels,
                 Nimber guessed, SlidingWindow<T>& codes)
      : shape_(shape),
        kernels_(kernels.of<T>()),
        codes_(codes),
        levels_(table, shape, kHeaps),
        near_(levels_.nearest),
        plane_count_(planes_for<T>(guessed)),
        planes_(2 * shape.block * plane_count_),
        seen_(std::size_t{std::numeric_limits<T>::max()} + 1) {}

  std::size_t far_parts() const noexcept override {
    return (shape_.block + kPartHeaps - 1) / kPartHeaps;
  }

  void far(HeapIndex begin, std::size_t part) noexcept override {
    const HeapIndex first = begin + static_cast<HeapIndex>(part * kPartHeaps);
    const HeapIndex end = std::min(first + static_cast<HeapIndex>(kPartHeaps),
                                   begin + static_cast<HeapIndex>(shape_.block));
    for (HeapIndex n = first; n < end; n += 64) {
      T* const planes = planes_of(n);
      std::fill_n(planes, 64 * plane_count_, T{0});
      kernels_.mark_planes(codes_.at(n), levels_.far.view(), planes, plane_count_);
    }
  }

  HeapIndex chain(HeapIndex begin, Nimber cap) noexcept override {
    const HeapIndex end = begin + static_cast<HeapIndex>(shape_.block);
    for (HeapIndex n = begin; n < end; n += 64) {
      T* const planes = planes_of(n);
      kernels_.mark_planes(codes_.at(n), levels_.middle.view(), planes, plane_count_);
      T candidates[64 * kCandidates];
      kernels_.list_unmarked(planes, plane_count_, candidates);
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

  T* planes_of(HeapIndex n) noexcept {
    return planes_.data() + static_cast<HeapSize>(n) % (2 * shape_.block) * plane_count_;
  }

  /// Writes the codes of one group, from the candidates that taps of all other levels left. Returns
  /// the first heap whose code is not below `cap`, or kHeaps.
  std::size_t decide_group(T* here, const T* planes, const T* candidates, Nimber cap) noexcept {
    std::size_t j = 0;
    while ((j = kernels_.choose(here, near_.view(), candidates, j)) < kHeaps) {
      const Nimber code = exact(here + j, planes + j);
      if (code >= cap) break;
      here[j++] = static_cast<T>(code);
    }
    if (j == kHeaps && cap == shape_.code_limit) return kHeaps;
    return static_cast<std::size_t>(
        std::find_if(here, here + j, [&](T code) { return code >= cap; }) - here);
  }

  /// The least code that no tap reaches from the heap whose code is to be at `here` and whose marks
  /// are at `planes`; code_limit if all are reached.
  Nimber exact(const T* here, const T* planes) noexcept {
    std::fill_n(seen_.begin(), shape_.code_limit, std::uint8_t{0});
    mark(here, levels_.within_64);
    const auto in_planes =
        std::min(shape_.code_limit, static_cast<Nimber>(plane_count_ * kPlaneCodes<T>));
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
  const std::size_t plane_count_;
  std::vector<T> planes_;           ///< of two blocks, which take turns
  std::vector<std::uint8_t> seen_;  ///< by code
};

}  // namespace

template <class T>
std::unique_ptr<Exclusion<T>> make_plane_exclusion(const SparseTable& table,
                                                   const PhaseShape& shape,
                                                   const SparseKernels& kernels, Nimber guessed,
                                                   SlidingWindow<T>& codes) {
  return std::make_unique<PlaneExclusion<T>>(table, shape, kernels, guessed, codes);
}

template std::unique_ptr<Exclusion<std::uint8_t>> make_plane_exclusion(
    const SparseTable&, const PhaseShape&, const SparseKernels&, Nimber,
    SlidingWindow<std::uint8_t>&);
template std::unique_ptr<Exclusion<std::uint16_t>> make_plane_exclusion(
    const SparseTable&, const PhaseShape&, const SparseKernels&, Nimber,
    SlidingWindow<std::uint16_t>&);

}  // namespace grundy::sparse
