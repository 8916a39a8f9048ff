/// @file
/// mark_taps: vectors compute the values of 16 heaps under 512 taps and leave them in the
/// first-level cache. Scalar code marks them heap by heap, so that the marks of one heap stay in
/// that cache, too.
///
/// filter_pairs: the low byte of a nim-sum looks up a byte of the open set, and the high byte looks
/// up a one-bit mask. The value is open if the two have a common bit. With byte permutations over
/// 128 bytes (AVX-512 VBMI) this takes 4 loads and 7 operations for 64 pairs, and 3 more operations
/// if both halves of the set have values. Loads take longest there, so four heaps share the loads
/// of the smaller heaps. On other targets the look-up is put together from 8 look-ups in 16 bytes,
/// and takes longest.
// SPDX-License-Identifier: MIT
#include "kernels/filter_kernels.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#ifndef GRUNDY_FILTER_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_FILTER_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

template <class T>
void mark_taps(const T* values, const std::uint64_t* offset, const T* key, std::size_t taps,
               std::size_t heaps, std::uint8_t* marks, std::size_t stride) noexcept {
  for (std::size_t j = 0; j < heaps; ++j) {
    for (std::size_t t = 0; t < taps; ++t) {
      marks[stride * j + (*(values + j - offset[t]) ^ key[t])] = 1;
    }
  }
}

template <class T>
void filter_pairs(const T* values, const ByteTable&, std::uint64_t first, std::uint64_t partner,
                  std::size_t pairs, OpenSet* open, std::size_t heaps) noexcept {
  for (std::size_t h = 0; h < heaps; ++h) {
    for (std::size_t i = 0; i < pairs; ++i) {
      open[h].remove(values[first + i] ^ values[partner + h - i]);
    }
  }
}

void take_unmarked(std::uint8_t* marks, std::size_t rows, OpenSet& open) noexcept {
  open = {{}, open.base};
  for (std::uint32_t v = 0; v < kOpenRow * rows; ++v) {
    if (marks[v] == 0) open.insert(open.base + v);
    marks[v] = 0;
  }
}

template <class T>
constexpr TypedFilterKernels<T> kTyped{mark_taps<T>, filter_pairs<T>};
constexpr FilterKernels kKernels{
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>}, take_unmarked};

}  // namespace
}  // namespace grundy::scalar
#endif

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/filter_kernels.cpp"
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

using Bytes = hn::CappedTag<std::uint8_t, 64>;
using ByteVector = hn::Vec<Bytes>;

/// bytes[low] of an open set, for a vector of low bytes.
#if HWY_TARGET == HWY_AVX3_DL
class Lookup {
 public:
  explicit HWY_INLINE Lookup(const std::uint8_t* bytes)
      : lower_(hn::Load(Bytes(), bytes)), upper_(hn::Load(Bytes(), bytes + 64)) {}
  HWY_INLINE ByteVector operator()(ByteVector low) const {
    return ByteVector{_mm512_permutex2var_epi8(lower_.raw, low.raw, upper_.raw)};
  }

 private:
  ByteVector lower_;
  ByteVector upper_;
};
#else
class Lookup {
 public:
  explicit HWY_INLINE Lookup(const std::uint8_t* bytes) {
    for (std::size_t i = 0; i < kParts; ++i) part_[i] = hn::LoadDup128(Bytes(), bytes + 16 * i);
  }
  HWY_INLINE ByteVector operator()(ByteVector low) const {
    const Bytes d;
    auto found = hn::Zero(d);
    for (std::size_t i = 0; i < kParts; ++i) {
      // Below 16 if the byte is in this part. A look-up gives 0 for an index above 15 (Arm) or with
      // the highest bit set (x86, which ignores the three bits below it).
      auto index = hn::Xor(low, hn::Set(d, static_cast<std::uint8_t>(16 * i)));
#if HWY_ARCH_X86
      index = hn::SaturatedAdd(index, hn::Set(d, 0x70));
#endif
      found = hn::Or(found, hn::TableLookupBytesOr0(part_[i], index));
    }
    return found;
  }

 private:
  static constexpr std::size_t kParts = 8;
  ByteVector part_[kParts];
};
#endif

