/// @file
/// or_shifted takes a load and an OR for each source and vector. Shifts are applied at the end,
/// once for all sources that have the same one.
///
/// keep_missing looks at few pairs first, which end many searches, and at twice as many at a time
/// behind these, if there are registers for them.
// SPDX-License-Identifier: MIT
#include "kernels/row_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#ifndef GRUNDY_ROW_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_ROW_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

template <class T>
void equal_rows(const T* codes, std::size_t count, std::size_t rows, std::uint64_t* bits,
                std::size_t stride) noexcept {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < count; i += 64) {
      std::uint64_t word = 0;
      for (std::size_t j = 0; j < 64; ++j) {
        word |= std::uint64_t{codes[i + j] == static_cast<T>(r)} << j;
      }
      bits[r * stride + i / 64] = word;
    }
  }
}

template <class T>
void greater_bits(const T* limits, std::size_t count, T bound, std::uint64_t* bits) noexcept {
  for (std::size_t i = 0; i < count; i += 64) {
    std::uint64_t word = 0;
    for (std::size_t j = 0; j < 64; ++j) word |= std::uint64_t{limits[i + j] > bound} << j;
    bits[i / 64] = word;
  }
}

template <class T>
void match_strips(const T* codes, const std::uint32_t* strips, std::size_t words, T code,
                  std::uint64_t* hits) noexcept {
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word = 0;
    for (std::size_t j = 0; j < 64; ++j) {
      word |= std::uint64_t{codes[strips[i] + j] == code} << j;
    }
    hits[i] = word;
  }
}

template <class T>
std::size_t keep_missing(const T* smaller, const T* rare, std::size_t size, PairSearch<T>* searches,
                         std::size_t count) noexcept {
  const auto end = std::remove_if(searches, searches + count, [&](const PairSearch<T>& search) {
    std::size_t i = 0;
    while (i < size && (rare[i] != 0 || (search.partners[i] ^ smaller[i]) != search.code)) ++i;
    return i < size;
  });
  return static_cast<std::size_t>(end - searches);
}

void or_shifted(const std::uint8_t* base, const std::int64_t* source, const std::uint32_t* begin,
                std::uint64_t* into, std::size_t words) noexcept {
  for (unsigned shift = 0; shift < 8; ++shift) {
    for (std::size_t i = begin[shift]; i < begin[shift + 1]; ++i) {
      for (std::size_t byte = 0; byte < 8 * words; ++byte) {
        const std::uint8_t* const at = base + source[i] + byte;
        const unsigned bits = (at[0] | static_cast<unsigned>(at[1]) << 8) >> shift & 0xffu;
        into[byte / 8] |= std::uint64_t{bits} << (byte % 8 * 8);
      }
    }
  }
}

std::size_t worth(const std::uint64_t* hits, const std::uint64_t* covered,
                  std::size_t words) noexcept {
  std::size_t sum = 0;
  for (std::size_t k = 0; k < kCoverTimes; ++k, covered += words) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < words; ++i) {
      count += static_cast<std::size_t>(std::popcount(hits[i] & covered[i]));
    }
    sum = 4 * sum + count;
  }
  return sum;
}

template <class T>
constexpr TypedRowKernels<T> kTyped{equal_rows<T>, greater_bits<T>, match_strips<T>,
                                    keep_missing<T>};
constexpr RowKernels kKernels{{kTyped<std::uint8_t>, kTyped<std::uint16_t>}, or_shifted, worth};

}  // namespace
}  // namespace grundy::scalar
#endif

#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/row_kernels.cpp"
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

/// Writes a bit for each of 64 codes: whether `test` is true for it.
template <class T, class Test>
HWY_INLINE void write_bits(const T* codes, const Test& test, std::uint64_t* to) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 64);
  if constexpr (kLanes == 64) {
    hn::StoreMaskBits(d, test(hn::LoadU(d, codes)), reinterpret_cast<std::uint8_t*>(to));
  } else {
    std::uint8_t word[64 / 8 + 8];
    for (std::size_t j = 0; j < 64; j += kLanes) {
      hn::StoreMaskBits(d, test(hn::LoadU(d, codes + j)), word + j / 8);
    }
    std::memcpy(to, word, 8);
  }
}

