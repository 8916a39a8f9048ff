/// @file
/// The subtraction kernels: plain C++, and Highway compiled once per target of this file's list.
// SPDX-License-Identifier: MIT
#include "kernels/subtraction_kernels.hpp"

#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/subtraction_kernels.cpp"
#include <hwy/foreach_target.h>  // NOLINT: must precede highway.h
#include <hwy/highway.h>

#include "kernels/target_kernels.hpp"

// Highway's stand-ins for processors without vectors are left out: the plain loops serve those.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Eight vectors of accumulators stay in registers over all taps; a load and an OR a vector.
void or_windows(std::uint8_t* into, std::size_t bytes, const std::uint8_t* base,
                const std::uint64_t* back, std::size_t taps) noexcept {
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t N = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 8 * N <= bytes; i += 8 * N) {
    auto a0 = hn::LoadU(d, into + i);
    auto a1 = hn::LoadU(d, into + i + N);
    auto a2 = hn::LoadU(d, into + i + 2 * N);
    auto a3 = hn::LoadU(d, into + i + 3 * N);
    auto a4 = hn::LoadU(d, into + i + 4 * N);
    auto a5 = hn::LoadU(d, into + i + 5 * N);
    auto a6 = hn::LoadU(d, into + i + 6 * N);
    auto a7 = hn::LoadU(d, into + i + 7 * N);
    for (std::size_t t = 0; t < taps; ++t) {
      const std::uint8_t* const window = base + i - back[t];
      a0 = hn::Or(a0, hn::LoadU(d, window));
      a1 = hn::Or(a1, hn::LoadU(d, window + N));
      a2 = hn::Or(a2, hn::LoadU(d, window + 2 * N));
      a3 = hn::Or(a3, hn::LoadU(d, window + 3 * N));
      a4 = hn::Or(a4, hn::LoadU(d, window + 4 * N));
      a5 = hn::Or(a5, hn::LoadU(d, window + 5 * N));
      a6 = hn::Or(a6, hn::LoadU(d, window + 6 * N));
      a7 = hn::Or(a7, hn::LoadU(d, window + 7 * N));
    }
    hn::StoreU(a0, d, into + i);
    hn::StoreU(a1, d, into + i + N);
    hn::StoreU(a2, d, into + i + 2 * N);
    hn::StoreU(a3, d, into + i + 3 * N);
    hn::StoreU(a4, d, into + i + 4 * N);
    hn::StoreU(a5, d, into + i + 5 * N);
    hn::StoreU(a6, d, into + i + 6 * N);
    hn::StoreU(a7, d, into + i + 7 * N);
  }
  for (; i < bytes; i += N) {
    auto a = hn::LoadU(d, into + i);
    for (std::size_t t = 0; t < taps; ++t) a = hn::Or(a, hn::LoadU(d, base + i - back[t]));
    hn::StoreU(a, d, into + i);
  }
}

void or_shifted(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                unsigned shift) noexcept {
  const hn::ScalableTag<std::uint64_t> d;
  const int up = static_cast<int>(shift);
  for (std::size_t i = 0; i < words; i += hn::Lanes(d)) {
    auto moved = hn::ShiftLeftSame(hn::LoadU(d, from + i + 1), up);
    if (up != 0) moved = hn::Or(moved, hn::ShiftRightSame(hn::LoadU(d, from + i), 64 - up));
    hn::StoreU(hn::Or(hn::LoadU(d, into + i), moved), d, into + i);
  }
}

/// kRows rows of one vector of heaps: a load, and a xor and a minimum for every row. The minimum of
/// the differences is 0 where an option equals the entry.
template <std::size_t kRows, class T>
HWY_INLINE void erase_in_rows(T* list, const T* values, const std::uint64_t* back,
                              std::size_t taps) noexcept {
  static_assert(kRows == 1 || kRows == 2 || kRows == 4);
  const hn::ScalableTag<T> d;
  const auto none = hn::Set(d, static_cast<T>(~T{0}));
  const auto e0 = hn::LoadU(d, list);
  const auto e1 = kRows > 1 ? hn::LoadU(d, list + kListHeaps) : none;
  const auto e2 = kRows > 2 ? hn::LoadU(d, list + 2 * kListHeaps) : none;
  const auto e3 = kRows > 2 ? hn::LoadU(d, list + 3 * kListHeaps) : none;
  auto m0 = none;
  auto m1 = none;
  auto m2 = none;
  auto m3 = none;
  for (std::size_t t = 0; t < taps; ++t) {
    const auto v = hn::LoadU(d, values - back[t]);
    m0 = hn::Min(m0, hn::Xor(v, e0));
    if (kRows > 1) m1 = hn::Min(m1, hn::Xor(v, e1));
    if (kRows > 2) m2 = hn::Min(m2, hn::Xor(v, e2));
    if (kRows > 2) m3 = hn::Min(m3, hn::Xor(v, e3));
  }
  const auto zero = hn::Zero(d);
  hn::StoreU(hn::IfThenElse(hn::Eq(m0, zero), none, e0), d, list);
  if (kRows > 1) hn::StoreU(hn::IfThenElse(hn::Eq(m1, zero), none, e1), d, list + kListHeaps);
  if (kRows > 2) {
    hn::StoreU(hn::IfThenElse(hn::Eq(m2, zero), none, e2), d, list + 2 * kListHeaps);
    hn::StoreU(hn::IfThenElse(hn::Eq(m3, zero), none, e3), d, list + 3 * kListHeaps);
  }
}

