/// @file
/// eliminate: one 16-byte load of partners, broadcast over the vector, meets 64 bytes of candidates
/// (4 one-byte candidates of 16 heaps), so a tap costs a load, an XOR and a minimum for 64 tests.
/// The minimum of all differences is zero exactly where a candidate was hit. With AVX-512 the
/// groups of 64 heaps share the tap, and up to half of them take a masked comparison in place of
/// the XOR and the minimum.
///
/// choose: taps that lead to earlier groups meet the candidates once, then steps decide the group.
/// A step takes codes for all of its heaps, however wrong, and chooses the candidates that are the
/// right ones if these are. The code of a heap is right as soon as those of the heaps before it
/// are. So codes that a step leaves as they were are right. Most groups take one or two steps, each
/// a shuffle and two operations for a tap, where heap after heap would wait for the way of each
/// code to memory and back.
// SPDX-License-Identifier: MIT
#include "kernels/candidate_kernels.hpp"

#include <cstring>
#include <limits>

#ifndef GRUNDY_CANDIDATE_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_CANDIDATE_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

template <class T>
void list_unmarked(const std::uint8_t* planes, std::size_t count, T* candidates) noexcept {
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  for (std::size_t j = 0; j < 64; ++j) {
    T* const own = candidates + j / kHeaps * kHeaps * kCandidates + j % kHeaps;
    std::size_t listed = 0;
    for (std::size_t code = 0; code < count * kPlaneCodes && listed < kCandidates; ++code) {
      const unsigned marks = planes[code / kPlaneCodes * 64 + j];
      if ((marks >> code % kPlaneCodes & 1) == 0) own[listed++ * kHeaps] = static_cast<T>(code);
    }
    for (; listed < kCandidates; ++listed) own[listed * kHeaps] = std::numeric_limits<T>::max();
  }
}

template <class T>
void eliminate(const T* codes, TapView taps, T* candidates, std::size_t groups) noexcept {
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  for (std::size_t i = 0; i < groups * kCandidates * kHeaps; ++i) {
    const std::size_t heap = i / (kCandidates * kHeaps) * kHeaps + i % kHeaps;
    for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
      const T wanted = static_cast<T>(candidates[i] ^ run->code);
      for (std::size_t t = run->begin; t < run->end; ++t) {
        if (codes[static_cast<std::ptrdiff_t>(heap - taps.offsets[t])] == wanted) {
          candidates[i] = std::numeric_limits<T>::max();
        }
      }
    }
  }
}

template <class T>
std::size_t choose(T* codes, TapSequence taps, const T* candidates, std::size_t first) noexcept {
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  for (std::size_t j = first; j < kHeaps; ++j) {
    const auto is_reached = [&](T code) {
      bool reached = code == std::numeric_limits<T>::max();
      for (std::size_t t = 0; t < taps.count; ++t) {
        const T partner = codes[static_cast<std::ptrdiff_t>(j - taps.offsets[t])];
        reached |= static_cast<T>(partner ^ taps.codes[t]) == code;
      }
      return reached;
    };
    std::size_t place = 0;
    while (place < kCandidates && is_reached(candidates[place * kHeaps + j])) ++place;
    if (place == kCandidates) return j;
    codes[j] = candidates[place * kHeaps + j];
  }
  return kHeaps;
}

template <class T>
constexpr TypedCandidateKernels<T> kTyped{list_unmarked<T>, eliminate<T>, choose<T>};
constexpr CandidateKernels kKernels{{kTyped<std::uint8_t>, kTyped<std::uint16_t>}};

}  // namespace
}  // namespace grundy::scalar
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/candidate_kernels.cpp"
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

/// In the lanes of the mask, puts `code` in front of the codes of a list. The last code of the list
/// is lost.
template <std::size_t kLength, class V, class M>
HWY_INLINE void push_front(V (&list)[kLength], M where, V code) {
  for (std::size_t c = kLength - 1; c > 0; --c) {
    list[c] = hn::IfThenElse(where, list[c - 1], list[c]);
  }
  list[0] = hn::IfThenElse(where, code, list[0]);
}

