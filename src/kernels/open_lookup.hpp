/// @file
/// Tells which values of a vector of pairs are open (filter_kernels.hpp), by look-ups in registers.
/// Each target compiles this file anew, so it has no usual include guard.
///
/// With AVX-512 VBMI the low byte of a nim-sum looks up one of 128 bytes of the open set, and the
/// high byte looks up a one-bit mask. The value is open if the two have a common bit. That takes 5
/// operations for 64 pairs, and 3 more if both halves of the set have values. With AVX-512 alone,
/// bits 0 to 5 of a value choose one of 64 words, and the next four choose a bit of it: 16
/// operations, of which 5 make words of bytes, and 8 more for both halves. Other targets do as with
/// VBMI, but the look-up in 128 bytes is put together from 8 look-ups in 16 bytes, and takes
/// longest.
// SPDX-License-Identifier: MIT
#if defined(GRUNDY_KERNELS_OPEN_LOOKUP) == defined(HWY_TARGET_TOGGLE)
#ifdef GRUNDY_KERNELS_OPEN_LOOKUP
#undef GRUNDY_KERNELS_OPEN_LOOKUP
#else
#define GRUNDY_KERNELS_OPEN_LOOKUP
#endif

#include <cstddef>
#include <cstdint>

#include <hwy/highway.h>

#include "kernels/filter_kernels.hpp"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<std::uint8_t, 64>;
using ByteVector = hn::Vec<Bytes>;

#if HWY_TARGET == HWY_AVX3
/// One half of an open set as 64 words. Bits 0 to 5 of a value choose the word, and bits 6 to 9 the
/// bit.
class WordLookup {
 public:
  /// @param bytes of an OpenSet. Bits of values with bit 6 lie in the second line.
  explicit HWY_INLINE WordLookup(const std::uint8_t* bytes) {
    const Bytes d;
    const auto without = hn::Load(d, bytes), with = hn::Load(d, bytes + 64);
    const auto low = spread(hn::And(without, hn::Set(d, 15)), hn::And(with, hn::Set(d, 15)));
    const auto high = spread(hn::ShiftRight<4>(without), hn::ShiftRight<4>(with));
    const __m512i lower = hn::InterleaveLower(d, low, high).raw;
    const __m512i upper = hn::InterleaveUpper(d, low, high).raw;
    first_ = _mm512_permutex2var_epi64(lower, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), upper);
    last_ = _mm512_permutex2var_epi64(lower, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), upper);
  }
  /// Bit 0 of each word: the bit of the value. It is 0 if there is no such bit.
  HWY_INLINE __m512i operator()(__m512i values, __m512i bit) const {
    return _mm512_srlv_epi16(_mm512_permutex2var_epi16(first_, values, last_), bit);
  }

 private:
  /// The bits of two vectors of four bits in turn.
  static HWY_INLINE ByteVector spread(ByteVector first, ByteVector second) {
    alignas(16) static constexpr std::uint8_t kSpread[16] = {0x00, 0x01, 0x04, 0x05, 0x10, 0x11,
                                                             0x14, 0x15, 0x40, 0x41, 0x44, 0x45,
                                                             0x50, 0x51, 0x54, 0x55};
    const auto table = hn::LoadDup128(Bytes(), kSpread);
    const auto bits = hn::TableLookupBytes(table, second);
    return hn::Or(hn::TableLookupBytes(table, first), hn::Add(bits, bits));
  }

  __m512i first_, last_;
};

