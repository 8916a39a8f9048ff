// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <vector>

#include "engines/heap/sparse/exclusion.hpp"
#include "engines/heap/sparse/plane_marks.hpp"

namespace grundy::sparse {
namespace {

/// The taps that are not among those that mark. All are sorted by place.
std::vector<Tap> not_marking(const std::vector<Tap>& taps, const std::vector<Tap>& marking) {
  std::vector<Tap> others;
  std::ranges::set_difference(taps, marking, std::back_inserter(others), {}, by_place, by_place);
  return others;
}

/// The candidates of 64 heaps, from planes.
template <class T>
class PlaneLists {
 public:
  PlaneLists(const PhaseShape& shape, const TapKernels& kernels, const std::vector<Tap>& from_64,
             const std::vector<Tap>& marking, Nimber common, const SlidingWindow<T>& codes)
      : kernels_(kernels.of<T>()),
        codes_(codes),
        other_taps_(not_marking(from_64, marking)),
        others_(other_taps_),
        marks_(shape, kernels, marking, common, codes) {}

  [[nodiscard]] Nimber limit() const noexcept {
    return static_cast<Nimber>(marks_.count() * kPlaneCodes);
  }
  [[nodiscard]] std::size_t far_parts(const HeapRange& block) const noexcept {
    return marks_.far_parts(block);
  }
  void far(const HeapRange& block, std::size_t part) noexcept { marks_.far(block, part); }
  T* near(HeapIndex n) noexcept {
    planes_ = marks_.near(n);
    kernels_.list_unmarked(planes_, marks_.count(), lists_);
    kernels_.eliminate(codes_.at(n), others_.view(), lists_, 64 / kGroupHeaps<T>);
    return lists_;
  }
  /// The taps that do not mark.
  [[nodiscard]] const std::vector<Tap>& others() const noexcept { return other_taps_; }
  /// The least code of heap j of the 64 heaps that is neither marked nor seen.
  [[nodiscard]] std::optional<Nimber> least(std::size_t j,
                                            const std::uint8_t* seen) const noexcept {
    for (Nimber code = 0; code < limit(); ++code) {
      const unsigned marks = planes_[code / kPlaneCodes * 64 + j];
      if ((marks >> code % kPlaneCodes & 1) == 0 && seen[code] == 0) return code;
    }
    return std::nullopt;
  }

 private:
  const TypedTapKernels<T>& kernels_;
  const SlidingWindow<T>& codes_;
  const std::vector<Tap> other_taps_;
  const TapList others_;
  PlaneMarks<T> marks_;
  const std::uint8_t* planes_ = nullptr;  ///< of the 64 heaps that near() listed last
  T lists_[64 * kCandidates];
};

/// Chooses among the candidates of PlaneLists.
template <class T>
class CandidateExclusion final : public Exclusion<T> {
 public:
  CandidateExclusion(const SparseTable& table, const PhaseShape& shape, const TapKernels& kernels,
                     const std::vector<Tap>& marking, Nimber common, SlidingWindow<T>& codes)
      : shape_(shape),
        kernels_(kernels.of<T>()),
        codes_(codes),
        levels_(all_taps(table), kHeaps),
        near_(levels_.nearest),
        lists_(shape, kernels, levels_.from_64, marking, common, codes),
        seen_(std::size_t{std::numeric_limits<T>::max()} + 1) {}

  std::size_t far_parts(const HeapRange& block) const noexcept override {
    return lists_.far_parts(block);
  }
  void far(const HeapRange& block, std::size_t part) noexcept override { lists_.far(block, part); }

  HeapIndex chain(const HeapRange& block, HeapIndex from, Nimber cap) noexcept override {
    for (HeapIndex n = block.begin; n < block.end; n += 64) {
      T* const candidates = lists_.near(n);
      for (std::size_t j = 0; j < 64; j += kHeaps) {
        const std::size_t known = known_of_group(n + static_cast<HeapIndex>(j), kHeaps, from);
        if (known == kHeaps) continue;
        T* const own = candidates + j * kCandidates;
        kernels_.eliminate(codes_.at(n) + j, levels_.close.view(), own, 1);
        const std::size_t decided = decide_group(n, j, known, own, cap);
        if (decided < kHeaps) return n + static_cast<HeapIndex>(j + decided);
      }
    }
    return block.end;
  }

 private:
  static constexpr std::size_t kHeaps = kGroupHeaps<T>;

  /// Writes the codes of the group that begins at heap n + first, except those of its `known` first
  /// heaps. `candidates` are the candidates that the taps of all other levels left. Returns the
  /// first heap of the group whose code is not below `cap`, or kHeaps.
  std::size_t decide_group(HeapIndex n, std::size_t first, std::size_t known, const T* candidates,
                           Nimber cap) noexcept {
    T* const here = codes_.at(n) + first;
    std::size_t j = known;
    while ((j = kernels_.choose(here, near_.view(), candidates, j)) < kHeaps) {
      const Nimber code = exact(here + j, first + j);
      if (code >= cap) break;
      here[j++] = static_cast<T>(code);
    }
    // Codes from the lists are below limit(); codes from exact() were compared with the cap.
    if (j == kHeaps && lists_.limit() <= cap) return kHeaps;
    return static_cast<std::size_t>(
        std::find_if(here + known, here + j, [&](T code) { return code >= cap; }) - here);
  }

  /// The least code that no tap reaches from a heap; code_limit if all codes are reached. The heap
  /// is number j of the 64 heaps that were listed last, and `here` is the place of its code.
  Nimber exact(const T* here, std::size_t j) noexcept {
    std::fill_n(seen_.begin(), shape_.code_limit, std::uint8_t{0});
    mark(here, levels_.within_64);
    mark(here, lists_.others());
    if (const auto code = lists_.least(j, seen_.data())) return *code;
    mark(here, levels_.from_64);
    Nimber code = 0;
    while (code < shape_.code_limit && seen_[code] != 0) ++code;
    return code;
  }

  /// Sets seen_[code] = 1 for every code that one of the taps reaches.
  void mark(const T* here, const std::vector<Tap>& taps) noexcept {
    std::uint8_t* const by_code = seen_.data();
    for (const Tap& tap : taps) {
      by_code[here[-static_cast<HeapIndex>(tap.offset)] ^ tap.code] = 1;
    }
  }

  const PhaseShape shape_;
  const TypedTapKernels<T>& kernels_;
  SlidingWindow<T>& codes_;
  const TapLevels levels_;
  const NearTapList<T> near_;
  PlaneLists<T> lists_;
  std::vector<std::uint8_t> seen_;  ///< by code
};

}  // namespace

template <class T>
std::unique_ptr<Exclusion<T>> make_plane_exclusion(const SparseTable& table,
                                                   const PhaseShape& shape,
                                                   const TapKernels& kernels,
                                                   const std::vector<Tap>& marking, Nimber common,
                                                   SlidingWindow<T>& codes) {
  return std::make_unique<CandidateExclusion<T>>(table, shape, kernels, marking, common, codes);
}

template std::unique_ptr<Exclusion<std::uint8_t>> make_plane_exclusion(
    const SparseTable&, const PhaseShape&, const TapKernels&, const std::vector<Tap>&, Nimber,
    SlidingWindow<std::uint8_t>&);
template std::unique_ptr<Exclusion<std::uint16_t>> make_plane_exclusion(
    const SparseTable&, const PhaseShape&, const TapKernels&, const std::vector<Tap>&, Nimber,
    SlidingWindow<std::uint16_t>&);

}  // namespace grundy::sparse