template <class T>
void list_unmarked(const std::uint8_t* planes, std::size_t count, T* candidates) noexcept {
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 64 / sizeof(T));
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  constexpr std::size_t kStep = HWY_MIN(kLanes, kHeaps);
  for (std::size_t heap = 0; heap < 64; heap += kLanes) {
    hn::Vec<decltype(d)> list[kCandidates];
    for (auto& codes : list) codes = hn::Set(d, static_cast<T>(~T{0}));
    for (std::size_t plane = count; plane-- > 0;) {
      const auto own = hn::LoadU(bytes, planes + plane * 64 + heap);
      if (hn::AllTrue(bytes, hn::Eq(own, hn::Set(bytes, static_cast<std::uint8_t>(0xff)))))
        continue;
      const auto marks = [&]() HWY_ATTR {
        if constexpr (sizeof(T) == 1) {
          return own;
        } else {
          return hn::PromoteTo(d, own);
        }
      }();
      for (std::size_t bit = kPlaneCodes; bit-- > 0;) {
        const auto mark = hn::And(marks, hn::Set(d, static_cast<T>(1u << bit)));
        push_front(list, hn::Eq(mark, hn::Zero(d)),
                   hn::Set(d, static_cast<T>(plane * kPlaneCodes + bit)));
      }
    }
    for (std::size_t c = 0; c < kCandidates; ++c) {
      T listed[kLanes];
      hn::StoreU(list[c], d, listed);
      for (std::size_t i = 0; i < kLanes; i += kStep) {
        const std::size_t own = heap + i;
        std::memcpy(candidates + own / kHeaps * kHeaps * kCandidates + c * kHeaps + own % kHeaps,
                    listed + i, kStep * sizeof(T));
      }
    }
  }
}

/// The candidates of one vector that taps have reached, by their least difference to what taps
/// reach: two operations for a tap.
template <class T>
class LeastDifferences {
 public:
  using D = hn::CappedTag<T, 64 / sizeof(T)>;
  HWY_INLINE LeastDifferences() : least_(hn::Set(D(), static_cast<T>(~T{0}))) {}
  HWY_INLINE void meet(hn::Vec<D> partner, hn::Vec<D> wanted) {
    least_ = hn::Min(least_, hn::Xor(partner, wanted));
  }
  HWY_INLINE hn::Mask<D> reached() const { return hn::Eq(least_, hn::Zero(D())); }

 private:
  hn::Vec<D> least_;
};

#if HWY_TARGET <= HWY_AVX3
/// The same by a mask: one operation for a tap, which clears the bits that it reaches. It has one
/// port of an Intel processor to itself, so it pays for half of the vectors. A mask is ready late
/// (on a Zen 5 after 6 cycles), so four vectors should not wait for that of the tap before.
template <class T>
class Unreached {
 public:
  using D = hn::CappedTag<T, 64 / sizeof(T)>;
  HWY_INLINE void meet(hn::Vec<D> partner, hn::Vec<D> wanted) {
    if constexpr (sizeof(T) == 1) {
      bits_ = _mm512_mask_cmpneq_epu8_mask(bits_, partner.raw, wanted.raw);
    } else {
      bits_ = _mm512_mask_cmpneq_epu16_mask(bits_, partner.raw, wanted.raw);
    }
  }
  HWY_INLINE hn::Mask<D> reached() const { return hn::Not(hn::Mask<D>{bits_}); }

 private:
  using Bits = decltype(hn::Mask<D>::raw);
  Bits bits_ = static_cast<Bits>(~Bits{0});
};
inline constexpr bool kHasMasks = true;
#else
template <class T>
using Unreached = LeastDifferences<T>;
inline constexpr bool kHasMasks = false;
#endif

