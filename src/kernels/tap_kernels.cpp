/// @file
/// mark_planes: 64 heaps in a load (AVX-512). Look-ups in tables in registers turn the lower bits
/// of a code into one bit, and the upper bits into a choice of planes. One three-way operation adds
/// a tap to a plane, so R taps and P planes cost R * P / 64 such operations for each heap. Few
/// planes stay in registers. For many planes of codes of two bytes, four taps at a time go through
/// all of them, so that the codes of a partner are read once. With more planes than kMostInFours
/// each mark is a store of a byte, which takes as long for any number of planes.
// SPDX-License-Identifier: MIT
#include "kernels/tap_kernels.hpp"

#include <array>
#include <cstring>
#include <utility>

#ifndef GRUNDY_TAP_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_TAP_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

template <class T>
void mark_planes(const T* codes, TapView taps, std::uint8_t* planes, std::size_t count) noexcept {
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    for (std::size_t t = run->begin; t < run->end; ++t) {
      for (std::size_t j = 0; j < 64; ++j) {
        const std::size_t code =
            codes[static_cast<std::ptrdiff_t>(j - taps.offsets[t])] ^ std::size_t{run->code};
        if (code >= count * kPlaneCodes) continue;
        planes[code / kPlaneCodes * 64 + j] |= static_cast<std::uint8_t>(1u << code % kPlaneCodes);
      }
    }
  }
}

template <class T>
constexpr TypedTapKernels<T> kTyped{mark_planes<T>};
constexpr TapKernels kKernels{{kTyped<std::uint8_t>, kTyped<std::uint16_t>}};

}  // namespace
}  // namespace grundy::scalar
#endif

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/tap_kernels.cpp"
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

using D = hn::CappedTag<std::uint8_t, 64>;
using V = hn::Vec<D>;

/// Stands for all high digits from here on. No group of planes that are marked by fours has it.
inline constexpr std::uint8_t kBeyond = 63;

/// Bytes that an index chooses from. They are repeated, because a look-up may take 16 of them, and
/// because only 6 bits of an index count with AVX-512 VBMI: among these high_digits() may leave
/// bits of a neighbouring code above its own 3 bits.
struct LookupTable {
  alignas(64) std::uint8_t bytes[64];
};

/// The number of low digits of codes of a byte, and of codes whose planes are marked by fours.
inline constexpr int kDigitsOfBytes = HWY_TARGET == HWY_AVX3_DL ? 5 : 4;
inline constexpr int kDigitsOfFours = HWY_TARGET <= HWY_AVX3 ? 5 : 4;
/// The number of entries that a look-up tells apart.
inline constexpr std::size_t kEntries = HWY_TARGET == HWY_AVX3_DL ? 64 : 16;

// low_digits() and high_digits() are those of codes of a byte. look_up() takes the entry of each
// index. Without VBMI it has those of kEntries groups, a part; index_in_part() makes an index for
// it of high digits, by which codes of other parts get 0.
#if HWY_TARGET == HWY_AVX3_DL
HWY_INLINE V low_digits(V code) {
  return code;
}
HWY_INLINE V high_digits(V code) {
  const hn::Repartition<std::uint16_t, D> d16;
  return hn::BitCast(D(), hn::ShiftRight<kDigitsOfBytes>(hn::BitCast(d16, code)));
}
HWY_INLINE V load_table(const LookupTable& table) {
  return hn::Load(D(), table.bytes);
}
HWY_INLINE V look_up(V table, V index) {
  return V{_mm512_permutexvar_epi8(index.raw, table.raw)};
}
HWY_INLINE V index_in_part(V high, std::size_t /*part*/) {
  return high;
}
#else
HWY_INLINE V low_digits(V code) {
  return hn::And(code, hn::Set(D(), (1 << kDigitsOfBytes) - 1));
}
HWY_INLINE V high_digits(V code) {
  return hn::ShiftRight<kDigitsOfBytes>(code);
}
HWY_INLINE V load_table(const LookupTable& table) {
  return hn::LoadDup128(D(), table.bytes);
}
HWY_INLINE V look_up(V table, V index) {
  return hn::TableLookupBytesOr0(table, index);
}
HWY_INLINE V index_in_part(V high, std::size_t part) {
  const V index = hn::Xor(high, hn::Set(D(), static_cast<std::uint8_t>(part * kEntries)));
#if HWY_ARCH_X86
  // A look-up gives 0 if the highest bit is set: if the index, at most kBeyond, is above 15.
  return hn::Add(index, hn::Set(D(), 0x70));
#else
  return index;
#endif
}
#endif