/// The values of a vector of pairs, as words: those of even and of odd pairs.
class PairValues {
 public:
  HWY_INLINE PairValues(ByteVector low_bytes, ByteVector high_bytes) {
    const __m512i low = low_bytes.raw, high = high_bytes.raw;
    // Seven bits of the low byte, and all others of the high one. Bit 15 comes from the low byte of
    // the neighbour, where it is 0.
    const __m512i from_low = _mm512_set1_epi16(static_cast<short>(0x807f));
    even = choose(from_low, low, _mm512_slli_epi16(high, 7));
    odd = choose(from_low, _mm512_srli_epi16(low, 8), _mm512_srli_epi16(high, 1));
  }
  friend HWY_INLINE PairValues operator^(const PairValues& a, const PairValues& b) {
    return {_mm512_xor_si512(a.even, b.even), _mm512_xor_si512(a.odd, b.odd)};
  }
  /// The bits of a where the mask has ones, those of b elsewhere. It takes the register of b.
  static HWY_INLINE __m512i choose(__m512i mask, __m512i a, __m512i b) {
    return _mm512_ternarylogic_epi64(b, mask, a, 0xb8);
  }

  __m512i even, odd;

 private:
  HWY_INLINE PairValues(__m512i of_even, __m512i of_odd) : even(of_even), odd(of_odd) {}
};

/// What the look-ups of all sets have in common: nothing, because words have the bits.
struct BitLookup {};

/// As for other targets, below.
template <bool kBothHalves>
class OpenLookup {
 public:
  explicit HWY_INLINE OpenLookup(const OpenSet& open)
      : lower_(open.bytes), upper_(open.bytes + (kBothHalves ? kOpenRow : 0)) {}

  HWY_INLINE hn::Mask<Bytes> operator()(const BitLookup&, const PairValues& values) const {
    const __m512i odd = _mm512_slli_epi16(is_open(values.odd), 8);
    const __m512i both = PairValues::choose(_mm512_set1_epi16(0xff), is_open(values.even), odd);
    return hn::Mask<Bytes>{_mm512_test_epi8_mask(both, _mm512_set1_epi8(1))};
  }

 private:
  /// Bit 0 of each word: whether the value is open.
  HWY_INLINE __m512i is_open(__m512i values) const {
    const __m512i bit = _mm512_srli_epi16(values, 6);
    const __m512i lower = lower_(values, bit);
    if constexpr (!kBothHalves) return lower;
    return _mm512_or_si512(lower, upper_(values, _mm512_sub_epi16(bit, _mm512_set1_epi16(16))));
  }

  WordLookup lower_, upper_;
};

#else

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
    const Bytes d;
    for (std::size_t i = 0; i < kParts; ++i) {
      part_[i] = hn::LoadDup128(d, bytes + 16 * i);
#if HWY_ARCH_X86
      if (i > 0) part_[i] = hn::Xor(part_[i], hn::LoadDup128(d, bytes + 16 * (i - 1)));
#endif
    }
  }
  HWY_INLINE ByteVector operator()(ByteVector low) const {
    const Bytes d;
    auto found = hn::TableLookupBytesOr0(part_[0], low);
    for (std::size_t i = 1; i < kParts; ++i) {
#if HWY_ARCH_X86
      // Only 4 bits of an index count, and a negative one gives 0. So the sum of all parts up to
      // that of the byte is found. Each part is the sum of its bytes and those of the part before.
      low = hn::Sub(low, hn::Set(d, 16));
      found = hn::Xor(found, hn::TableLookupBytesOr0(part_[i], low));
#else
      // The index is below 16 if the byte is in this part.
      const auto index = hn::Xor(low, hn::Set(d, static_cast<std::uint8_t>(16 * i)));
      found = hn::Or(found, hn::TableLookupBytesOr0(part_[i], index));
#endif
    }
    return found;
  }

 private:
  static constexpr std::size_t kParts = 8;
  ByteVector part_[kParts];
};
#endif

HWY_INLINE hn::Mask<Bytes> have_common_bit(ByteVector a, ByteVector b) {
#if HWY_TARGET == HWY_AVX3_DL
  return hn::Mask<Bytes>{_mm512_test_epi8_mask(a.raw, b.raw)};
#else
  return hn::Ne(hn::And(a, b), hn::Zero(Bytes()));
#endif
}