/// Compares the candidates of kGroups groups with all taps. The groups share the loads of tap data.
template <std::size_t kGroups, class T>
HWY_INLINE void eliminate_groups(const T* codes, const TapView& taps, T* candidates) {
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 64 / sizeof(T));
  constexpr std::size_t kParts = 64 / sizeof(T) / kLanes;
  constexpr std::size_t kVectors = kGroups * kParts;
  constexpr std::size_t kMasked = kHasMasks ? kVectors / 2 : 0;
  // Of each two taps the second one leaves other vectors to masks. Eight vectors take longer than a
  // mask, and have more masks than there are registers.
  constexpr std::size_t kSecond = kVectors > 4 ? 0 : kMasked;
  V wanted[kVectors];
  Unreached<T> masked[kVectors];
  LeastDifferences<T> others[kVectors];
  // Vectors from kFirst on take a masked comparison, kMasked of them.
  const auto meet = [&]<std::size_t kFirst>(std::uint64_t offset) HWY_ATTR {
    const T* const partner = codes - static_cast<std::ptrdiff_t>(offset);
    for (std::size_t i = 0; i < kVectors; ++i) {
      const V x = hn::LoadDup128(d, partner + i / kParts * kGroupHeaps<T>);
      if (i >= kFirst && i < kFirst + kMasked) {
        masked[i].meet(x, wanted[i]);
      } else {
        others[i].meet(x, wanted[i]);
      }
    }
  };
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    const V code = hn::Set(d, static_cast<T>(run->code));
    for (std::size_t i = 0; i < kVectors; ++i) {
      wanted[i] = hn::Xor(hn::LoadU(d, candidates + i * kLanes), code);
    }
    std::size_t t = run->begin;
    for (; t + 1 < run->end; t += 2) {
      meet.template operator()<0>(taps.offsets[t]);
      meet.template operator()<kSecond>(taps.offsets[t + 1]);
    }
    if (t < run->end) meet.template operator()<0>(taps.offsets[t]);
  }
  for (std::size_t i = 0; i < kVectors; ++i) {
    const V old = hn::LoadU(d, candidates + i * kLanes);
    const auto reached = hn::Or(masked[i].reached(), others[i].reached());
    hn::StoreU(hn::Or(old, hn::VecFromMask(d, reached)), d, candidates + i * kLanes);
  }
}

template <class T>
void eliminate(const T* codes, TapView taps, T* candidates, std::size_t groups) noexcept {
  // Takes as many groups at a time as registers can hold.
  constexpr std::size_t kAtOnce = HWY_LANES(T) * sizeof(T) >= 64 ? 64 / kGroupHeaps<T> : 1;
  constexpr std::size_t kGroupSize = kCandidates * kGroupHeaps<T>;
  if (taps.run_count == 0) return;
  std::size_t g = 0;
  for (; g + kAtOnce <= groups; g += kAtOnce) {
    eliminate_groups<kAtOnce>(codes + g * kGroupHeaps<T>, taps, candidates + g * kGroupSize);
  }
  for (; g < groups; ++g) {
    eliminate_groups<1>(codes + g * kGroupHeaps<T>, taps, candidates + g * kGroupSize);
  }
}

/// Tables for TableLookupBytesOr0(), which read a block of 16 bytes some bytes earlier: what lies
/// in this block, with 0 for the others, and what lies in the block before.
struct EarlierBytes {
  std::uint8_t here[32];
  std::uint8_t before[32];

  /// From this byte of a table on, it reads `bytes` bytes earlier.
  static constexpr std::size_t place(std::size_t bytes) noexcept { return 16 - bytes; }
};
inline constexpr EarlierBytes kEarlier = [] {
  constexpr std::uint8_t kNone = 0x80;
  EarlierBytes tables{};
  for (std::uint8_t i = 0; i < 16; ++i) {
    tables.here[i] = tables.before[16 + i] = kNone;
    tables.here[16 + i] = tables.before[i] = i;
  }
  return tables;
}();

/// The first 16 bytes.
template <class V>
HWY_INLINE auto first_block(V v) {
  if constexpr (sizeof(v) > 16) {
    return first_block(hn::LowerHalf(v));
  } else {
    return v;
  }
}