/// A table for groups of planes: all ones at the number of a group in its part of kEntries groups.
/// Each table has a line of the cache, because a load from two lines takes twice as long.
HWY_INLINE V group_number(std::size_t group) {
  static constexpr auto kOnes = [] {
    std::array<LookupTable, kEntries> tables{};
    for (std::size_t i = 0; i < 64; ++i) tables[i % kEntries].bytes[i] = 255;
    return tables;
  }();
  return load_table(kOnes[group % kEntries]);
}

/// The marks of one vector of reached codes. A plane has 8 codes. The low digits of a code choose
/// the bit, and the plane in a group; the high digits choose the group.
template <int kDigits>
class PlaneBits {
 public:
  static constexpr std::size_t kGroup = std::size_t{1} << kDigits >> 3;  ///< number of planes

  /// Of codes of a byte.
  HWY_INLINE explicit PlaneBits(V code) : PlaneBits(low_digits(code), high_digits(code)) {
    static_assert(kDigits == kDigitsOfBytes);
  }
  HWY_INLINE PlaneBits(V low, V high) : high_(high) {
#if HWY_TARGET == HWY_AVX3
    if constexpr (kGroup == 4) {  // two tables of 16 entries for either value of the fifth digit
      const V even = load_table(kTables.bit[0]), odd = load_table(kTables.bit[1]);
      const __mmask64 upper = _mm512_test_epi8_mask(low.raw, _mm512_set1_epi8(16));
      bits_[0] = V{_mm512_maskz_shuffle_epi8(~upper, even.raw, low.raw)};
      bits_[1] = V{_mm512_maskz_shuffle_epi8(~upper, odd.raw, low.raw)};
      bits_[2] = V{_mm512_maskz_shuffle_epi8(upper, even.raw, low.raw)};
      bits_[3] = V{_mm512_maskz_shuffle_epi8(upper, odd.raw, low.raw)};
      return;
    }
#endif
    for (std::size_t i = 0; i < kGroup; ++i) bits_[i] = look_up(load_table(kTables.bit[i]), low);
  }
  /// Adds the marks of plane kPlane to `marks`, if codes have a byte.
  template <std::size_t kPlane>
  HWY_INLINE V add_to(V marks) const {
    return add<kPlane % kGroup>(marks, look_up(load_table(kTables.group[kPlane / kGroup]), high_));
  }
  HWY_INLINE V high() const {
    return high_;
  }
  /// Adds the marks of plane kPlane of a group to `marks`.
  /// @param in_group all ones in the lanes whose codes belong to the group
  template <std::size_t kPlane>
  HWY_INLINE V add(V marks, V in_group) const {
    return hn::OrAnd(marks, bits_[kPlane], in_group);
  }

 private:
  static constexpr std::size_t kGroups = 32 / kGroup;  ///< of codes of a byte

  struct Tables {
    LookupTable bit[kGroup];     ///< by plane of the group: the bit for the low digits
    LookupTable group[kGroups];  ///< all ones if the high digits are those of the group
  };
  static constexpr Tables kTables = [] {
    Tables tables{};
    // An index tells so many planes. Two look-ups of other targets share a table.
    constexpr std::size_t kTold = HWY_MIN(kGroup, kEntries / 8);
    for (std::size_t i = 0; i < 64; ++i) {
      for (std::size_t plane = i / 8 % kTold; plane < kGroup; plane += kTold) {
        tables.bit[plane].bytes[i] = static_cast<std::uint8_t>(1u << i % 8);
      }
      tables.group[i % kGroups].bytes[i] = 255;
    }
    return tables;
  }();

  V bits_[kGroup];
  V high_;
};

