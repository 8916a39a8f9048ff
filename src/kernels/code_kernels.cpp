/// @file
/// join_planes: bytes of neighbouring planes are put side by side, then pairs of them, then fours.
///
/// mark_sets: a variable shift makes the one-bit set of a reached code, for 8 heaps in a vector
/// (AVX-512).
///
/// decide: the loop over few taps is unrolled, so that they stay in registers.
///
/// translate: a shuffle of bytes looks up in 16 entries, once for each 16 entries of a table. There
/// is no form for AVX-512 VBMI, which looks up in 64 entries: it would gain 1 % of a run.
// SPDX-License-Identifier: MIT
#include "kernels/code_kernels.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#ifndef GRUNDY_CODE_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_CODE_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

void join_planes(const std::uint8_t* planes, std::size_t count, std::uint64_t* sets) noexcept {
  std::fill_n(sets, 64, std::uint64_t{0});
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t j = 0; j < 64; ++j) sets[j] |= std::uint64_t{planes[64 * p + j]} << 8 * p;
  }
}

void mark_sets(const std::uint8_t* codes, TapView taps, std::uint64_t* sets,
               std::size_t heaps) noexcept {
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    for (std::size_t t = run->begin; t < run->end; ++t) {
      for (std::size_t j = 0; j < heaps; ++j) {
        const std::uint32_t code =
            codes[static_cast<std::ptrdiff_t>(j - taps.offsets[t])] ^ run->code;
        if (code < 64) sets[j] |= std::uint64_t{1} << code;
      }
    }
  }
}

std::size_t decide(std::uint8_t* codes, TapSequence taps, const std::uint64_t* sets,
                   std::size_t heaps, std::uint64_t cap) noexcept {
  for (std::size_t j = 0; j < heaps; ++j) {
    std::uint64_t set = sets[j];
    for (std::size_t t = 0; t < taps.count; ++t) {
      set |= std::uint64_t{1} << (codes[static_cast<std::ptrdiff_t>(j - taps.offsets[t])] ^
                                  taps.codes[t]);
    }
    const auto code = static_cast<std::uint64_t>(std::countr_one(set));
    if (code >= cap) return j;
    codes[j] = static_cast<std::uint8_t>(code);
  }
  return heaps;
}

std::uint8_t entry_of(const std::uint8_t* table, std::size_t size, std::uint8_t code) noexcept {
  return code < size ? table[code] : std::uint8_t{0};
}

void translate(const std::uint8_t* codes, std::size_t heaps, CodeTableView tables,
               std::uint8_t* out) noexcept {
  for (std::size_t j = 0; j < heaps; ++j) {
    out[j] = entry_of(j % 2 == 0 ? tables.even : tables.odd, tables.size, codes[j]);
  }
}

constexpr CodeKernels kKernels{join_planes, mark_sets, decide, translate};

}  // namespace
}  // namespace grundy::scalar
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/code_kernels.cpp"
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

