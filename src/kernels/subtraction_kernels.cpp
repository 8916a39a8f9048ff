/// @file
/// or_earlier keeps eight vectors in registers over all taps. Lists are compared for one vector of
/// heaps at a time.
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

template <class T>
void erase_hits(T* lists, std::size_t length, const T* values, const std::uint64_t* back,
                std::size_t taps) noexcept {
  for (T* list = lists; list != lists + length * kListHeaps; list += kListHeaps) {
    for (std::size_t t = 0; t < taps; ++t) {
      for (std::size_t j = 0; j < kListHeaps; ++j) {
        if (*(values + j - back[t]) == list[j]) list[j] = static_cast<T>(~T{0});
      }
    }
  }
}

template <class T>
void compact(T* lists, std::size_t length, std::size_t kept) noexcept {
  for (T* column = lists; column != lists + kListHeaps; ++column) {
    std::size_t placed = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const T entry = std::exchange(column[i * kListHeaps], static_cast<T>(~T{0}));
      if (entry != static_cast<T>(~T{0}) && placed < kept) column[placed++ * kListHeaps] = entry;
    }
  }
}

template <class T>
constexpr TypedSubtractionKernels<T> kTyped = {erase_hits<T>, compact<T>};

constexpr SubtractionKernels kKernels = {
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>}, or_earlier, or_shifted};

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

/// Erases in some entries of the lists of one vector of heaps: for each option one load, and for
/// every entry an XOR and a minimum. The minimum of the differences is 0 where an option equals the
/// entry.
template <class T, std::size_t... kEntry>
HWY_INLINE void erase_entries(T* list, const T* values, const std::uint64_t* back, std::size_t taps,
                              std::index_sequence<kEntry...>) noexcept {
  const hn::ScalableTag<T> d;
  const auto none = hn::Set(d, static_cast<T>(~T{0}));
  const hn::Vec<decltype(d)> entries[] = {hn::LoadU(d, list + kEntry * kListHeaps)...};
  hn::Vec<decltype(d)> least[] = {(static_cast<void>(kEntry), none)...};
  for (std::size_t t = 0; t < taps; ++t) {
    const auto v = hn::LoadU(d, values - back[t]);
    ((least[kEntry] = hn::Min(least[kEntry], hn::Xor(v, entries[kEntry]))), ...);
  }
  const auto zero = hn::Zero(d);
  (hn::StoreU(hn::IfThenElse(hn::Eq(least[kEntry], zero), none, entries[kEntry]), d,
              list + kEntry * kListHeaps),
   ...);
}

/// Erases in `left` entries, at most kEntries at a time, a power of two.
template <std::size_t kEntries, class T>
HWY_INLINE void erase_in(T* list, std::size_t left, const T* values, const std::uint64_t* back,
                         std::size_t taps) noexcept {
  for (; left >= kEntries; left -= kEntries, list += kEntries * kListHeaps) {
    erase_entries(list, values, back, taps, std::make_index_sequence<kEntries>());
  }
  if constexpr (kEntries > 1) erase_in<kEntries / 2>(list, left, values, back, taps);
}

template <class T>
void erase_hits(T* lists, std::size_t length, const T* values, const std::uint64_t* back,
                std::size_t taps) noexcept {
  // With AVX-512 there are registers for twice as many entries.
  constexpr std::size_t kAtOnce = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
  for (std::size_t lane = 0; lane < kListHeaps; lane += hn::Lanes(hn::ScalableTag<T>())) {
    erase_in<kAtOnce>(lists + lane, length, values + lane, back, taps);
  }
}

/// Insertion sort: every entry moves to the front through the gaps before it, in all lists at once.
template <class T>
void compact(T* lists, std::size_t length, std::size_t kept) noexcept {
  const hn::ScalableTag<T> d;
  const auto none = hn::Set(d, static_cast<T>(~T{0}));
  for (T* list = lists; list != lists + kListHeaps; list += hn::Lanes(d)) {
    for (std::size_t i = 1; i < length; ++i) {
      auto moving = hn::LoadU(d, list + i * kListHeaps);
      for (std::size_t to = 0; to < kept && to < i; ++to) {
        // The first gap takes the entry; after that there is nothing left to place.
        const auto there = hn::LoadU(d, list + to * kListHeaps);
        const auto gap = hn::Eq(there, none);
        hn::StoreU(hn::IfThenElse(gap, moving, there), d, list + to * kListHeaps);
        moving = hn::IfThenElse(gap, none, moving);
      }
      if (i < kept) hn::StoreU(moving, d, list + i * kListHeaps);
    }
  }
}

template <class T>
constexpr TypedSubtractionKernels<T> kTyped = {erase_hits<T>, compact<T>};

constexpr SubtractionKernels kKernels = {
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>}, or_earlier, or_shifted};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(SubtractionKernels)
#endif