/// Reads the codes of one vector of heaps as bytes. Codes of two bytes are narrowed; those that are
/// no bytes become 255.
template <class T>
class CodeBytes {
 public:
  /// The codes that a tap with this code reaches from partners.
  HWY_INLINE explicit CodeBytes(std::uint32_t code)
      : code_(hn::Set(Wide(), static_cast<T>(code))) {}
  HWY_INLINE V reached(const T* partners) const {
    if constexpr (sizeof(T) == 1) {
      return wide(partners);
    } else {
      return narrow(wide(partners), wide(partners + hn::Lanes(Wide())));
    }
  }
  /// The marks of these codes, which may be no bytes.
  HWY_INLINE PlaneBits<kDigitsOfFours> bits(const T* partners) const {
    static_assert(sizeof(T) == 2);
    constexpr int kDigits = kDigitsOfFours;
    const auto a = wide(partners);
    const auto b = wide(partners + hn::Lanes(Wide()));
    const auto low = hn::Set(Wide(), static_cast<T>((1 << kDigits) - 1));
    return {narrow(hn::And(a, low), hn::And(b, low)),
            hn::Min(narrow(hn::ShiftRight<kDigits>(a), hn::ShiftRight<kDigits>(b)),
                    hn::Set(D(), kBeyond))};
  }
  /// The plane of consecutive heaps in the order of reached(), and the way back.
  static HWY_INLINE V in_order_of_codes(V plane) { return moved(plane, false); }
  static HWY_INLINE V in_order_of_heaps(V plane) { return moved(plane, true); }

 private:
  using Wide = hn::Repartition<T, D>;

  HWY_INLINE hn::Vec<Wide> wide(const T* partners) const {
    return hn::Xor(hn::LoadU(Wide(), partners), code_);
  }

#if HWY_TARGET <= HWY_AVX2
  // An instruction narrows two vectors lane by lane (16 bytes). So the halves of lanes alternate.
  template <class W>
  static HWY_INLINE V narrow(W a, W b) {
    if constexpr (sizeof(V) == 64) {
      return V{_mm512_packus_epi16(a.raw, b.raw)};
    } else {
      return V{_mm256_packus_epi16(a.raw, b.raw)};
    }
  }
  static HWY_INLINE V moved(V plane, bool back) {
    if constexpr (sizeof(T) == 1) return plane;
    const hn::Repartition<std::uint64_t, D> d;
    constexpr std::size_t kHalves = HWY_LANES(std::uint64_t);
    HWY_ALIGN std::int64_t places[kHalves];
    for (std::size_t i = 0; i < kHalves; ++i) {
      const std::size_t from = i / 2 + i % 2 * (kHalves / 2);
      places[back ? from : i] = static_cast<std::int64_t>(back ? i : from);
    }
    const auto indices = hn::SetTableIndices(d, places);
    return hn::BitCast(D(), hn::TableLookupLanes(hn::BitCast(d, plane), indices));
  }
#else
  template <class W>
  static HWY_INLINE V narrow(W a, W b) {
    const hn::Half<D> half;
    const hn::RebindToSigned<Wide> s;
    return hn::Combine(D(), hn::DemoteTo(half, hn::BitCast(s, b)),
                       hn::DemoteTo(half, hn::BitCast(s, a)));
  }
  static HWY_INLINE V moved(V plane, bool) {
    return plane;
  }
#endif

  hn::Vec<Wide> code_;
};

/// Marks the planes kPlane... of one vector of heaps, in registers.
template <class T, std::size_t... kPlane>
HWY_INLINE void mark_vector(const T* codes, const TapView& taps, std::size_t first,
                            std::uint8_t* planes, std::index_sequence<kPlane...>) {
  using Bytes = CodeBytes<T>;
  const D d;
  V marks[] = {Bytes::in_order_of_codes(hn::LoadU(d, planes + kPlane * 64))...};
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    const Bytes bytes(run->code ^ static_cast<std::uint32_t>(first * kPlaneCodes));
    for (std::size_t t = run->begin; t < run->end; ++t) {
      const PlaneBits<kDigitsOfBytes> bits(
          bytes.reached(codes - static_cast<std::ptrdiff_t>(taps.offsets[t])));
      ((marks[kPlane] = bits.add_to<kPlane>(marks[kPlane])), ...);
    }
  }
  (hn::StoreU(Bytes::in_order_of_heaps(marks[kPlane]), d, planes + kPlane * 64), ...);
}