/// A test for write_bits(): whether codes are equal to this one.
template <class T>
HWY_INLINE auto equal_to(T code) {
  return [wanted = hn::Set(hn::ScalableTag<T>(), code)](auto codes)
             HWY_ATTR { return hn::Eq(codes, wanted); };
}

template <class T>
void equal_rows(const T* codes, std::size_t count, std::size_t rows, std::uint64_t* bits,
                std::size_t stride) noexcept {
  for (std::size_t r = 0; r < rows; ++r) {
    const auto test = equal_to(static_cast<T>(r));
    for (std::size_t i = 0; i < count; i += 64) {
      write_bits(codes + i, test, bits + r * stride + i / 64);
    }
  }
}

template <class T>
void greater_bits(const T* limits, std::size_t count, T bound, std::uint64_t* bits) noexcept {
  const auto least = hn::Set(hn::ScalableTag<T>(), bound);
  // Tests limit > bound in unsigned numbers, on every target: the maximum of limit and least is
  // not least.
  const auto test = [&](auto limit)
                        HWY_ATTR { return hn::Not(hn::Eq(hn::Max(limit, least), least)); };
  for (std::size_t i = 0; i < count; i += 64) write_bits(limits + i, test, bits + i / 64);
}

template <class T>
void match_strips(const T* codes, const std::uint32_t* strips, std::size_t words, T code,
                  std::uint64_t* hits) noexcept {
  const auto test = equal_to(code);
  for (std::size_t i = 0; i < words; ++i) write_bits(codes + strips[i], test, hits + i);
}

/// keep_missing() for the pairs of some vectors from pair `begin` on.
template <class T, std::size_t... kVector>
HWY_INLINE std::size_t keep_missing_in(const T* smaller, const T* rare, std::size_t begin,
                                       PairSearch<T>* searches, std::size_t count,
                                       std::index_sequence<kVector...>) {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = HWY_LANES(T);
  const hn::Vec<decltype(d)> codes[] = {hn::LoadU(d, smaller + begin + kVector * kLanes)...};
  const hn::Vec<decltype(d)> all_ones[] = {hn::LoadU(d, rare + begin + kVector * kLanes)...};
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const auto code = hn::Set(d, searches[k].code);
    const T* const partners = searches[k].partners + begin;
    auto least = code;
    const auto meet = [&](std::size_t v, auto own, auto is_rare) HWY_ATTR {
      const auto difference =
          hn::Or(hn::Xor3(own, hn::LoadU(d, partners + v * kLanes), code), is_rare);
      least = v == 0 ? difference : hn::Min(least, difference);
    };
    (meet(kVector, codes[kVector], all_ones[kVector]), ...);
    // No branch may depend on a hit, because the processor could not predict it.
    searches[kept] = searches[k];
    kept += hn::AllFalse(d, hn::Eq(least, hn::Zero(d)));
  }
  return kept;
}

template <class T>
std::size_t keep_missing(const T* smaller, const T* rare, std::size_t size, PairSearch<T>* searches,
                         std::size_t count) noexcept {
  constexpr std::size_t kFirst = 4, kNext = HWY_TARGET <= HWY_AVX3 ? 8 : kFirst;  // vectors
  constexpr std::size_t kLanes = HWY_LANES(T);
  static_assert(kPairStep % (kFirst * kLanes) == 0);
  for (std::size_t i = 0; i < size && count > 0;) {
    const bool more = i > 0 && i + kNext * kLanes <= size;
    count =
        more ? keep_missing_in(smaller, rare, i, searches, count, std::make_index_sequence<kNext>())
             : keep_missing_in(smaller, rare, i, searches, count,
                               std::make_index_sequence<kFirst>());
    i += (more ? kNext : kFirst) * kLanes;
  }
  return count;
}

