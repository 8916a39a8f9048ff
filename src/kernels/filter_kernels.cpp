/// @file
/// mark_taps: vectors compute the values of 16 heaps under 512 taps and leave them in the
/// first-level cache. Scalar code marks them heap by heap, so that the marks of one heap stay in
/// that cache, too.
///
/// filter_pairs: look-ups in registers (open_lookup.hpp) tell which pairs reach an open value. With
/// AVX-512 the 4 loads for 64 pairs, two of which cross cache lines, take as long. Four heaps that
/// are a vector apart share all of them: what is loaded as the partners of one heap is kept for the
/// next. Other heaps share the loads of the smaller heaps.
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
                  std::size_t pairs, OpenSet* open, const std::uint32_t* which,
                  std::size_t heaps) noexcept {
  for (const std::uint32_t* h = which; h != which + heaps; ++h) {
    for (std::size_t i = 0; i < pairs; ++i) {
      open[*h].remove(values[first + i] ^ values[partner + *h - i]);
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

void pass_on(const LaggedUnions& of, OpenSet* sets, std::size_t count) noexcept {
  const std::size_t longest = of.lags[of.lag_count - 1];
  for (std::size_t k = 0; k < count + longest; ++k) {
    if (k < count) {
      for (std::size_t l = 0; l < of.lag_count; ++l) {
        const OpenSet& all = of.unions[k + longest - of.lags[l]];
        for (std::size_t i = 0; i < kOpenBytes; ++i) sets[k].bytes[i] &= all.bytes[i];
      }
    }
    std::uint8_t bytes[kOpenBytes] = {};
    for (std::size_t l = 0; l < of.lag_count; ++l) {
      const std::size_t set = k + of.lags[l];  // and `longest`
      if (set < longest || set >= count + longest) continue;
      for (std::size_t i = 0; i < kOpenBytes; ++i) bytes[i] |= sets[set - longest].bytes[i];
    }
    std::copy_n(bytes, kOpenBytes, of.unions[k].bytes);
  }
}

template <class T>
constexpr TypedFilterKernels<T> kTyped{mark_taps<T>, filter_pairs<T>};
constexpr FilterKernels kKernels{
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>}, take_unmarked, pass_on};

}  // namespace
}  // namespace grundy::scalar
#endif

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/filter_kernels.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target.h includes this file again, once for every target.
#include <hwy/highway.h>

#include "kernels/open_lookup.hpp"
#include "kernels/targets.hpp"

// Highway's stand-ins for processors without vectors are left out: the set `scalar` serves those.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kBatch = 2048;  ///< pairs between two looks at the hits
constexpr std::size_t kBatchWords = kBatch / 64;

/// Removes the values of the pairs whose bits are set, of some heaps in one loop, because
/// processors do not foresee where a loop over hits ends. Heap which[h] has the bits of word
/// kBatchWords h and of the next ones. @param down the partner of the first pair of heap 0
template <std::size_t kHeaps, class T>
HWY_INLINE void remove_hits(const std::uint64_t* hits, const T* up, const T* down, OpenSet* open,
                            const std::uint32_t* which) noexcept {
  const hn::CappedTag<std::uint64_t, 8> d;
  constexpr std::size_t kWords = HWY_MIN(kHeaps * kBatchWords, 64);
  for (std::size_t begin = 0; begin < kHeaps * kBatchWords; begin += kWords) {
    std::uint64_t hit_words = 0;
    for (std::size_t w = 0; w < kWords; w += hn::Lanes(d)) {
      std::uint8_t some = 0;
      hn::StoreMaskBits(d, hn::Ne(hn::Load(d, hits + begin + w), hn::Zero(d)), &some);
      hit_words |= std::uint64_t{some} << w;
    }
    for (; hit_words != 0; hit_words &= hit_words - 1) {
      const auto w = begin + static_cast<std::size_t>(std::countr_zero(hit_words));
      const std::uint32_t heap = which[w / kBatchWords];
      for (std::uint64_t left = hits[w]; left != 0; left &= left - 1) {
        const std::size_t i =
            64 * (w % kBatchWords) + static_cast<std::size_t>(std::countr_zero(left));
        open[heap].remove(up[i] ^ *(down + heap - i));
      }
    }
  }
}

/// The values of the pairs of some heaps, vector by vector, from the base of the open set on. Here
/// each heap has loads of its own.
template <std::size_t kHeaps>
class OwnPartners {
 public:
  static constexpr std::size_t kCount = kHeaps;