/// Marks `count` planes from `first` on; at most kPlanes.
template <std::size_t kPlanes, class T>
HWY_INLINE void mark_block(const T* codes, const TapView& taps, std::uint8_t* planes,
                           std::size_t first, std::size_t count) {
  if (count == kPlanes) {
    const std::size_t lanes = hn::Lanes(D());
    for (std::size_t j = 0; j < 64; j += lanes) {
      mark_vector(codes + j, taps, first, planes + first * 64 + j,
                  std::make_index_sequence<kPlanes>());
    }
  } else if constexpr (kPlanes > 1) {
    mark_block<kPlanes - 1>(codes, taps, planes, first, count);
  }
}

/// With more planes than this, stores of bytes take less time.
inline constexpr std::size_t kMostInFours =
    HWY_LANES(std::uint8_t) >= 64 ? 124 : HWY_LANES(std::uint8_t);

/// Marks the planes of one vector of heaps, in memory, by four taps at a time.
class FoursOfTaps {
 public:
  HWY_INLINE explicit FoursOfTaps(std::size_t planes) : planes_(planes) {
    std::memset(marks_, 0, groups() * kGroupBytes);
  }

  HWY_INLINE void mark(const std::uint16_t* codes, const TapView& taps) {
    constexpr std::size_t kAhead = 8;  // taps whose partners memory is asked for
    constexpr std::size_t kQueue = 16;
    const std::uint16_t* partners[kQueue];
    std::uint32_t of_taps[kQueue];
    std::size_t first = 0;
    std::size_t end = 0;
    for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
      for (std::size_t t = run->begin; t < run->end; ++t) {
        const std::uint16_t* const partner = codes - static_cast<std::ptrdiff_t>(taps.offsets[t]);
        for (std::size_t j = 0; j < kLanes; j += 32) __builtin_prefetch(partner + j);
        __builtin_prefetch(partner + kLanes - 1);
        partners[end % kQueue] = partner;
        of_taps[end % kQueue] = run->code;
        if (++end - first < kAhead + kTaps) continue;
        add(partners + first % kQueue, of_taps + first % kQueue);
        first += kTaps;
      }
    }
    while (first < end) {
      // The last four are filled up with one that marks anyway.
      for (; end % kTaps != 0; ++end) {
        partners[end % kQueue] = partners[first % kQueue];
        of_taps[end % kQueue] = of_taps[first % kQueue];
      }
      add(partners + first % kQueue, of_taps + first % kQueue);
      first += kTaps;
    }
  }

  /// Adds the marks to the planes of these heaps.
  HWY_INLINE void add_to(std::uint8_t* planes) const {
    for (std::size_t p = 0; p < planes_; ++p) {
      const V own = Codes::in_order_of_heaps(hn::Load(D(), marks_ + p * kLanes));
      hn::StoreU(hn::Or(own, hn::LoadU(D(), planes + p * 64)), D(), planes + p * 64);
    }
  }

 private:
  using Codes = CodeBytes<std::uint16_t>;
  using Bits = PlaneBits<kDigitsOfFours>;
  static constexpr std::size_t kTaps = 4;
  static constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint8_t), 64);
  static constexpr std::size_t kGroupBytes = Bits::kGroup * kLanes;

  HWY_INLINE std::size_t groups() const { return (planes_ + Bits::kGroup - 1) / Bits::kGroup; }
  HWY_INLINE void add(const std::uint16_t* const* partners, const std::uint32_t* codes) {
    const Bits taps[kTaps] = {Codes(codes[0]).bits(partners[0]), Codes(codes[1]).bits(partners[1]),
                              Codes(codes[2]).bits(partners[2]), Codes(codes[3]).bits(partners[3])};
    const std::size_t end = groups();  // read once: for a compiler, marks could be stored there
    for (std::size_t first = 0; first < end; first += kEntries) {
      const std::size_t part = first / kEntries;
      const V high[kTaps] = {
          index_in_part(taps[0].high(), part), index_in_part(taps[1].high(), part),
          index_in_part(taps[2].high(), part), index_in_part(taps[3].high(), part)};
      for (std::size_t group = first; group < HWY_MIN(end, first + kEntries); ++group) {
        add_group(taps, high, group_number(group), marks_ + group * kGroupBytes,
                  std::make_index_sequence<Bits::kGroup>());
      }
    }
  }
  template <std::size_t... kPlane>
  static HWY_INLINE void add_group(const Bits (&taps)[kTaps], const V (&high)[kTaps], V number,
                                   std::uint8_t* marks, std::index_sequence<kPlane...>) {
    V sums[] = {hn::Load(D(), marks + kPlane * kLanes)...};
#pragma GCC unroll 4
    for (std::size_t t = 0; t < kTaps; ++t) {
      const V in_group = look_up(number, high[t]);
      ((sums[kPlane] = taps[t].template add<kPlane>(sums[kPlane], in_group)), ...);
    }
    (hn::Store(sums[kPlane], D(), marks + kPlane * kLanes), ...);
  }

  static_assert(kMostInFours / Bits::kGroup <= kBeyond);
  const std::size_t planes_;
  HWY_ALIGN std::uint8_t marks_[(kMostInFours + Bits::kGroup) * kLanes];
};