void join_planes(const std::uint8_t* planes, std::size_t count, std::uint64_t* sets) noexcept {
  const hn::FixedTag<std::uint8_t, 16> d8;
  const hn::FixedTag<std::uint16_t, 8> d16;
  const hn::FixedTag<std::uint32_t, 4> d32;
  const hn::FixedTag<std::uint64_t, 2> d64;
  const auto zero = hn::Zero(d8);
  for (std::size_t j = 0; j < 64; j += 16) {
    const auto plane = [&](std::size_t p) HWY_ATTR {
      return p < count ? hn::LoadU(d8, planes + 64 * p + j) : zero;
    };
    const auto p0 = plane(0), p1 = plane(1), p2 = plane(2), p3 = plane(3);
    const auto p4 = plane(4), p5 = plane(5), p6 = plane(6), p7 = plane(7);
    // Writes eight heaps: the lower or the upper halves of the planes.
    const auto write = [&](auto interleave, std::uint64_t* to) HWY_ATTR {
      const auto two0 = hn::BitCast(d16, interleave(p0, p1)),
                 two1 = hn::BitCast(d16, interleave(p2, p3));
      const auto two2 = hn::BitCast(d16, interleave(p4, p5)),
                 two3 = hn::BitCast(d16, interleave(p6, p7));
      const auto low0 = hn::BitCast(d32, hn::InterleaveLower(d16, two0, two1));
      const auto low1 = hn::BitCast(d32, hn::InterleaveLower(d16, two2, two3));
      const auto high0 = hn::BitCast(d32, hn::InterleaveUpper(d16, two0, two1));
      const auto high1 = hn::BitCast(d32, hn::InterleaveUpper(d16, two2, two3));
      hn::StoreU(hn::BitCast(d64, hn::InterleaveLower(d32, low0, low1)), d64, to);
      hn::StoreU(hn::BitCast(d64, hn::InterleaveUpper(d32, low0, low1)), d64, to + 2);
      hn::StoreU(hn::BitCast(d64, hn::InterleaveLower(d32, high0, high1)), d64, to + 4);
      hn::StoreU(hn::BitCast(d64, hn::InterleaveUpper(d32, high0, high1)), d64, to + 6);
    };
    write([&](auto a, auto b) HWY_ATTR { return hn::InterleaveLower(d8, a, b); }, sets + j);
    write([&](auto a, auto b) HWY_ATTR { return hn::InterleaveUpper(d8, a, b); }, sets + j + 8);
  }
}

/// 1 << x in each lane, and 0 in lanes with x >= 64.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V one_bit(D d, V x) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return hn::Shl(hn::Set(d, 1), x);  // VPSLLVQ gives 0 if x >= 64
#else
  const V bit = hn::Shl(hn::Set(d, 1), hn::And(x, hn::Set(d, 63)));
  return hn::IfThenElseZero(hn::Eq(hn::ShiftRight<6>(x), hn::Zero(d)), bit);
#endif
}

/// The bytes as words.
template <class D>
HWY_INLINE hn::Vec<D> promoted(D d, const std::uint8_t* bytes) {
  const hn::Rebind<std::uint32_t, D> d32;
  return hn::PromoteTo(d, hn::PromoteTo(d32, hn::LoadU(hn::Rebind<std::uint8_t, D>(), bytes)));
}

template <std::size_t kVectors>
HWY_INLINE void mark_vectors(const std::uint8_t* codes, const TapView& taps, std::uint64_t* sets) {
  const hn::CappedTag<std::uint64_t, 8> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), 8);
  hn::Vec<decltype(d)> all[kVectors];
  for (std::size_t i = 0; i < kVectors; ++i) all[i] = hn::LoadU(d, sets + i * kLanes);
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    const auto code = hn::Set(d, std::uint64_t{run->code});
    for (std::size_t t = run->begin; t < run->end; ++t) {
      const std::uint8_t* const partner = codes - static_cast<std::ptrdiff_t>(taps.offsets[t]);
      for (std::size_t i = 0; i < kVectors; ++i) {
        const auto x = hn::Xor(promoted(d, partner + i * kLanes), code);
        all[i] = hn::Or(all[i], one_bit(d, x));
      }
    }
  }
  for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(all[i], d, sets + i * kLanes);
}

void mark_sets(const std::uint8_t* codes, TapView taps, std::uint64_t* sets,
               std::size_t heaps) noexcept {
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), 8);
  std::size_t j = 0;
  for (; j + 8 * kLanes <= heaps; j += 8 * kLanes) mark_vectors<8>(codes + j, taps, sets + j);
  for (; j < heaps; j += kLanes) mark_vectors<1>(codes + j, taps, sets + j);
}

