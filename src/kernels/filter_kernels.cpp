/// @file
/// mark_taps: vectors form the values of 16 heaps under 256 taps and leave them in the first cache
/// level; scalars mark them heap by heap, so that the marks of one heap stay there too.
///
/// filter_pairs: the low byte of a nim-sum looks up a byte of the open set, the high byte a
/// one-bit mask, and the two meet where the value is open. With byte permutations over 128 bytes
/// (AVX-512 VBMI) that is 4 loads and 7 operations for 64 pairs; elsewhere the lookup is put
/// together from 8 of 16 bytes.
// SPDX-License-Identifier: MIT
#include "kernels/filter_kernels.hpp"

#include <algorithm>
#include <bit>

#ifndef GRUNDY_FILTER_KERNELS_SCALAR  // once, not once a target
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
                  std::size_t pairs, OpenSet& open) noexcept {
  for (std::size_t i = 0; i < pairs; ++i) open.remove(values[first + i] ^ values[partner - i]);
}

void take_unmarked(std::uint8_t* marks, std::size_t eighths, OpenSet& open) noexcept {
  open = {};
  for (std::size_t v = 0; v < kOpenBytes * eighths; ++v) {
    const unsigned bit = marks[v] == 0 ? 1u << v / kOpenBytes : 0;
    open.bytes[v % kOpenBytes] = static_cast<std::uint8_t>(open.bytes[v % kOpenBytes] | bit);
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
namespace grundy {
namespace HWY_NAMESPACE {
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
      // Below 16 if the byte is in this part. A lookup gives 0 for an index above 15 (Arm) or with
      // the highest bit (x86, which ignores the three bits below that one).
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

template <class T>
void filter_pairs(const T* values, const ByteTable& table, std::uint64_t first,
                  std::uint64_t partner, std::size_t pairs, OpenSet& open) noexcept {
  constexpr std::size_t kBatch = 2048;
  const Bytes d;
  const std::size_t N = hn::Lanes(d);
  alignas(16) static constexpr std::uint8_t kOneBit[16] = {1, 2, 4, 8, 16, 32, 64, 128};
  const auto one_bit = hn::LoadDup128(d, kOneBit);
  const auto base = hn::Set(d, value_high(open.base));
  std::uint64_t hits[kBatch / 64];
  std::uint8_t hit_words[kBatch / 64 + 1];
  while (pairs > 0) {
    const std::size_t some = std::min(pairs, kBatch);
    const std::size_t words = (some + 63) / 64;
    hits[words - 1] = 0;
    const std::uint8_t* const low_up = table.low + first;
    const std::uint8_t* const high_up = table.high + first;
    const std::uint8_t* const low_down = table.low_down - partner;
    const std::uint8_t* const high_down = table.high_down - partner;
    const Lookup lookup(open.bytes);
    for (std::size_t i = 0; i < some; i += N) {
      const auto low = hn::Xor(hn::LoadU(d, low_up + i), hn::LoadU(d, low_down + i));
      const auto high = hn::Xor3(hn::LoadU(d, high_up + i), hn::LoadU(d, high_down + i), base);
      const auto found = hn::And(lookup(low), hn::TableLookupBytesOr0(one_bit, high));
      hn::StoreMaskBits(d, hn::Ne(found, hn::Zero(d)),
                        reinterpret_cast<std::uint8_t*>(hits) + i / 8);
    }
    if (some % 64 != 0) hits[words - 1] &= ~(~std::uint64_t{0} << some % 64);
    std::size_t count = 0;
    for (std::size_t w = 0; w < words; ++w) {
      hit_words[count] = static_cast<std::uint8_t>(w);
      count += hits[w] != 0 ? 1 : 0;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t w = hit_words[k];
      for (std::uint64_t left = hits[w]; left != 0; left &= left - 1) {
        const std::size_t i = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
        open.remove(values[first + i] ^ values[partner - i]);
      }
    }
    first += some;
    partner -= some;
    pairs -= some;
  }
}

template <class T>
void mark_taps(const T* values, const std::uint64_t* offset, const T* key, std::size_t taps,
               std::size_t heaps, std::uint8_t* marks, std::size_t stride) noexcept {
  constexpr std::size_t kHeaps = 16;
  constexpr std::size_t kTaps = 256;
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
        for (std::size_t t = 0; t < count; ++t) mark[sums[kHeaps * t + j]] = 1;
      }
    }
  }
  scalar::mark_taps(values, offset, key, taps, heaps, marks, stride);
}

void take_unmarked(std::uint8_t* marks, std::size_t eighths, OpenSet& open) noexcept {
  const Bytes d;
  const auto zero = hn::Zero(d);
  open.base = 0;
  for (std::size_t i = 0; i < kOpenBytes; i += hn::Lanes(d)) {
    auto bits = zero;
    for (std::size_t eighth = 0; eighth < eighths; ++eighth) {
      std::uint8_t* const mark = marks + kOpenBytes * eighth + i;
      const auto bit = hn::Set(d, static_cast<std::uint8_t>(1u << eighth));
      bits = hn::Or(bits, hn::IfThenElseZero(hn::Eq(hn::LoadU(d, mark), zero), bit));
      hn::StoreU(zero, d, mark);
    }
    hn::Store(bits, d, open.bytes + i);
  }
}

template <class T>
constexpr TypedFilterKernels<T> kTyped{mark_taps<T>, filter_pairs<T>};
constexpr FilterKernels kKernels{
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>}, take_unmarked};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace grundy
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(FilterKernels)
#endif
