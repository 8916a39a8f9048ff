/// @file
/// or_earlier keeps eight vectors in registers over all taps.
// SPDX-License-Identifier: MIT
#include "kernels/subtraction_kernels.hpp"

#include <utility>

#ifndef GRUNDY_SUBTRACTION_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_SUBTRACTION_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

void or_earlier(std::uint8_t* into, std::size_t bytes, const std::uint8_t* base,
                const std::uint64_t* back, std::size_t taps) noexcept {
  for (std::size_t t = 0; t < taps; ++t) {
    for (std::size_t i = 0; i < bytes; ++i) into[i] |= *(base + i - back[t]);
  }
}

void or_shifted(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                unsigned shift) noexcept {
  for (std::size_t i = 0; i < words; ++i) {
    into[i] |= shift == 0 ? from[i + 1] : from[i + 1] << shift | from[i] >> (64 - shift);
  }
}

constexpr SubtractionKernels kKernels = {or_earlier, or_shifted};

}  // namespace
}  // namespace grundy::scalar
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/subtraction_kernels.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target.h includes this file again, once for every target.
#include <hwy/highway.h>

#include "kernels/targets.hpp"

// Highway's stand-ins for processors without vectors are left out: the set `scalar` serves those.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// or_earlier() for some vectors, which stay in registers over all taps. Each costs a load and an
/// OR for every tap.
template <std::size_t... kVector>
HWY_INLINE void or_vectors(std::uint8_t* into, const std::uint8_t* base, const std::uint64_t* back,
                           std::size_t taps, std::index_sequence<kVector...>) noexcept {
  const hn::ScalableTag<std::uint8_t> d;
  constexpr std::size_t kLanes = HWY_LANES(std::uint8_t);
  hn::Vec<decltype(d)> all[] = {hn::LoadU(d, into + kVector * kLanes)...};
  for (std::size_t t = 0; t < taps; ++t) {
    const std::uint8_t* const from = base - back[t];
    ((all[kVector] = hn::Or(all[kVector], hn::LoadU(d, from + kVector * kLanes))), ...);
  }
  (hn::StoreU(all[kVector], d, into + kVector * kLanes), ...);
}

void or_earlier(std::uint8_t* into, std::size_t bytes, const std::uint8_t* base,
                const std::uint64_t* back, std::size_t taps) noexcept {
  constexpr std::size_t kLanes = HWY_LANES(std::uint8_t), kAtOnce = 8;
  std::size_t i = 0;
  for (; i + kAtOnce * kLanes <= bytes; i += kAtOnce * kLanes) {
    or_vectors(into + i, base + i, back, taps, std::make_index_sequence<kAtOnce>());
  }
  for (; i < bytes; i += kLanes) {
    or_vectors(into + i, base + i, back, taps, std::make_index_sequence<1>());
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

constexpr SubtractionKernels kKernels = {or_earlier, or_shifted};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(SubtractionKernels)
#endif
