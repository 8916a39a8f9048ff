/// @file
/// Costs are for each vector of N values (N = 64, 32, 16 at 8, 16, 32 bits with AVX-512).
/// probe_pairs takes a load, a three-way XOR and a minimum, and one broadcast for four vectors.
/// find_pair takes a second load and a reversal in addition.
// SPDX-License-Identifier: MIT
#include "kernels/value_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#ifndef GRUNDY_VALUE_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_VALUE_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

template <class T>
void probe_pairs(const T* values, std::uint64_t first, std::uint64_t partner, std::size_t pairs,
                 const T* candidate, std::size_t lanes, std::uint64_t* hits) noexcept {
  std::fill_n(hits, (lanes + 63) / 64, 0);
  for (std::size_t j = 0; j < lanes; ++j) {
    for (std::size_t i = 0; i < pairs; ++i) {
      if ((values[first + i] ^ values[partner + j - i]) != candidate[j]) continue;
      hits[j / 64] |= std::uint64_t{1} << (j % 64);
      break;
    }
  }
}

template <class T>
void probe_taps(const T* values, const std::uint64_t* offset, const T* key, std::size_t taps,
                const T* candidate, std::size_t lanes, std::uint64_t* hits) noexcept {
  std::fill_n(hits, (lanes + 63) / 64, 0);
  for (std::size_t j = 0; j < lanes; ++j) {
    for (std::size_t t = 0; t < taps; ++t) {
      if ((*(values + j - offset[t]) ^ key[t]) != candidate[j]) continue;
      hits[j / 64] |= std::uint64_t{1} << (j % 64);
      break;
    }
  }
}

template <class T>
std::size_t find_pair(const T* values, std::uint64_t first, std::uint64_t partner,
                      std::size_t pairs, T candidate) noexcept {
  for (std::size_t i = 0; i < pairs; ++i) {
    if ((values[first + i] ^ values[partner - i]) == candidate) return i;
  }
  return pairs;
}

template <class T>
void mark_pairs(const T* values, std::uint64_t first, std::uint64_t partner, std::size_t pairs,
                std::uint8_t* mark) noexcept {
  for (std::size_t i = 0; i < pairs; ++i) mark[values[first + i] ^ values[partner - i]] = 1;
}

template <class T>
void histogram(const T* values, std::size_t size, std::uint64_t* counts) noexcept {
  if constexpr (sizeof(T) > 1) {
    for (std::size_t i = 0; i < size; ++i) ++counts[values[i]];
  } else {
    // Neighbours are often equal, and a second addition to one counter must wait for the first. So
    // neighbours are counted in four different tables.
    std::array<std::array<std::uint64_t, 256>, 4> part{};
    for (std::size_t i = 0; i < size; ++i) ++part[i % 4][values[i]];
    for (std::size_t v = 0; v < 256; ++v) {
      const std::uint64_t sum = part[0][v] + part[1][v] + part[2][v] + part[3][v];
      if (sum > 0) counts[v] += sum;
    }
  }
}

template <class T>
T maximum(const T* values, std::size_t size) noexcept {
  return size == 0 ? T{0} : *std::max_element(values, values + size);
}

/// Adds products with the halves of a weight. If values have 32 bits, the products have 64, and
/// their halves are summed up.
template <class T>
void add_product(std::uint64_t low, std::uint64_t high, WeighedSum& sum) noexcept {
  if constexpr (sizeof(T) < sizeof(std::uint32_t)) {
    sum.low += low;
    sum.middle += high;
  } else {
    constexpr std::uint64_t kHalf = ~std::uint32_t{0};
    sum.low += low & kHalf;
    sum.middle += (low >> 32) + (high & kHalf);
    sum.high += high >> 32;
  }
}

template <class T>
WeighedSum weigh(const std::uint64_t* weights, const T* values, std::size_t step,
                 std::size_t size) noexcept {
  WeighedSum sum;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint64_t value = values[i * step];
    add_product<T>((weights[i] & ~std::uint32_t{0}) * value, (weights[i] >> 32) * value, sum);
  }
  return sum;
}