/// The bit of a value in a byte of an open set, for a vector of high bytes. It is 0 where these
/// have one of the bits 4 to 7 (4 to 6 with AVX-512 VBMI): few values beyond the set look like open
/// ones.
class BitLookup {
 public:
  HWY_INLINE BitLookup()
      : lower_(table(kLower)), upper_(table(kUpper)), either_(hn::Or(lower_, upper_)) {}

  /// 0 for values of the upper half.
  HWY_INLINE ByteVector lower(ByteVector high) const { return look_up(lower_, high); }
  /// 0 for values of the lower half.
  HWY_INLINE ByteVector upper(ByteVector high) const { return look_up(upper_, high); }
  HWY_INLINE ByteVector either(ByteVector high) const { return look_up(either_, high); }

 private:
#if HWY_TARGET == HWY_AVX3_DL
  static HWY_INLINE ByteVector table(const std::uint8_t* bits) {
    return hn::Load(Bytes(), bits);
  }
  static HWY_INLINE ByteVector look_up(ByteVector bits, ByteVector high) {
    return ByteVector{_mm512_permutex2var_epi8(bits.raw, high.raw, hn::Zero(Bytes()).raw)};
  }
#else
  static HWY_INLINE ByteVector table(const std::uint8_t* bits) {
    return hn::LoadDup128(Bytes(), bits);
  }
  static HWY_INLINE ByteVector look_up(ByteVector bits, ByteVector high) {
#if HWY_ARCH_X86
    // A look-up gives 0 if the highest bit is set, and ignores the three bits below it.
    high = hn::SaturatedAdd(high, hn::Set(Bytes(), 0x70));
#endif
    return hn::TableLookupBytesOr0(bits, high);
  }
#endif

  alignas(64) static constexpr std::uint8_t kLower[64] = {1, 2, 4, 8, 16, 32, 64, 128};
  alignas(64) static constexpr std::uint8_t kUpper[64] = {0, 0, 0, 0, 0,  0,  0,  0,
                                                          1, 2, 4, 8, 16, 32, 64, 128};
  ByteVector lower_, upper_, either_;
};

/// The values of a vector of pairs.
struct PairValues {
  ByteVector low, high;

  HWY_INLINE PairValues(ByteVector low_bytes, ByteVector high_bytes)
      : low(low_bytes), high(high_bytes) {}
  friend HWY_INLINE PairValues operator^(const PairValues& a, const PairValues& b) {
    return {hn::Xor(a.low, b.low), hn::Xor(a.high, b.high)};
  }
};

/// Tells which values of pairs are open. kBothHalves: whether the upper half of the set has values.
template <bool kBothHalves>
class OpenLookup {
 public:
  explicit HWY_INLINE OpenLookup(const OpenSet& open)
      : lower_(open.bytes), upper_(open.bytes + (kBothHalves ? kOpenRow : 0)) {}

  /// Whether a pair reaches an open value, or a value above the set that looks like an open one.
  /// @param values counted from the base of the set on
  HWY_INLINE hn::Mask<Bytes> operator()(const BitLookup& bits, const PairValues& values) const {
    const ByteVector low = values.low, high = values.high;
    if constexpr (!kBothHalves) {
      return have_common_bit(lower_(low), bits.lower(high));
    } else {
#if HWY_TARGET == HWY_AVX3_DL
      const hn::Mask<Bytes> in_upper{_mm512_test_epi8_mask(high.raw, hn::Set(Bytes(), 8).raw)};
      return have_common_bit(hn::IfThenElse(in_upper, upper_(low), lower_(low)), bits.either(high));
#else
      const auto found =
          hn::OrAnd(hn::And(lower_(low), bits.lower(high)), upper_(low), bits.upper(high));
      return hn::Ne(found, hn::Zero(Bytes()));
#endif
    }
  }

 private:
  Lookup lower_, upper_;
};
#endif  // AVX-512 without VBMI

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors
#endif  // include guard of a target