/// Tells which values of pairs are open. kBothHalves: whether the upper half of the set has values.
template <bool kBothHalves>
class OpenLookup {
 public:
  explicit HWY_INLINE OpenLookup(const OpenSet& open)
      : lower_(open.bytes),
        upper_(open.bytes + (kBothHalves ? kOpenRow : 0)),
        base_(hn::Set(Bytes(), value_high(open.base))),
        lower_bit_(hn::LoadDup128(Bytes(), kLowerBit)),
        upper_bit_(hn::LoadDup128(Bytes(), kUpperBit)) {}

  /// Not 0 if the pair reaches an open value, or a value above the set that looks like an open one.
  HWY_INLINE ByteVector operator()(ByteVector low, ByteVector high_up, ByteVector high_down) const {
    // A look-up of a bit gives 0 if the highest bit is set.
    const auto high = hn::Xor3(high_up, high_down, base_);
    const auto found = hn::And(lower_(low), hn::TableLookupBytesOr0(lower_bit_, high));
    if constexpr (!kBothHalves) return found;
    return hn::OrAnd(found, upper_(low), hn::TableLookupBytesOr0(upper_bit_, high));
  }

 private:
  alignas(16) static constexpr std::uint8_t kLowerBit[16] = {1, 2, 4, 8, 16, 32, 64, 128};
  alignas(16) static constexpr std::uint8_t kUpperBit[16] = {0, 0, 0, 0, 0,  0,  0,  0,
                                                             1, 2, 4, 8, 16, 32, 64, 128};
  Lookup lower_, upper_;
  ByteVector base_, lower_bit_, upper_bit_;
};

constexpr std::size_t kBatch = 2048;  ///< pairs between two looks at the hits
/// Words of hits that are looked at together.
constexpr std::size_t kHitWords = 8;

/// Removes the values of the pairs whose bits are set. @pre words behind the last one are 0, up to
/// the next multiple of kHitWords
template <class T>
HWY_INLINE void remove_hits(const std::uint64_t* hits, std::size_t words, const T* up,
                            const T* down, OpenSet& open) noexcept {
  const hn::CappedTag<std::uint64_t, kHitWords> d;
  std::uint64_t hit_words = 0;
  for (std::size_t w = 0; w < words; w += hn::Lanes(d)) {
    std::uint8_t some = 0;
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, hits + w), hn::Zero(d)), &some);
    hit_words |= std::uint64_t{some} << w;
  }
  for (; hit_words != 0; hit_words &= hit_words - 1) {
    const auto w = static_cast<std::size_t>(std::countr_zero(hit_words));
    for (std::uint64_t left = hits[w]; left != 0; left &= left - 1) {
      const std::size_t i = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      open.remove(up[i] ^ *(down - i));
    }
  }
}

/// Filters at most kBatch pairs of kHeaps heaps.
template <bool kBothHalves, std::size_t kHeaps, class T>
void filter_batch(const T* values, const ByteTable& table, std::uint64_t first,
                  std::uint64_t partner, std::size_t pairs, OpenSet* open) noexcept {
  const Bytes d;
  std::uint64_t hits[kHeaps][kBatch / 64];
  const std::size_t words = (pairs + 63) / 64;
  const std::uint8_t* const low_up = table.low + first;
  const std::uint8_t* const high_up = table.high + first;
  const std::uint8_t* const low_down = table.low_down - partner;
  const std::uint8_t* const high_down = table.high_down - partner;
  [&]<std::size_t... h>(std::index_sequence<h...>) HWY_ATTR {
    const OpenLookup<kBothHalves> lookup[] = {OpenLookup<kBothHalves>(open[h])...};
    // The last words may be filled in part, or not at all.
    (std::fill_n(hits[h] + (words - 1) / kHitWords * kHitWords, kHitWords, 0), ...);
    for (std::size_t i = 0; i < pairs; i += hn::Lanes(d)) {
      const auto low = hn::LoadU(d, low_up + i);
      const auto high = hn::LoadU(d, high_up + i);
      const auto look = [&](std::size_t heap) HWY_ATTR {
        const auto found = lookup[heap](hn::Xor(low, hn::LoadU(d, low_down + i - heap)), high,
                                        hn::LoadU(d, high_down + i - heap));
        hn::StoreMaskBits(d, hn::Ne(found, hn::Zero(d)),
                          reinterpret_cast<std::uint8_t*>(hits[heap]) + i / 8);
      };
      (look(h), ...);
    }
  }
  (std::make_index_sequence<kHeaps>());
  for (std::size_t h = 0; h < kHeaps; ++h) {
    if (pairs % 64 != 0) hits[h][words - 1] &= ~(~std::uint64_t{0} << pairs % 64);
    remove_hits(hits[h], words, values + first, values + partner + h, open[h]);
  }
}

