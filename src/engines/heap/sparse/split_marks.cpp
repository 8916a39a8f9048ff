// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/split_marks.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace grundy::sparse {

template <class T>
SplitMarks<T>::SplitMarks(const TypedTapKernels<T>& kernels, const std::vector<SplitMove>& splits,
                          const std::vector<Tap>& taps)
    : kernels_(kernels), taps_(taps), list_(taps), lags_(LaggedSplits(splits).lags) {}

template <class T>
std::vector<Tap> SplitMarks<T>::marked() const {
  std::vector<Tap> all;
  for (const HeapSize lag : lags_) {
    const auto before = static_cast<std::ptrdiff_t>(all.size());
    for (const Tap& tap : taps_) all.push_back({tap.offset + lag, tap.code});
    std::inplace_merge(all.begin(), all.begin() + before, all.end(), is_before);
  }
  return all;
}

template <class T>
void SplitMarks<T>::mark_before(const T* codes, std::uint8_t* planes,
                                std::size_t count) const noexcept {
  const TapView taps = list_.view();
  const auto farthest = static_cast<std::ptrdiff_t>(lags_.back());
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    for (std::size_t t = run->begin; t < run->end; ++t) {
      const T* const partner = codes - static_cast<std::ptrdiff_t>(taps.offsets[t]);
      for (std::ptrdiff_t back = 1; back <= farthest; ++back) {
        const std::size_t code = partner[-back] ^ std::size_t{run->code};
        if (code >= count * kPlaneCodes) continue;
        planes[code / kPlaneCodes * 64 + static_cast<std::size_t>(64 - back)] |=
            static_cast<std::uint8_t>(1u << code % kPlaneCodes);
      }
    }
  }
}

template <class T>
void SplitMarks<T>::mark_all(const T* codes, std::size_t heaps, std::uint8_t* planes,
                             std::size_t stride, std::size_t count) const noexcept {
  if (!have_lags()) {
    for (std::size_t i = 0; i < heaps; i += 64) mark(codes + i, planes + i / 64 * stride, count);
    return;
  }
  std::uint8_t first_split[2][64 * kMostPlanes];
  std::uint8_t* before = first_split[0];
  std::uint8_t* own = first_split[1];
  std::fill_n(before, 64 * count, std::uint8_t{0});
  mark_before(codes, before, count);
  for (std::size_t i = 0; i < heaps; i += 64) {
    std::fill_n(own, 64 * count, std::uint8_t{0});
    mark(codes + i, own, count);
    unite(before, own, planes + i / 64 * stride, count);
    std::swap(before, own);
  }
}

template <class T>
void SplitMarks<T>::unite(const std::uint8_t* before, const std::uint8_t* own, std::uint8_t* planes,
                          std::size_t count) const noexcept {
  for (std::size_t p = 0; p < count; ++p) {
    std::uint8_t both[128];
    std::memcpy(both, before + 64 * p, 64);
    std::memcpy(both + 64, own + 64 * p, 64);
    for (const HeapSize lag : lags_) {
      for (std::size_t j = 0; j < 64; ++j) planes[64 * p + j] |= both[64 - lag + j];
    }
  }
}

template class SplitMarks<std::uint8_t>;
template class SplitMarks<std::uint16_t>;

}  // namespace grundy::sparse