template <std::size_t kTaps>
std::size_t decide_with(std::uint8_t* codes, TapSequence taps, const std::uint64_t* sets,
                        std::size_t heaps, std::uint64_t cap) noexcept {
  const std::uint8_t* partners[kTaps + 1];
  std::uint64_t tap_codes[kTaps + 1];  // copies, because a written code may alias the codes of taps
  for (std::size_t t = 0; t < kTaps; ++t) {
    partners[t] = codes - static_cast<std::ptrdiff_t>(taps.offsets[t]);
    tap_codes[t] = taps.codes[t];
  }
  for (std::size_t j = 0; j < heaps; ++j) {
    std::uint64_t set = sets[j];
    for (std::size_t t = 0; t < kTaps; ++t) {
      set |= std::uint64_t{1} << ((partners[t][j] ^ tap_codes[t]) & 63);
    }
    const auto code = static_cast<std::uint64_t>(std::countr_one(set));
    if (code >= cap) return j;
    codes[j] = static_cast<std::uint8_t>(code);
  }
  return heaps;
}

std::size_t decide(std::uint8_t* codes, TapSequence taps, const std::uint64_t* sets,
                   std::size_t heaps, std::uint64_t cap) noexcept {
  constexpr decltype(&decide_with<0>) kWith[] = {decide_with<0>, decide_with<1>, decide_with<2>,
                                                 decide_with<3>, decide_with<4>, decide_with<5>,
                                                 decide_with<6>, decide_with<7>, decide_with<8>};
  const bool few = taps.count < std::size(kWith);
  return (few ? kWith[taps.count] : scalar::decide)(codes, taps, sets, heaps, cap);
}

using Bytes = hn::ScalableTag<std::uint8_t>;
using ByteVector = hn::Vec<Bytes>;

/// Holds the first 16 * kTables entries of a table.
template <std::size_t kTables>
class Table {
 public:
  HWY_INLINE explicit Table(const std::uint8_t* entries) {
    for (std::size_t k = 0; k < kTables; ++k) part_[k] = hn::LoadDup128(Bytes(), entries + 16 * k);
  }

  HWY_INLINE ByteVector operator[](ByteVector codes) const {
    const Bytes d;
    const auto upper = hn::Set(d, 0x70);
    auto entries = hn::Zero(d);
    for (std::size_t k = 0; k < kTables; ++k) {
      // The place in the part; 0x80 or more outside of the part, which gives 0.
      const auto place = hn::Xor(codes, hn::Set(d, static_cast<std::uint8_t>(16 * k)));
      const auto index = hn::Xor(hn::SaturatedAdd(place, upper), upper);
      entries = hn::Or(entries, hn::TableLookupBytesOr0(part_[k], index));
    }
    return entries;
  }

 private:
  ByteVector part_[kTables];
};

template <std::size_t kTables>
void translate_with(const std::uint8_t* codes, std::size_t heaps, CodeTableView tables,
                    std::uint8_t* out) noexcept {
  const Bytes d;
  const std::size_t N = hn::Lanes(d);
  const auto odd = hn::Ne(hn::And(hn::Iota(d, 0), hn::Set(d, 1)), hn::Zero(d));
  const Table<kTables> of_even(tables.even), of_odd(tables.odd);
  std::size_t j = 0;
  for (; j + N <= heaps; j += N) {
    const auto some = hn::LoadU(d, codes + j);
    hn::StoreU(hn::IfThenElse(odd, of_odd[some], of_even[some]), d, out + j);
  }
  for (; j < heaps; ++j) {
    out[j] = scalar::entry_of(j % 2 == 0 ? tables.even : tables.odd, tables.size, codes[j]);
  }
}

void translate(const std::uint8_t* codes, std::size_t heaps, CodeTableView tables,
               std::uint8_t* out) noexcept {
  switch (tables.size / 16) {
    case 1:
      return translate_with<1>(codes, heaps, tables, out);
    case 2:
      return translate_with<2>(codes, heaps, tables, out);
    case 4:
      return translate_with<4>(codes, heaps, tables, out);
    case 8:
      return translate_with<8>(codes, heaps, tables, out);
    case 16:
      return translate_with<16>(codes, heaps, tables, out);
    default:
      return scalar::translate(codes, heaps, tables, out);
  }
}

constexpr CodeKernels kKernels{join_planes, mark_sets, decide, translate};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(CodeKernels)
#endif