  HWY_INLINE OwnPartners(const std::uint8_t* low, const std::uint8_t* high, const OpenSet* open,
                         const std::uint32_t* which)
      : low_(low), high_(high) {
    for (std::size_t h = 0; h < kHeaps; ++h) {
      offset_[h] = -static_cast<std::ptrdiff_t>(which[h]);
      base_[h] = hn::Set(Bytes(), value_high(open[which[h]].base));
    }
  }
  HWY_INLINE void load(std::ptrdiff_t i, ByteVector low, ByteVector high) {
    at_ = i;
    low_up_ = low;
    high_up_ = high;
  }
  template <std::size_t h>
  HWY_INLINE PairValues values() const {
    const std::ptrdiff_t at = at_ + offset_[h];
    return {hn::Xor(low_up_, hn::LoadU(Bytes(), low_ + at)),
            hn::Xor3(high_up_, hn::LoadU(Bytes(), high_ + at), base_[h])};
  }

 private:
  const std::uint8_t* low_;
  const std::uint8_t* high_;
  std::ptrdiff_t offset_[kHeaps];
  ByteVector base_[kHeaps];
  std::ptrdiff_t at_ = 0;
  ByteVector low_up_, high_up_;
};

#if HWY_TARGET <= HWY_AVX3
/// The same for four heaps that are kFilterApart apart, a vector: what was loaded for one heap goes
/// on to the next. They have one base.
class SharedPartners {
 public:
  static constexpr std::size_t kCount = 4;
  static_assert(hn::MaxLanes(Bytes()) == kFilterApart);

  HWY_INLINE SharedPartners(const std::uint8_t* low, const std::uint8_t* high, const OpenSet* open,
                            const std::uint32_t* which)
      : base_(hn::Set(Bytes(), value_high(open[*which].base))),
        low_(low - *which),
        high_(high - *which),
        up_(base_, base_),  // any: load() comes first
        at0_(partners(-kApart)),
        at1_(partners(-2 * kApart)),
        at2_(partners(-3 * kApart)),
        at3_(at2_) {}
  HWY_INLINE void load(std::ptrdiff_t i, ByteVector low, ByteVector high) {
    up_ = {low, hn::Xor(high, base_)};
    at3_ = at2_;
    at2_ = at1_;
    at1_ = at0_;
    at0_ = partners(i);
  }
  template <std::size_t h>
  HWY_INLINE PairValues values() const {
    return up_ ^ (h == 0 ? at0_ : h == 1 ? at1_ : h == 2 ? at2_ : at3_);
  }

 private:
  static constexpr auto kApart = static_cast<std::ptrdiff_t>(kFilterApart);

  HWY_INLINE PairValues partners(std::ptrdiff_t i) const {
    return {hn::LoadU(Bytes(), low_ + i), hn::LoadU(Bytes(), high_ + i)};
  }

  ByteVector base_;
  const std::uint8_t* low_;
  const std::uint8_t* high_;
  PairValues up_;
  /// The partners of each heap. (Compilers keep arrays of vectors in memory.)
  PairValues at0_, at1_, at2_, at3_;
};
#endif

/// Filters at most kBatch pairs of some heaps.
template <bool kBothHalves, class Partners, class T>
void filter_batch(const T* values, const ByteTable& table, std::uint64_t first,
                  std::uint64_t partner, std::size_t pairs, OpenSet* open,
                  const std::uint32_t* which) noexcept {
  const Bytes d;
  constexpr std::size_t kHeaps = Partners::kCount;
  alignas(64) std::uint64_t hits[kHeaps * kBatchWords];
  if (pairs < kBatch) std::ranges::fill(hits, 0);
  const std::uint8_t* const low_up = table.low + first;
  const std::uint8_t* const high_up = table.high + first;
  [&]<std::size_t... h>(std::index_sequence<h...>) HWY_ATTR {
    const BitLookup bits;
    const OpenLookup<kBothHalves> lookup[] = {OpenLookup<kBothHalves>(open[which[h]])...};
    Partners partners(table.low_down - partner, table.high_down - partner, open, which);
    for (std::size_t i = 0; i < pairs; i += hn::Lanes(d)) {
      partners.load(static_cast<std::ptrdiff_t>(i), hn::LoadU(d, low_up + i),
                    hn::LoadU(d, high_up + i));
      (hn::StoreMaskBits(d, lookup[h](bits, partners.template values<h>()),
                         reinterpret_cast<std::uint8_t*>(hits + h * kBatchWords) + i / 8),
       ...);
    }
  }
  (std::make_index_sequence<kHeaps>());
  for (std::size_t h = 0; h < kHeaps; ++h) {
    if (pairs % 64 != 0) hits[h * kBatchWords + pairs / 64] &= ~(~std::uint64_t{0} << pairs % 64);
  }
  remove_hits<kHeaps>(hits, values + first, values + partner, open, which);
}