template <std::size_t kHeaps, class T>
void filter_heaps(const T* values, const ByteTable& table, std::uint64_t first,
                  std::uint64_t partner, std::size_t pairs, OpenSet* open) noexcept {
  const Bytes d;
  auto upper = hn::Zero(d);
  for (std::size_t h = 0; h < kHeaps; ++h) {
    for (std::size_t i = kOpenRow; i < kOpenBytes; i += hn::Lanes(d)) {
      upper = hn::Or(upper, hn::Load(d, open[h].bytes + i));
    }
  }
  const bool one_half = hn::AllTrue(d, hn::Eq(upper, hn::Zero(d)));
  const auto filter = one_half ? filter_batch<false, kHeaps, T> : filter_batch<true, kHeaps, T>;
  while (pairs > 0) {
    const std::size_t some = std::min(pairs, kBatch);
    filter(values, table, first, partner, some, open);
    first += some;
    partner -= some;
    pairs -= some;
  }
}

template <class T>
void filter_pairs(const T* values, const ByteTable& table, std::uint64_t first,
                  std::uint64_t partner, std::size_t pairs, OpenSet* open,
                  std::size_t heaps) noexcept {
#if HWY_TARGET == HWY_AVX3_DL
  constexpr std::size_t kTogether = 4;
  for (; heaps >= kTogether; heaps -= kTogether, partner += kTogether, open += kTogether) {
    filter_heaps<kTogether>(values, table, first, partner, pairs, open);
  }
#endif
  for (; heaps > 0; --heaps, ++partner, ++open) {
    filter_heaps<1>(values, table, first, partner, pairs, open);
  }
}

template <class T>
void mark_taps(const T* values, const std::uint64_t* offset, const T* key, std::size_t taps,
               std::size_t heaps, std::uint8_t* marks, std::size_t stride) noexcept {
  constexpr std::size_t kHeaps = 16;
  constexpr std::size_t kTaps = 512;
  const hn::CappedTag<T, kHeaps> d;
  HWY_ALIGN T sums[kTaps * kHeaps];
  for (; heaps >= kHeaps; heaps -= kHeaps, values += kHeaps, marks += kHeaps * stride) {
    for (std::size_t begin = 0; begin < taps; begin += kTaps) {
      const std::size_t count = std::min(kTaps, taps - begin);
      for (std::size_t t = 0; t < count; ++t) {
        const T* const window = values - offset[begin + t];
        const auto k = hn::Set(d, key[begin + t]);
        for (std::size_t j = 0; j < kHeaps; j += hn::Lanes(d)) {
          hn::Store(hn::Xor(hn::LoadU(d, window + j), k), d, sums + kHeaps * t + j);
        }
      }
      for (std::size_t j = 0; j < kHeaps; ++j) {
        std::uint8_t* const mark = marks + stride * j;
#pragma GCC unroll 8
        for (std::size_t t = 0; t < count; ++t) mark[sums[kHeaps * t + j]] = 1;
      }
    }
  }
  scalar::mark_taps(values, offset, key, taps, heaps, marks, stride);
}

void take_unmarked(std::uint8_t* marks, std::size_t rows, OpenSet& open) noexcept {
  const Bytes d;
  const auto zero = hn::Zero(d);
  for (std::size_t half = 0; half < 2; ++half, marks += 8 * kOpenRow) {
    const std::size_t some = rows - std::min<std::size_t>(rows, 8 * half);
    for (std::size_t i = 0; i < kOpenRow; i += hn::Lanes(d)) {
      auto bits = zero;
      for (std::size_t row = 0; row < std::min<std::size_t>(some, 8); ++row) {
        std::uint8_t* const mark = marks + kOpenRow * row + i;
        const auto bit = hn::Set(d, static_cast<std::uint8_t>(1u << row));
        bits = hn::Or(bits, hn::IfThenElseZero(hn::Eq(hn::LoadU(d, mark), zero), bit));
        hn::StoreU(zero, d, mark);
      }
      hn::Store(bits, d, open.bytes + kOpenRow * half + i);
    }
  }
}

template <class T>
constexpr TypedFilterKernels<T> kTyped{mark_taps<T>, filter_pairs<T>};
constexpr FilterKernels kKernels{
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>}, take_unmarked};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(FilterKernels)
#endif