std::uint32_t narrow(const std::uint32_t* values, std::size_t size, std::uint16_t* to) noexcept {
  for (std::size_t i = 0; i < size; ++i) to[i] = static_cast<std::uint16_t>(values[i]);
  return maximum(values, size);
}

void take_marks(std::uint8_t* marks, std::size_t words, std::uint64_t* bits) noexcept {
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 64; ++i) {
      word |= std::uint64_t{marks[64 * w + i] != 0} << i;
      marks[64 * w + i] = 0;
    }
    bits[w] = word;
  }
}

std::size_t first_zero_bit(const std::uint64_t* bits, std::size_t from,
                           std::size_t words) noexcept {
  for (std::size_t w = from / 64; w < words; ++w, from = 64 * w) {
    const std::uint64_t zeros = ~bits[w] >> (from % 64);
    if (zeros != 0) return from + static_cast<std::size_t>(std::countr_zero(zeros));
  }
  return 64 * words;
}

void or_words(std::uint64_t* into, const std::uint64_t* from, std::size_t words) noexcept {
  for (std::size_t i = 0; i < words; ++i) into[i] |= from[i];
}

/// The bits of a word in the order i -> i ^ key: every set bit of the key swaps neighbours at that
/// distance.
std::uint64_t xor_permuted(std::uint64_t word, std::uint32_t key) noexcept {
  constexpr std::array<std::uint64_t, 6> kLower = {0x5555555555555555, 0x3333333333333333,
                                                   0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff,
                                                   0x0000ffff0000ffff, 0x00000000ffffffff};
  for (unsigned bit = 0; bit < 6; ++bit) {
    if ((key >> bit & 1) == 0) continue;
    const unsigned distance = 1u << bit;
    word = (word >> distance & kLower[bit]) | (word & kLower[bit]) << distance;
  }
  return word;
}

void or_xor_translated(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                       std::uint32_t key) noexcept {
  const std::size_t swap = key / 64;
  for (std::size_t i = 0; i < words; ++i) into[i] |= xor_permuted(from[i ^ swap], key % 64);
}

template <class T>
constexpr TypedValueKernels<T> kTyped = {probe_pairs<T>, probe_taps<T>, find_pair<T>, mark_pairs<T>,
                                         histogram<T>,   maximum<T>,    weigh<T>};

constexpr ValueKernels kKernels = {
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>},
    narrow,
    take_marks,
    first_zero_bit,
    or_words,
    or_xor_translated};

}  // namespace
}  // namespace grundy::scalar
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/value_kernels.cpp"
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

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;

/// The lanes in reverse order.
template <class T>
HWY_INLINE Vector<T> reversed(Vector<T> v) {
  if constexpr (sizeof(T) > 1) {
    return hn::Reverse(Tag<T>(), v);
  } else {
    const Tag<std::uint16_t> d16;
    const auto pairs = hn::Reverse(d16, hn::BitCast(d16, v));
    return hn::BitCast(Tag<T>(), hn::Or(hn::ShiftLeft<8>(pairs), hn::ShiftRight<8>(pairs)));
  }
}

template <class T>
HWY_INLINE bool any_zero(Vector<T> v) {
  const Tag<T> d;
  return !hn::AllFalse(d, hn::Eq(v, hn::Zero(d)));
}