template <class T>
void erase_hits(T* lists, std::size_t rows, const T* values, const std::uint64_t* back,
                std::size_t taps) noexcept {
  for (std::size_t lane = 0; lane < kListHeaps; lane += hn::Lanes(hn::ScalableTag<T>())) {
    T* list = lists + lane;
    std::size_t left = rows;
    for (; left >= 4; left -= 4, list += 4 * kListHeaps) {
      erase_in_rows<4>(list, values + lane, back, taps);
    }
    if (left >= 2) {
      erase_in_rows<2>(list, values + lane, back, taps);
      list += 2 * kListHeaps;
    }
    if (left % 2 != 0) erase_in_rows<1>(list, values + lane, back, taps);
  }
}

/// Insertion: every row sinks to the front through the gaps before it, all columns at once.
template <class T>
void compact(T* lists, std::size_t rows, std::size_t kept) noexcept {
  const hn::ScalableTag<T> d;
  const auto none = hn::Set(d, static_cast<T>(~T{0}));
  for (T* list = lists; list != lists + kListHeaps; list += hn::Lanes(d)) {
    for (std::size_t row = 1; row < rows; ++row) {
      auto moving = hn::LoadU(d, list + row * kListHeaps);
      for (std::size_t to = 0; to < kept && to < row; ++to) {
        // The first gap takes the entry; from there on there is nothing left to place.
        const auto there = hn::LoadU(d, list + to * kListHeaps);
        const auto gap = hn::Eq(there, none);
        hn::StoreU(hn::IfThenElse(gap, moving, there), d, list + to * kListHeaps);
        moving = hn::IfThenElse(gap, none, moving);
      }
      if (row < kept) hn::StoreU(moving, d, list + row * kListHeaps);
    }
  }
}

template <class T>
constexpr TypedSubtractionKernels<T> kTyped = {erase_hits<T>, compact<T>};

constexpr SubtractionKernels kKernels = {
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>}, or_windows, or_shifted};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace grundy
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
namespace grundy {
namespace {

void scalar_or_windows(std::uint8_t* into, std::size_t bytes, const std::uint8_t* base,
                       const std::uint64_t* back, std::size_t taps) noexcept {
  for (std::size_t t = 0; t < taps; ++t) {
    for (std::size_t i = 0; i < bytes; ++i) into[i] |= *(base + i - back[t]);
  }
}

void scalar_or_shifted(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                       unsigned shift) noexcept {
  for (std::size_t i = 0; i < words; ++i) {
    into[i] |= shift == 0 ? from[i + 1] : from[i + 1] << shift | from[i] >> (64 - shift);
  }
}

template <class T>
void scalar_erase_hits(T* lists, std::size_t rows, const T* values, const std::uint64_t* back,
                       std::size_t taps) noexcept {
  for (T* list = lists; list != lists + rows * kListHeaps; list += kListHeaps) {
    for (std::size_t t = 0; t < taps; ++t) {
      for (std::size_t j = 0; j < kListHeaps; ++j) {
        if (*(values + j - back[t]) == list[j]) list[j] = static_cast<T>(~T{0});
      }
    }
  }
}

template <class T>
void scalar_compact(T* lists, std::size_t rows, std::size_t kept) noexcept {
  for (T* column = lists; column != lists + kListHeaps; ++column) {
    std::size_t length = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const T entry = std::exchange(column[row * kListHeaps], static_cast<T>(~T{0}));
      if (entry != static_cast<T>(~T{0}) && length < kept) column[length++ * kListHeaps] = entry;
    }
  }
}

template <class T>
constexpr TypedSubtractionKernels<T> kScalarTyped = {scalar_erase_hits<T>, scalar_compact<T>};

constexpr SubtractionKernels kScalar = {
    {kScalarTyped<std::uint8_t>, kScalarTyped<std::uint16_t>, kScalarTyped<std::uint32_t>},
    scalar_or_windows,
    scalar_or_shifted};

}  // namespace

const SubtractionKernels& subtraction_kernels(const KernelSet& kernels) {
  return kernels_of_target(kernels, GRUNDY_EVERY_TARGET(kKernels), kScalar);
}

}  // namespace grundy
#endif  // HWY_ONCE