/// See the head of this file.
template <class T>
std::size_t choose(T* codes, TapSequence taps, const T* candidates, std::size_t first) noexcept {
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  constexpr std::size_t kMostTaps = 64;
  if (taps.count > kMostTaps) return scalar::choose(codes, taps, candidates, first);
  // A vector has a candidate of each heap in each block of 16 bytes, or the codes in all blocks.
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  const hn::Repartition<std::uint8_t, decltype(d)> d8;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 64 / sizeof(T));
  constexpr std::size_t kParts = 64 / sizeof(T) / kLanes;
  const auto earlier = [&](V blocks, const std::uint8_t* table) HWY_ATTR {
    const auto from = hn::LoadDup128(d8, table);
    return hn::BitCast(d, hn::TableLookupBytesOr0(hn::BitCast(d8, blocks), from));
  };
  const V none = hn::Set(d, static_cast<T>(~T{0}));
  V part[kParts];
  // The least candidates but those with a difference of 0, in all blocks.
  const auto least_but = [&](const V* differences) HWY_ATTR {
    V least = none;
    for (std::size_t p = 0; p < kParts; ++p) {
      const auto reached = hn::Eq(differences[p], hn::Zero(d));
      least = hn::Min(least, hn::IfThenElse(reached, none, part[p]));
    }
    if constexpr (kLanes * sizeof(T) >= 32) least = hn::Min(least, hn::SwapAdjacentBlocks(least));
    if constexpr (kLanes * sizeof(T) >= 64) least = hn::Min(least, hn::ReverseBlocks(d, least));
    return least;
  };
  V differences[kParts];  // the least ones to what taps reach that lead to earlier groups
  for (std::size_t p = 0; p < kParts; ++p) {
    part[p] = hn::LoadU(d, candidates + p * kLanes);
    differences[p] = none;
  }
  const V own = hn::LoadDup128(d, codes);
  const V last = hn::LoadDup128(d, codes - kHeaps);
  const V before_last = hn::LoadDup128(d, codes - 2 * kHeaps);
  HWY_ALIGN T others[(kMostTaps + 1) * kLanes];
  const std::uint8_t* from[kMostTaps + 1];
  std::size_t near = 0;
  for (std::size_t t = 0; t < taps.count; ++t) {
    const std::size_t offset = taps.offsets[t];
    const std::size_t place = EarlierBytes::place(offset % kHeaps * sizeof(T));
    const V code = hn::Set(d, static_cast<T>(taps.codes[t]));
    if (offset < kHeaps) {
      // What it reaches is this, XORed with the codes of partners in this group.
      hn::Store(hn::Xor(earlier(last, kEarlier.before + place), code), d, others + near * kLanes);
      from[near++] = kEarlier.here + place;
      continue;
    }
    const V partners = hn::Xor(earlier(last, kEarlier.here + place),
                               earlier(before_last, kEarlier.before + place));
    for (std::size_t p = 0; p < kParts; ++p) {
      differences[p] = hn::Min(differences[p], hn::Xor3(partners, code, part[p]));
    }
  }
  if (near % 2 != 0) {
    hn::Store(hn::Load(d, others + (near - 1) * kLanes), d, others + near * kLanes);
    from[near] = from[near - 1];
  }
  T places[kHeaps];
  for (std::size_t j = 0; j < kHeaps; ++j) places[j] = static_cast<T>(j);
  const auto decided = hn::Lt(hn::LoadDup128(d, places), hn::Set(d, static_cast<T>(first)));
  V now = hn::IfThenElse(decided, own, least_but(differences));
  for (;;) {
    V least[kParts];
    for (std::size_t p = 0; p < kParts; ++p) least[p] = differences[p];
    for (std::size_t t = 0; t < near; t += 2) {  // two at a time: a shorter chain of minima
      const auto reach = [&](std::size_t tap) HWY_ATTR {
        return hn::Xor(earlier(now, from[tap]), hn::Load(d, others + tap * kLanes));
      };
      const V one = reach(t), other = reach(t + 1);
      for (std::size_t p = 0; p < kParts; ++p) {
        const V both = hn::Min(hn::Xor(one, part[p]), hn::Xor(other, part[p]));
        least[p] = hn::Min(least[p], both);
      }
    }
    const V next = hn::IfThenElse(decided, own, least_but(least));
    const bool same = hn::AllTrue(d, hn::Eq(next, now));
    now = next;
    if (same) break;
  }
  const hn::CappedTag<T, kHeaps> block;
  hn::StoreU(first_block(now), block, codes);
  // A heap that is decided may have the code all-ones.
  const auto open = first_block(hn::IfThenZeroElse(decided, now));
  const auto lost = hn::FindFirstTrue(block, hn::Eq(open, first_block(none)));
  return lost < 0 ? kHeaps : static_cast<std::size_t>(lost);
}

template <class T>
constexpr TypedCandidateKernels<T> kTyped{list_unmarked<T>, eliminate<T>, choose<T>};
constexpr CandidateKernels kKernels{{kTyped<std::uint8_t>, kTyped<std::uint16_t>}};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(CandidateKernels)
#endif