template <class Partners, class T>
void filter_heaps(const T* values, const ByteTable& table, std::uint64_t first,
                  std::uint64_t partner, std::size_t pairs, OpenSet* open,
                  const std::uint32_t* which) noexcept {
  const Bytes d;
  auto upper = hn::Zero(d);
  for (std::size_t h = 0; h < Partners::kCount; ++h) {
    for (std::size_t i = kOpenRow; i < kOpenBytes; i += hn::Lanes(d)) {
      upper = hn::Or(upper, hn::Load(d, open[which[h]].bytes + i));
    }
  }
  const bool one_half = hn::AllTrue(d, hn::Eq(upper, hn::Zero(d)));
  const auto filter = one_half ? filter_batch<false, Partners, T> : filter_batch<true, Partners, T>;
  while (pairs > 0) {
    const std::size_t some = std::min(pairs, kBatch);
    filter(values, table, first, partner, some, open, which);
    first += some;
    partner -= some;
    pairs -= some;
  }
}

template <class T>
void filter_pairs(const T* values, const ByteTable& table, std::uint64_t first,
                  std::uint64_t partner, std::size_t pairs, OpenSet* open,
                  const std::uint32_t* which, std::size_t heaps) noexcept {
#if HWY_TARGET <= HWY_AVX3
  constexpr std::size_t kTogether = SharedPartners::kCount;
  for (; heaps >= kTogether; heaps -= kTogether, which += kTogether) {
    bool share = true;
    for (std::size_t h = 1; h < kTogether; ++h) {
      share &= which[h] == which[h - 1] + kFilterApart && open[which[h]].base == open[*which].base;
    }
    const auto filter =
        share ? filter_heaps<SharedPartners, T> : filter_heaps<OwnPartners<kTogether>, T>;
    filter(values, table, first, partner, pairs, open, which);
  }
#endif
  for (; heaps > 0; --heaps, ++which) {
    filter_heaps<OwnPartners<1>>(values, table, first, partner, pairs, open, which);
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

/// @tparam kLags the number of lags; 0 for any
template <std::size_t kLags>
void pass_on_lags(const LaggedUnions& of, OpenSet* sets, std::size_t count) noexcept {
  const Bytes d;
  const std::size_t lag_count = kLags == 0 ? of.lag_count : kLags;
  const std::size_t longest = of.lags[lag_count - 1];
  for (std::size_t k = 0; k < count + longest; ++k) {
    if (k < count) {
      for (std::size_t i = 0; i < kOpenBytes; i += hn::Lanes(d)) {
        auto left = hn::Load(d, sets[k].bytes + i);
        for (std::size_t l = 0; l < lag_count; ++l) {
          left = hn::And(left, hn::Load(d, of.unions[k + longest - of.lags[l]].bytes + i));
        }
        hn::Store(left, d, sets[k].bytes + i);
      }
    }
    const bool inner = k >= longest && k < count;
    for (std::size_t i = 0; i < kOpenBytes; i += hn::Lanes(d)) {
      auto all = hn::Zero(d);
      for (std::size_t l = 0; l < lag_count; ++l) {
        const std::size_t set = k + of.lags[l];  // and `longest`
        if (!inner && (set < longest || set >= count + longest)) continue;
        all = hn::Or(all, hn::Load(d, sets[set - longest].bytes + i));
      }
      hn::Store(all, d, of.unions[k].bytes + i);
    }
  }
}

void pass_on(const LaggedUnions& of, OpenSet* sets, std::size_t count) noexcept {
  const auto pass = of.lag_count == 2   ? pass_on_lags<2>
                    : of.lag_count == 3 ? pass_on_lags<3>
                                        : pass_on_lags<0>;
  pass(of, sets, count);
}

template <class T>
constexpr TypedFilterKernels<T> kTyped{mark_taps<T>, filter_pairs<T>};
constexpr FilterKernels kKernels{
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>}, take_unmarked, pass_on};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(FilterKernels)
#endif