/// Sets the bits of `hits` from bit `lane` on where v is zero.
template <class T>
HWY_INLINE void set_zero_lanes(Vector<T> v, std::size_t lane, std::uint64_t* hits) {
  const Tag<T> d;
  std::uint8_t bytes[16] = {};
  hn::StoreMaskBits(d, hn::Eq(v, hn::Zero(d)), bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  if (bits == 0) return;
  hits[lane / 64] |= bits << (lane % 64);
  // All vectors but the last one start at multiples of their length.
  if (lane % 64 + hn::Lanes(d) > 64) hits[lane / 64 + 1] |= bits >> (64 - lane % 64);
}

/// Compares the options of consecutive heaps, one option after another. The value of option i of
/// heap `lane` is the nim-sum of key(i) and the value at window(i) + lane.
template <class T>
struct PairOptions {
  const T* tap;
  const T* partner;
  HWY_INLINE T key(std::size_t i) const { return tap[i]; }
  HWY_INLINE const T* window(std::size_t i) const { return partner - i; }
};
template <class T>
struct TapOptions {
  const T* values;
  const std::uint64_t* offset;
  const T* keys;
  HWY_INLINE T key(std::size_t i) const { return keys[i]; }
  HWY_INLINE const T* window(std::size_t i) const { return values - offset[i]; }
};

/// Compares `count` options for kVectors vectors of lanes: 4 vectors, whose accumulators stay in
/// registers, or 1.
template <int kVectors, class T, class Options>
HWY_INLINE void probe(Options options, std::size_t count, const T* candidate, std::size_t lane,
                      std::uint64_t* hits) {
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  const auto far = hn::Set(d, hwy::LimitsMax<T>());
  candidate += lane;
  const auto c0 = hn::LoadU(d, candidate);
  auto m0 = far;
  if constexpr (kVectors == 1) {
    for (std::size_t i = 0; i < count; ++i) {
      const T* const window = options.window(i) + lane;
      m0 = hn::Min(m0, hn::Xor3(hn::LoadU(d, window), hn::Set(d, options.key(i)), c0));
    }
  } else {
    const auto c1 = hn::LoadU(d, candidate + N);
    const auto c2 = hn::LoadU(d, candidate + 2 * N);
    const auto c3 = hn::LoadU(d, candidate + 3 * N);
    auto m1 = far;
    auto m2 = far;
    auto m3 = far;
    for (std::size_t i = 0; i < count; ++i) {
      const T* const window = options.window(i) + lane;
      const auto key = hn::Set(d, options.key(i));
      m0 = hn::Min(m0, hn::Xor3(hn::LoadU(d, window), key, c0));
      m1 = hn::Min(m1, hn::Xor3(hn::LoadU(d, window + N), key, c1));
      m2 = hn::Min(m2, hn::Xor3(hn::LoadU(d, window + 2 * N), key, c2));
      m3 = hn::Min(m3, hn::Xor3(hn::LoadU(d, window + 3 * N), key, c3));
    }
    set_zero_lanes<T>(m1, lane + N, hits);
    set_zero_lanes<T>(m2, lane + 2 * N, hits);
    set_zero_lanes<T>(m3, lane + 3 * N, hits);
  }
  set_zero_lanes<T>(m0, lane, hits);
}

/// Compares the options for all lanes. There must be at least one vector of lanes.
template <class T, class Options>
HWY_INLINE void probe_lanes(Options options, std::size_t count, const T* candidate,
                            std::size_t lanes, std::uint64_t* hits) {
  const std::size_t N = hn::Lanes(Tag<T>());
  std::fill_n(hits, (lanes + 63) / 64, 0);
  std::size_t lane = 0;
  for (; lane + 4 * N <= lanes; lane += 4 * N) probe<4>(options, count, candidate, lane, hits);
  for (; lane + N <= lanes; lane += N) probe<1>(options, count, candidate, lane, hits);
  // One more vector takes the last lanes. It repeats some of the earlier lanes.
  if (lane < lanes) probe<1>(options, count, candidate, lanes - N, hits);
}

template <class T>
void probe_pairs(const T* values, std::uint64_t first, std::uint64_t partner, std::size_t pairs,
                 const T* candidate, std::size_t lanes, std::uint64_t* hits) noexcept {
  if (lanes < hn::Lanes(Tag<T>())) {
    scalar::probe_pairs(values, first, partner, pairs, candidate, lanes, hits);
    return;
  }
  probe_lanes(PairOptions<T>{values + first, values + partner}, pairs, candidate, lanes, hits);
}

template <class T>
void probe_taps(const T* values, const std::uint64_t* offset, const T* key, std::size_t taps,
                const T* candidate, std::size_t lanes, std::uint64_t* hits) noexcept {
  if (lanes < hn::Lanes(Tag<T>())) {
    scalar::probe_taps(values, offset, key, taps, candidate, lanes, hits);
    return;
  }
  probe_lanes(TapOptions<T>{values, offset, key}, taps, candidate, lanes, hits);
}

template <class T>
std::size_t find_pair(const T* values, std::uint64_t first, std::uint64_t partner,
                      std::size_t pairs, T candidate) noexcept {
  static_assert(kReadSlack >= hn::MaxLanes(Tag<T>()));
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  const auto wanted = hn::Set(d, candidate);
  const T* up = values + first;
  const T* down = values + partner + 1 - N;
  std::size_t i = 0;
  for (; i + 4 * N <= pairs; i += 4 * N) {
    const auto distance = [&](std::size_t at) HWY_ATTR {
      return hn::Xor3(hn::LoadU(d, up + i + at), reversed<T>(hn::LoadU(d, down - i - at)), wanted);
    };
    if (any_zero<T>(hn::Min(hn::Min(distance(0), distance(N)),
                            hn::Min(distance(2 * N), distance(3 * N))))) {
      break;
    }
  }
  for (; i < pairs; i += N) {
    const auto distance =
        hn::Xor3(hn::LoadU(d, up + i), reversed<T>(hn::LoadU(d, down - i)), wanted);
    const auto hit = hn::FindFirstTrue(d, hn::Eq(distance, hn::Zero(d)));
    if (hit >= 0) return std::min(i + static_cast<std::size_t>(hit), pairs);
  }
  return pairs;
}

template <class T>
void mark_pairs(const T* values, std::uint64_t first, std::uint64_t partner, std::size_t pairs,
                std::uint8_t* mark) noexcept {
  constexpr std::size_t kPerWord = sizeof(std::uint64_t) / sizeof(T);
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  HWY_ALIGN std::uint64_t sums[hn::MaxLanes(Tag<std::uint64_t>())];
  std::size_t i = 0;
  // Vectors compute the nim-sums. Scalar code loads them in whole words and marks. The stores of
  // the marks, one in each cycle, limit the speed.
  for (; i + N <= pairs; i += N) {
    const auto sum = hn::Xor(hn::LoadU(d, values + first + i),
                             reversed<T>(hn::LoadU(d, values + partner + 1 - N - i)));
    hn::Store(hn::BitCast(Tag<std::uint64_t>(), sum), Tag<std::uint64_t>(), sums);
    for (std::size_t w = 0; w < N / kPerWord; ++w) {
      std::uint64_t word = sums[w];
      for (std::size_t j = 0; j < kPerWord; ++j, word >>= 8 * sizeof(T)) {
        mark[static_cast<T>(word)] = 1;
      }
    }
  }
  for (; i < pairs; ++i) mark[values[first + i] ^ values[partner - i]] = 1;
}

template <class T>
T maximum(const T* values, std::size_t size) noexcept {
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  T lanes[hn::MaxLanes(Tag<T>())];
  auto top = hn::Zero(d);
  std::size_t i = 0;
  for (; i + N <= size; i += N) top = hn::Max(top, hn::LoadU(d, values + i));
  hn::StoreU(top, d, lanes);
  return std::max(*std::max_element(lanes, lanes + N), scalar::maximum(values + i, size - i));
}

/// Values in as many lanes of 64 bits.
template <class T>
HWY_INLINE Vector<std::uint64_t> load_wide(const T* values) {
  const Tag<std::uint64_t> d;
  const hn::Rebind<std::uint32_t, decltype(d)> d32;
  if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
    return hn::PromoteTo(d, hn::LoadU(d32, values));
  } else {
    return hn::PromoteTo(d, hn::PromoteTo(d32, hn::LoadU(hn::Rebind<T, decltype(d)>(), values)));
  }
}