/// ORs into `into` the kWords words of or_shifted() that start at `base`.
template <std::size_t kWords>
HWY_INLINE void or_strip(const std::uint8_t* base, const std::int64_t* source,
                         const std::uint32_t* begin, std::uint64_t* into) {
  const hn::CappedTag<std::uint64_t, kWords> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), kWords);
  // A load that straddles two stores waits for both. So all shifts come after all stores.
  std::uint64_t gathered[8][kWords + 1];
  for (std::size_t shift = 0; shift < 8; ++shift) {
    hn::Vec<decltype(d)> all[kWords / kLanes];
    for (auto& v : all) v = hn::Zero(d);
    std::uint64_t last = 0;
    for (std::size_t i = begin[shift]; i < begin[shift + 1]; ++i) {
      const std::uint8_t* const from = base + source[i];
      const auto* const words = reinterpret_cast<const std::uint64_t*>(from);
      for (std::size_t j = 0; j < kWords / kLanes; ++j) {
        all[j] = hn::Or(all[j], hn::LoadU(d, words + j * kLanes));
      }
      std::uint64_t word;
      std::memcpy(&word, from + 8 * kWords, 8);
      last |= word;
    }
    for (std::size_t j = 0; j < kWords / kLanes; ++j)
      hn::StoreU(all[j], d, gathered[shift] + j * kLanes);
    gathered[shift][kWords] = last;
  }
  for (std::size_t j = 0; j < kWords; j += kLanes) {
    auto all = hn::LoadU(d, into + j);
    for (int shift = 0; shift < 8; ++shift) {
      const auto low = hn::ShiftRightSame(hn::LoadU(d, gathered[shift] + j), shift);
      const auto next = hn::ShiftLeft<1>(hn::LoadU(d, gathered[shift] + j + 1));
      all = hn::Or(all, hn::Or(low, hn::ShiftLeftSame(next, 63 - shift)));
    }
    hn::StoreU(all, d, into + j);
  }
}

void or_shifted(const std::uint8_t* base, const std::int64_t* source, const std::uint32_t* begin,
                std::uint64_t* into, std::size_t words) noexcept {
  std::size_t j = 0;
  for (; j + 32 <= words; j += 32) or_strip<32>(base + 8 * j, source, begin, into + j);
  for (; j + 16 <= words; j += 16) or_strip<16>(base + 8 * j, source, begin, into + j);
  for (; j + 8 <= words; j += 8) or_strip<8>(base + 8 * j, source, begin, into + j);
  for (; j + 4 <= words; j += 4) or_strip<4>(base + 8 * j, source, begin, into + j);
  for (; j < words; ++j) or_strip<1>(base + 8 * j, source, begin, into + j);
}

std::size_t worth(const std::uint64_t* hits, const std::uint64_t* covered,
                  std::size_t words) noexcept {
  const hn::CappedTag<std::uint64_t, 8> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), 8);
  auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
  static_assert(kCoverTimes == 4);
  const auto add = [&](auto& sum, auto own, const std::uint64_t* other) HWY_ATTR {
    sum = hn::Add(sum, hn::PopulationCount(hn::And(own, hn::LoadU(d, other))));
  };
  std::size_t i = 0;
  for (; i + kLanes <= words; i += kLanes) {
    const auto own = hn::LoadU(d, hits + i);
    add(sum0, own, covered + i);
    add(sum1, own, covered + words + i);
    add(sum2, own, covered + 2 * words + i);
    add(sum3, own, covered + 3 * words + i);
  }
  const auto upper = hn::Add(hn::ShiftLeft<2>(sum0), sum1);
  const auto lower = hn::Add(hn::ShiftLeft<2>(sum2), sum3);
  std::size_t sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(hn::ShiftLeft<4>(upper), lower)));
  for (; i < words; ++i) {
    std::size_t here = 0;
    for (std::size_t k = 0; k < kCoverTimes; ++k) {
      here = 4 * here + hwy::PopCount(hits[i] & covered[k * words + i]);
    }
    sum += here;
  }
  return sum;
}

template <class T>
constexpr TypedRowKernels<T> kTyped{equal_rows<T>, greater_bits<T>, match_strips<T>,
                                    keep_missing<T>};
constexpr RowKernels kKernels{{kTyped<std::uint8_t>, kTyped<std::uint16_t>}, or_shifted, worth};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(RowKernels)
#endif
