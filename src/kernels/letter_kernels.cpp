/// @file
/// The loops stand here once. Each target compiles them anew, because they are inlined into its
/// functions.
// SPDX-License-Identifier: MIT
#include "kernels/letter_kernels.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#ifndef GRUNDY_LETTER_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_LETTER_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

[[gnu::always_inline]] inline void put_pairs(const std::byte* letters, std::size_t fours,
                                             const std::uint64_t* pairs,
                                             LetterOutput& into) noexcept {
  constexpr std::uint32_t kMostBits = 57;
  LetterOutput to = into;  // a copy, which stays in registers during writes
  const auto pair = [&](std::size_t i) {
    std::uint16_t two = 0;
    std::memcpy(&two, letters + 2 * i, sizeof two);
    return pairs[two];
  };
  for (std::size_t i = 0; i < 2 * fours; i += 2) {
    const std::uint64_t first = pair(i);
    const std::uint64_t second = pair(i + 1);
    const std::uint32_t count = static_cast<std::uint8_t>(first);
    const std::uint32_t both = count + static_cast<std::uint8_t>(second);
    if (both > kMostBits) [[unlikely]] {  // some letters are rare
      to.put(first >> 8, count);
      to.put(second >> 8, both - count);
    } else {
      to.put(first >> 8 | second >> 8 << count, both);
    }
  }
  into = to;
}

template <std::size_t kStreams>
[[gnu::always_inline]] inline void take_letters(
    const LetterAnswer* answers, const std::array<LetterInput*, kStreams>& streams) noexcept {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kLookUpBits) - 1;
  constexpr std::size_t kLookUps = 5;  // for which 56 bits are enough
  constexpr std::ptrdiff_t kRoom = kLookUps * kMostLetters;
  std::array<LetterInput, kStreams> in;  // copies, which stay in registers during writes
  for (std::size_t s = 0; s < kStreams; ++s) in[s] = *streams[s];
  const auto goes_on = [&] {
    bool all = true;
    for (const LetterInput& i : in) all = all && i.end - i.at >= 8 && i.out_end - i.out >= kRoom;
    return all;
  };
  for (bool letters = true; letters && goes_on();) {
    for (LetterInput& i : in) {
      i.count &= 63;
      std::uint64_t next = 0;
      std::memcpy(&next, i.at, sizeof next);
      i.bits |= next << i.count;
      i.at += (63 - i.count) / 8;
      i.count |= 56;
    }
    for (std::size_t look_up = 0; look_up < kLookUps; ++look_up) {
      std::array<LetterAnswer, kStreams> answer;
      LetterAnswer all = kHasLetters;
      for (std::size_t s = 0; s < kStreams; ++s) {
        answer[s] = answers[in[s].bits & kMask];
        all &= answer[s];
      }
      letters = (all & kHasLetters) != 0;
      if (!letters) break;
      for (std::size_t s = 0; s < kStreams; ++s) {
        const auto four = static_cast<std::uint32_t>(answer[s] >> 32);
        std::memcpy(in[s].out, &four, sizeof four);
        in[s].out += answer[s] >> 8 & 0xFF;
        in[s].bits >>= static_cast<unsigned>(answer[s]) & 63;
        in[s].count -= static_cast<std::uint32_t>(answer[s]);  // the upper bits are of no use
      }
    }
  }
  for (std::size_t s = 0; s < kStreams; ++s) {
    in[s].count &= 63;
    *streams[s] = in[s];
  }
}

void write_pairs(const std::byte* letters, std::size_t fours, const std::uint64_t* pairs,
                 LetterOutput& to) noexcept {
  put_pairs(letters, fours, pairs, to);
}
void read(const LetterAnswer* answers, LetterInput& in) noexcept {
  take_letters<1>(answers, {&in});
}
void read_parts(const LetterAnswer* answers,
                const std::array<LetterInput*, kLetterParts>& streams) noexcept {
  take_letters<kLetterParts>(answers, streams);
}

constexpr LetterKernels kKernels = {write_pairs, read, read_parts};

}  // namespace
}  // namespace grundy::scalar
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/letter_kernels.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target.h includes this file again, once for every target.
#include <hwy/highway.h>

#include "kernels/targets.hpp"

// Highway's stand-ins for processors without vectors are left out: the set `scalar` serves those.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy::HWY_NAMESPACE {
namespace {

void write_pairs(const std::byte* letters, std::size_t fours, const std::uint64_t* pairs,
                 LetterOutput& to) noexcept {
  scalar::put_pairs(letters, fours, pairs, to);
}
void read(const LetterAnswer* answers, LetterInput& in) noexcept {
  scalar::take_letters<1>(answers, {&in});
}
void read_parts(const LetterAnswer* answers,
                const std::array<LetterInput*, kLetterParts>& streams) noexcept {
  scalar::take_letters<kLetterParts>(answers, streams);
}

constexpr LetterKernels kKernels = {write_pairs, read, read_parts};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(LetterKernels)
#endif