template <class T>
WeighedSum weigh(const std::uint64_t* weights, const T* values, std::size_t step,
                 std::size_t size) noexcept {
  if (step != 1) return scalar::weigh(weights, values, step, size);
  const Tag<std::uint64_t> d;
  const Tag<std::uint32_t> halves;
  const std::size_t N = hn::Lanes(d);
  auto low = hn::Zero(d), middle = low, high = low;
  std::size_t i = 0;
  for (; i + N <= size; i += N) {
    const auto value = hn::BitCast(halves, load_wide(values + i));
    const auto weight = hn::LoadU(d, weights + i);
    // The even lanes of 32 bits are the lower halves.
    const auto of_low = hn::MulEven(hn::BitCast(halves, weight), value);
    const auto of_high = hn::MulEven(hn::BitCast(halves, hn::ShiftRight<32>(weight)), value);
    if constexpr (sizeof(T) < sizeof(std::uint32_t)) {
      low = hn::Add(low, of_low);
      middle = hn::Add(middle, of_high);
    } else {
      const auto half = hn::Set(d, ~std::uint32_t{0});
      low = hn::Add(low, hn::And(of_low, half));
      middle = hn::Add(middle, hn::Add(hn::ShiftRight<32>(of_low), hn::And(of_high, half)));
      high = hn::Add(high, hn::ShiftRight<32>(of_high));
    }
  }
  const WeighedSum rest = scalar::weigh(weights + i, values + i, 1, size - i);
  const auto sum = [&](Vector<std::uint64_t> lanes)
                       HWY_ATTR { return hn::GetLane(hn::SumOfLanes(d, lanes)); };
  return {rest.low + sum(low), rest.middle + sum(middle), rest.high + sum(high)};
}

