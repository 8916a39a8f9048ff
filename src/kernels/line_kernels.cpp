/// @file
/// Packing is PEXT where the target has BMI2 (AVX2 and later); no vector form is faster there.
// SPDX-License-Identifier: MIT
#include "kernels/line_kernels.hpp"

#include <bit>

#ifndef GRUNDY_LINE_KERNELS_SCALAR  // once, not once a target
#define GRUNDY_LINE_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

void and_words(std::uint64_t* into, const std::uint64_t* from, std::size_t words) noexcept {
  for (std::size_t i = 0; i < words; ++i) into[i] &= from[i];
}

void pack_bits(const std::uint64_t* from, const std::uint32_t* word, const std::uint64_t* masks,
               std::size_t count, std::uint64_t* out) noexcept {
  std::size_t at = 0;
  *out = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint64_t left = masks[i]; left != 0; left &= left - 1) {
      out[at / 64] |= (from[word[i]] >> std::countr_zero(left) & 1) << (at % 64);
      if (++at % 64 == 0) out[at / 64] = 0;
    }
  }
}

void unpack_bits(const std::uint64_t* packed, const std::uint32_t* word, const std::uint64_t* masks,
                 std::size_t count, std::uint64_t* into) noexcept {
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::uint64_t left = masks[i]; left != 0; left &= left - 1, ++at) {
      if (packed[at / 64] >> (at % 64) & 1) into[word[i]] |= left & -left;
    }
  }
}

void place_cells(const LineBits& sets, const std::uint32_t* slots, std::size_t count,
                 std::size_t cells, std::uint32_t* index) noexcept {
  for (std::size_t cell = 0; cell < cells; ++cell, slots += count) {
    std::uint64_t word = ~std::uint64_t{0};
    std::size_t at = 0;
    for (; ~word == 0; ++at) {
      word = 0;
      for (std::size_t k = 0; k < count; ++k) word |= sets.words[slots[k] * sets.stride + at];
    }
    --at;
    index[cell] = static_cast<std::uint32_t>(64 * at + std::countr_one(word));
    for (std::size_t k = 0; k < count; ++k) {
      std::uint64_t* const line = sets.words + slots[k] * sets.stride;
      line[at] |= ~word & (word + 1);
      while (~line[sets.low[slots[k]]] == 0) ++sets.low[slots[k]];
    }
  }
}

constexpr LineKernels kKernels = {and_words, pack_bits, unpack_bits, place_cells};

}  // namespace
}  // namespace grundy::scalar
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/line_kernels.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target.h includes this file again, once for every target.
#include <hwy/highway.h>
#if HWY_ARCH_X86
#include <immintrin.h>
#endif

#include "kernels/targets.hpp"

// Highway's stand-ins for processors without vectors are left out: the set `scalar` serves those.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The bits of `word` that `mask` selects, moved together at the low end.
HWY_INLINE std::uint64_t extract_bits(std::uint64_t word, std::uint64_t mask) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return _pext_u64(word, mask);
#else
  std::uint64_t out = 0;
  for (unsigned at = 0; mask != 0; mask &= mask - 1, ++at) {
    out |= (word >> std::countr_zero(mask) & 1) << at;
  }
  return out;
#endif
}

void pack_bits(const std::uint64_t* from, const std::uint32_t* word, const std::uint64_t* masks,
               std::size_t count, std::uint64_t* out) noexcept {
  std::uint64_t open = 0;
  unsigned filled = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = extract_bits(from[word[i]], masks[i]);
    const auto width = static_cast<unsigned>(std::popcount(masks[i]));
    open |= bits << filled;
    *out = open;
    filled += width;
    if (filled >= 64) {
      ++out;
      filled -= 64;
      open = filled == 0 ? 0 : bits >> (width - filled);
    }
  }
  *out = open;
}

void and_words(std::uint64_t* into, const std::uint64_t* from, std::size_t words) noexcept {
  const hn::ScalableTag<std::uint64_t> d;
  const std::size_t N = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + N <= words; i += N) {
    hn::StoreU(hn::And(hn::LoadU(d, into + i), hn::LoadU(d, from + i)), d, into + i);
  }
  for (; i < words; ++i) into[i] &= from[i];
}

/// The bits of `packed` moved to where `mask` has its ones.
HWY_INLINE std::uint64_t deposit_bits(std::uint64_t packed, std::uint64_t mask) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return _pdep_u64(packed, mask);
#else
  std::uint64_t out = 0;
  for (; mask != 0; mask &= mask - 1, packed >>= 1) {
    if (packed & 1) out |= mask & -mask;
  }
  return out;
#endif
}

void unpack_bits(const std::uint64_t* packed, const std::uint32_t* word, const std::uint64_t* masks,
                 std::size_t count, std::uint64_t* into) noexcept {
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = packed[at / 64] >> (at % 64);
    if (at % 64 != 0) bits |= packed[at / 64 + 1] << (64 - at % 64);
    into[word[i]] |= deposit_bits(bits, masks[i]);
    at += static_cast<std::size_t>(std::popcount(masks[i]));
  }
}

/// place_cells() for a number of sets that the compiler knows, or any if kCount is 0.
template <std::size_t kCount>
HWY_INLINE void place(const LineBits& sets, const std::uint32_t* slots, std::size_t any_count,
                      std::size_t cells, std::uint32_t* index) noexcept {
  const std::size_t count = kCount > 0 ? kCount : any_count;
  const hn::CappedTag<std::uint64_t, kSetSlack> d;
  const std::size_t N = hn::Lanes(d);
  const auto full = hn::Set(d, ~std::uint64_t{0});
  const auto set = [&](std::size_t k) HWY_ATTR { return sets.words + slots[k] * sets.stride; };
  for (std::size_t cell = 0; cell < cells; ++cell, slots += count) {
    std::size_t from = 0;
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < count; ++k) from = HWY_MAX(from, sets.low[slots[k]]);
    for (;; from += N) {
      auto all = hn::LoadU(d, set(0) + from);
      for (std::size_t k = 1; k < count; ++k) all = hn::Or(all, hn::LoadU(d, set(k) + from));
      const auto open = hn::Ne(all, full);
      const auto lane = hn::FindFirstTrue(d, open);
      if (lane < 0) continue;
      from += static_cast<std::size_t>(lane);
      word = hn::ExtractLane(all, static_cast<std::size_t>(lane));
      break;
    }
    const std::uint64_t bit = ~word & (word + 1);
    index[cell] = static_cast<std::uint32_t>(64 * from + std::countr_zero(bit));
    for (std::size_t k = 0; k < count; ++k) {
      std::uint64_t* const line = set(k);
      if (~(line[from] |= bit) != 0) continue;
      std::uint32_t& low = sets.low[slots[k]];
      while (~line[low] == 0) ++low;
    }
  }
}

void place_cells(const LineBits& sets, const std::uint32_t* slots, std::size_t count,
                 std::size_t cells, std::uint32_t* index) noexcept {
  switch (count) {
    case 2:
      return place<2>(sets, slots, count, cells, index);
    case 3:
      return place<3>(sets, slots, count, cells, index);
    case 4:
      return place<4>(sets, slots, count, cells, index);
    default:
      return place<0>(sets, slots, count, cells, index);
  }
}

constexpr LineKernels kKernels = {and_words, pack_bits, unpack_bits, place_cells};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace grundy
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(LineKernels)
#endif