/// Marks the planes of 16 heaps by bytes: vectors compute what taps reach, and scalar code marks it
/// heap by heap. What lies beyond the planes has one mark of its own.
template <class T>
void mark_bytes(const T* codes, const TapView& taps, std::uint8_t* planes, std::size_t count) {
  constexpr std::size_t kHeaps = 16;
  constexpr std::size_t kTaps = 512;  // at once
  // A product with it gathers the lowest bits of eight bytes in the highest byte.
  constexpr std::uint64_t kGather = 0x0102040810204080;
  const hn::CappedTag<T, kHeaps> d;
  HWY_ALIGN T reached[kTaps * kHeaps];
  HWY_ALIGN std::uint8_t marks[kHeaps][kMostPlanes * kPlaneCodes + 1];
  for (auto& own : marks) std::memset(own, 0, count * kPlaneCodes);
  const auto mark = [&](std::size_t waiting) {
    for (std::size_t j = 0; j < kHeaps; ++j) {
#pragma GCC unroll 8
      for (std::size_t t = 0; t < waiting; ++t) marks[j][reached[kHeaps * t + j]] = 1;
    }
  };
  const auto beyond = hn::Set(d, static_cast<T>(count * kPlaneCodes));
  std::size_t waiting = 0;
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    const auto code = hn::Set(d, static_cast<T>(run->code));
    for (std::size_t t = run->begin; t < run->end; ++t) {
      const T* const partners = codes - static_cast<std::ptrdiff_t>(taps.offsets[t]);
      for (std::size_t j = 0; j < kHeaps; j += hn::Lanes(d)) {
        const auto some = hn::Xor(hn::LoadU(d, partners + j), code);
        hn::Store(hn::Min(some, beyond), d, reached + kHeaps * waiting + j);
      }
      if (++waiting == kTaps) mark(std::exchange(waiting, 0));
    }
  }
  mark(waiting);
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t j = 0; j < kHeaps; ++j) {
      std::uint64_t bytes;
      std::memcpy(&bytes, marks[j] + p * kPlaneCodes, kPlaneCodes);
      planes[p * 64 + j] |= static_cast<std::uint8_t>(bytes * kGather >> 56);
    }
  }
}

template <class T>
void mark_planes(const T* codes, TapView taps, std::uint8_t* planes, std::size_t count) noexcept {
  // What fits into registers beside the taps.
  constexpr bool kWide = HWY_LANES(std::uint8_t) >= 64;
  constexpr std::size_t kAtOnce = kWide ? kPlanesInRegisters : 8;
  if (count <= kAtOnce) {
    mark_block<kAtOnce>(codes, taps, planes, 0, count);
    return;
  }
  if constexpr (sizeof(T) > 1) {
    if (count > kMostInFours) {
      for (std::size_t j = 0; j < 64; j += 16) mark_bytes(codes + j, taps, planes + j, count);
      return;
    }
    const std::size_t lanes = hn::Lanes(D());
    for (std::size_t j = 0; j < 64; j += lanes) {
      FoursOfTaps fours(count);
      fours.mark(codes + j, taps);
      fours.add_to(planes + j);
    }
  } else {
    // Each pass marks a block of planes, a power of two: an XOR maps the codes of a block to those
    // of the first block.
    constexpr std::size_t kBlock = kWide ? 16 : 8;
    for (std::size_t first = 0; first < count; first += kBlock) {
      mark_block<kBlock>(codes, taps, planes, first, HWY_MIN(kBlock, count - first));
    }
  }
}

template <class T>
constexpr TypedTapKernels<T> kTyped{mark_planes<T>};
constexpr TapKernels kKernels{{kTyped<std::uint8_t>, kTyped<std::uint16_t>}};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(TapKernels)
#endif