std::uint32_t narrow(const std::uint32_t* values, std::size_t size, std::uint16_t* to) noexcept {
  const Tag<std::uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::Rebind<std::uint16_t, decltype(d)> half;
  const std::size_t N = hn::Lanes(d);
  std::uint32_t lanes[hn::MaxLanes(Tag<std::uint32_t>())];
  auto top = hn::Zero(d);
  std::size_t i = 0;
  for (; i + N <= size; i += N) {
    const auto here = hn::LoadU(d, values + i);
    top = hn::Max(top, here);
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(di, here)), half, to + i);
  }
  hn::StoreU(top, d, lanes);
  return std::max(*std::max_element(lanes, lanes + N),
                  scalar::narrow(values + i, size - i, to + i));
}

/// The number of bytes that are counted at a time. With AVX-512, whose comparisons give a mask,
/// longer vectors need as many instructions.
using Counted = hn::CappedTag<std::uint8_t, 32>;

/// -1 where a and b are equal, 0 elsewhere.
HWY_INLINE hn::Vec<Counted> minus_equal(hn::Vec<Counted> a, hn::Vec<Counted> b) {
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<Counted>{_mm256_cmpeq_epi8(a.raw, b.raw)};
#else
  return hn::VecFromMask(Counted(), hn::Eq(a, b));
#endif
}

/// Counts the four values from `first` on, except values above `most`. A vector of bytes counts
/// each value, and is added up before one of its bytes can overflow. @pre size is a multiple of the
/// lanes
void count_four(const std::uint8_t* values, std::size_t size, std::size_t first, std::size_t most,
                std::uint64_t* counts) noexcept {
  constexpr std::size_t kLargestByte = 255;
  const Counted d;
  const hn::Repartition<std::uint64_t, Counted> sums;
  const std::size_t N = hn::Lanes(d);
  const auto value = [&](std::size_t k)
                         HWY_ATTR { return hn::Set(d, static_cast<std::uint8_t>(first + k)); };
  const auto v0 = value(0), v1 = value(1), v2 = value(2), v3 = value(3);
  for (std::size_t at = 0; at < size;) {
    const std::size_t end = std::min(size, at + kLargestByte * N);
    auto n0 = hn::Zero(d), n1 = n0, n2 = n0, n3 = n0;
    for (; at < end; at += N) {
      const auto some = hn::LoadU(d, values + at);
      n0 = hn::Sub(n0, minus_equal(some, v0));
      n1 = hn::Sub(n1, minus_equal(some, v1));
      n2 = hn::Sub(n2, minus_equal(some, v2));
      n3 = hn::Sub(n3, minus_equal(some, v3));
    }
    const auto add = [&](std::size_t k, hn::Vec<Counted> n) HWY_ATTR {
      if (first + k > most) return;
      counts[first + k] += hn::GetLane(hn::SumOfLanes(sums, hn::SumsOf8(n)));
    };
    add(0, n0), add(1, n1), add(2, n2), add(3, n3);
  }
}

