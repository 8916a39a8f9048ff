/// @file
/// The marks of many codes in Highway, compiled once per target of this file's list.
///
/// mark: vectors form the codes that 128 taps reach from 32 heaps and leave them in the first cache
/// level; scalars mark them heap by heap, so that the marks of one heap stay there too.
// SPDX-License-Identifier: MIT
#define HWY_WANT_AVX3_DL
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mark_kernels.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target.h includes this file again, once for every target.
#include <algorithm>
#include <cstring>

#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/mark_kernels.hpp"
#include "kernels/target_kernels.hpp"

// Highway's stand-ins for processors without vectors are left out: plain C++ serves those.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void mark(const std::uint16_t* codes, MarkTaps taps, std::uint16_t bound, std::uint8_t* marks,
          std::size_t stride) noexcept {
  constexpr std::size_t kTaps = 128;
  const hn::CappedTag<std::uint16_t, kMarkHeaps> d;
  const auto most = hn::Set(d, bound);
  HWY_ALIGN std::uint16_t reached[kTaps * kMarkHeaps];
  for (std::size_t begin = 0; begin < taps.count; begin += kTaps) {
    const std::size_t count = std::min(kTaps, taps.count - begin);
    for (std::size_t t = 0; t < count; ++t) {
      const auto code = hn::Set(d, taps.codes[begin + t]);
      const std::uint16_t* const partner =
          codes - static_cast<std::ptrdiff_t>(taps.offsets[begin + t]);
      for (std::size_t j = 0; j < kMarkHeaps; j += hn::Lanes(d)) {
        const auto x = hn::Min(hn::Xor(hn::LoadU(d, partner + j), code), most);
        hn::Store(x, d, reached + kMarkHeaps * t + j);
      }
    }
    for (std::size_t j = 0; j < kMarkHeaps; ++j) {
      std::uint8_t* const own = marks + stride * j;
      const std::uint16_t* from = reached + j;
      const std::uint16_t* const end = from + count * kMarkHeaps;
      for (; end - from >= static_cast<std::ptrdiff_t>(4 * kMarkHeaps); from += 4 * kMarkHeaps) {
        own[from[0]] = 1;
        own[from[kMarkHeaps]] = 1;
        own[from[2 * kMarkHeaps]] = 1;
        own[from[3 * kMarkHeaps]] = 1;
      }
      for (; from != end; from += kMarkHeaps) own[*from] = 1;
    }
  }
}

void take_unmarked(std::uint8_t* marks, std::size_t stride, std::size_t words,
                   std::uint64_t* bits) noexcept {
  const hn::CappedTag<std::uint8_t, 64> d;
  const auto zero = hn::Zero(d);
  for (std::size_t j = 0; j < kMarkHeaps; ++j) {
    for (std::size_t w = 0; w < words; ++w) {
      std::uint8_t word[64 / 8 + 8];
      for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
        std::uint8_t* const at = marks + stride * j + 64 * w + i;
        hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, at), zero), word + i / 8);
        hn::StoreU(zero, d, at);
      }
      std::memcpy(bits + words * j + w, word, 8);
    }
  }
}

constexpr MarkKernels kKernels{mark, take_unmarked};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace grundy
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
namespace grundy {
namespace {

void plain_mark(const std::uint16_t* codes, MarkTaps taps, std::uint16_t bound, std::uint8_t* marks,
                std::size_t stride) noexcept {
  for (std::size_t j = 0; j < kMarkHeaps; ++j) {
    for (std::size_t t = 0; t < taps.count; ++t) {
      const std::uint16_t partner = codes[static_cast<std::ptrdiff_t>(j - taps.offsets[t])];
      const auto code = static_cast<std::uint16_t>(partner ^ taps.codes[t]);
      marks[stride * j + std::min(code, bound)] = 1;
    }
  }
}

void plain_take_unmarked(std::uint8_t* marks, std::size_t stride, std::size_t words,
                         std::uint64_t* bits) noexcept {
  std::fill_n(bits, kMarkHeaps * words, std::uint64_t{0});
  for (std::size_t j = 0; j < kMarkHeaps; ++j) {
    std::uint8_t* const own = marks + stride * j;
    for (std::size_t i = 0; i < 64 * words; ++i) {
      bits[words * j + i / 64] |= std::uint64_t{own[i] == 0} << i % 64;
    }
    std::fill_n(own, 64 * words, std::uint8_t{0});
  }
}

constexpr MarkKernels kPlain{plain_mark, plain_take_unmarked};

}  // namespace

const MarkKernels& plain_mark_kernels() noexcept {
  return kPlain;
}

const MarkKernels& mark_kernels(const KernelSet& kernels) {
  return kernels_of_target(kernels, GRUNDY_EVERY_TARGET(kKernels), kPlain);
}

}  // namespace grundy
#endif  // HWY_ONCE