template <class T>
void histogram(const T* values, std::size_t size, std::uint64_t* counts) noexcept {
  if constexpr (sizeof(T) == 1) {
    const std::size_t N = hn::Lanes(Counted());
    const std::size_t whole = size / N * N;
    // A comparison for each value that may occur is faster than an addition in memory.
    const std::size_t most = maximum(values, size);
    if (most <= 2 * N) {
      for (std::size_t first = 0; first <= most; first += 4) {
        count_four(values, whole, first, most, counts);
      }
      for (std::size_t i = whole; i < size; ++i) ++counts[values[i]];
      return;
    }
  }
  scalar::histogram(values, size, counts);
}

void take_marks(std::uint8_t* marks, std::size_t words, std::uint64_t* bits) noexcept {
  const Tag<std::uint8_t> d;
  const std::size_t N = hn::Lanes(d);
  const auto zero = hn::Zero(d);
  for (std::size_t i = 0; i < 64 * words; i += N) {
    std::uint8_t packed[hn::MaxLanes(Tag<std::uint8_t>()) / 8 + 8];
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, marks + i), zero), packed);
    std::memcpy(reinterpret_cast<std::uint8_t*>(bits) + i / 8, packed, N / 8);
    hn::StoreU(zero, d, marks + i);
  }
}

void or_words(std::uint64_t* into, const std::uint64_t* from, std::size_t words) noexcept {
  const Tag<std::uint64_t> d;
  const std::size_t N = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + N <= words; i += N) {
    hn::StoreU(hn::Or(hn::LoadU(d, into + i), hn::LoadU(d, from + i)), d, into + i);
  }
  for (; i < words; ++i) into[i] |= from[i];
}

/// Swaps neighbouring groups of kDistance bits where bit kDistance of the key is set.
template <int kDistance>
HWY_INLINE Vector<std::uint64_t> swapped_if(std::uint32_t key, std::uint64_t lower,
                                            Vector<std::uint64_t> v) {
  if ((key & kDistance) == 0) return v;
  const auto mask = hn::Set(Tag<std::uint64_t>(), lower);
  return hn::Or(hn::And(hn::ShiftRight<kDistance>(v), mask),
                hn::ShiftLeft<kDistance>(hn::And(v, mask)));
}

void or_xor_translated(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                       std::uint32_t key) noexcept {
  const Tag<std::uint64_t> d;
  const std::size_t N = hn::Lanes(d);
  if (words < N) {
    scalar::or_xor_translated(into, from, words, key);
    return;
  }
  // The word index i ^ swap splits: its high part picks the vector, its low part the lane.
  const std::size_t swap = key / 64;
  std::int64_t lane[hn::MaxLanes(Tag<std::uint64_t>())];
  for (std::size_t j = 0; j < N; ++j) lane[j] = static_cast<std::int64_t>(j ^ (swap % N));
  const auto lanes = hn::SetTableIndices(d, lane);
  for (std::size_t i = 0; i < words; i += N) {
    auto v = hn::TableLookupLanes(hn::LoadU(d, from + (i ^ (swap / N * N))), lanes);
    v = swapped_if<1>(key, 0x5555555555555555, v);
    v = swapped_if<2>(key, 0x3333333333333333, v);
    v = swapped_if<4>(key, 0x0f0f0f0f0f0f0f0f, v);
    v = swapped_if<8>(key, 0x00ff00ff00ff00ff, v);
    v = swapped_if<16>(key, 0x0000ffff0000ffff, v);
    v = swapped_if<32>(key, 0x00000000ffffffff, v);
    hn::StoreU(hn::Or(hn::LoadU(d, into + i), v), d, into + i);
  }
}

/// first_zero_bit has no vector form that pays.
template <class T>
constexpr TypedValueKernels<T> kTyped = {probe_pairs<T>, probe_taps<T>, find_pair<T>, mark_pairs<T>,
                                         histogram<T>,   maximum<T>,    weigh<T>};

constexpr ValueKernels kKernels = {
    {kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>},
    narrow,
    take_marks,
    scalar::first_zero_bit,
    or_words,
    or_xor_translated};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(ValueKernels)
#endif
