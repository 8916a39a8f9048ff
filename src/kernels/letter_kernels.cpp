/// @file
/// The loops over letters stand here once. Each target compiles them anew, because they are inlined
/// into its functions. What finds the ends of runs, changes64(), each target has for itself.
// SPDX-License-Identifier: MIT
#include "kernels/letter_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
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

/// Calls run(letter, n) for a letter that comes n times again, n < kShortRun, and again(n) where
/// the letter before comes n times again, n >= kLeastAgain. They are all letters, in their order.
/// @param changes64 changes64(at): bit i says whether the letter at + i + 1 differs from the one
///   before, for i < 64
[[gnu::always_inline]] inline void for_each_run(const std::byte* letters, std::size_t count,
                                                const auto& changes64, const auto& run,
                                                const auto& again) noexcept {
  if (count == 0) return;
  std::size_t begin = 0;  // of a run
  const auto end_run = [&](std::size_t end) {
    const auto letter = std::to_integer<std::size_t>(letters[begin]);
    std::size_t more = end - begin - 1;
    begin = end;
    if (more < kShortRun) {
      run(letter, more);
      return;
    }
    run(letter, 0);
    for (; more > kMostAgain; more -= kMostAgain) again(kMostAgain);
    if (more >= kLeastAgain) {
      again(more);
    } else if (more > 0) {
      run(letter, more - 1);
    }
  };
  std::size_t at = 0;
  for (; at + 64 < count; at += 64) {
    for (std::uint64_t changes = changes64(letters + at); changes != 0; changes &= changes - 1) {
      end_run(at + static_cast<std::size_t>(std::countr_zero(changes)) + 1);
    }
  }
  for (++at; at < count; ++at) {
    if (letters[at] != letters[at - 1]) end_run(at);
  }
  end_run(count);
}

[[gnu::always_inline]] inline void put_runs(const std::byte* letters, std::size_t count,
                                            const RunCodes& codes, LetterOutput& into,
                                            const auto& changes64) noexcept {
  LetterOutput to = into;  // a copy, which stays in registers during writes
  const auto put = [&](std::uint64_t code) { to.put(code >> 8, static_cast<std::uint8_t>(code)); };
  for_each_run(
      letters, count, changes64,
      [&](std::size_t letter, std::size_t n) { put(codes.runs[kShortRun * letter + n]); },
      [&](std::size_t n) { put(codes.again[n]); });
  into = to;
}

[[gnu::always_inline]] inline void add_runs(const std::byte* letters, std::size_t count,
                                            std::uint32_t* times, std::uint32_t* again,
                                            const auto& changes64) noexcept {
  for_each_run(
      letters, count, changes64,
      [&](std::size_t letter, std::size_t n) {
        times[letter] += 1 + (n < kLeastAgain ? static_cast<std::uint32_t>(n) : 0);
        ++again[n];
      },
      [&](std::size_t n) { ++again[n]; });
}

template <std::size_t kStreams>
[[gnu::always_inline]] inline void take_letters(
    const LetterAnswer* answers, const std::array<LetterInput*, kStreams>& streams) noexcept {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kLookUpBits) - 1;
  constexpr std::size_t kLookUps = 5;  // for which 56 bits are enough
  // Repeats would cost letters time, and blocks in parts have none.
  constexpr bool kRepeats = kStreams == 1;
  constexpr LetterAnswer kWanted = kRepeats ? kHasLetters | kHasRepeats : kHasLetters;
  constexpr std::ptrdiff_t kRoom = kLookUps * (kMostLetters + (kRepeats ? kMostRepeats : 0));
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
      LetterAnswer all = kWanted;
      for (std::size_t s = 0; s < kStreams; ++s) {
        answer[s] = answers[in[s].bits & kMask];
        all &= answer[s];
      }
      letters = all != 0;
      if (!letters) break;
      for (std::size_t s = 0; s < kStreams; ++s) {
        const auto four = static_cast<std::uint32_t>(answer[s] >> 32);
        std::memcpy(in[s].out, &four, sizeof four);
        in[s].out += answer[s] >> 8 & 0xFF;
        if constexpr (kRepeats) {
          // Without a branch, which would be mispredicted.
          std::memset(in[s].out, std::to_integer<int>(in[s].out[-1]), kMostRepeats);
          in[s].out += (answer[s] & kHasRepeats) != 0 ? answer[s] >> 16 & 0xFFFF : 0;
        }
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
std::uint64_t changes64(const std::byte* at) noexcept {
  std::uint64_t changes = 0;
  for (unsigned i = 0; i < 64; ++i) changes |= std::uint64_t{at[i + 1] != at[i]} << i;
  return changes;
}
void write_runs(const std::byte* letters, std::size_t count, const RunCodes& codes,
                LetterOutput& to) noexcept {
  put_runs(letters, count, codes, to, changes64);
}
void count_runs(const std::byte* letters, std::size_t count, std::uint32_t* times,
                std::uint32_t* again) noexcept {
  add_runs(letters, count, times, again, changes64);
}
void read(const LetterAnswer* answers, LetterInput& in) noexcept {
  take_letters<1>(answers, {&in});
}
void read_parts(const LetterAnswer* answers,
                const std::array<LetterInput*, kLetterParts>& streams) noexcept {
  take_letters<kLetterParts>(answers, streams);
}

/// @param begin values before this one are copied
void to_columns_from(std::size_t begin, const std::byte* values, std::size_t width,
                     std::size_t count, std::byte* columns) noexcept {
  for (std::size_t i = begin; i < count; ++i) {
    for (std::size_t k = 0; k < width; ++k) columns[k * count + i] = values[width * i + k];
  }
}
void from_columns_from(std::size_t begin, const std::byte* columns, std::size_t width,
                       std::size_t count, std::byte* values) noexcept {
  for (std::size_t i = begin; i < count; ++i) {
    for (std::size_t k = 0; k < width; ++k) values[width * i + k] = columns[k * count + i];
  }
}
void to_columns(const std::byte* values, std::size_t width, std::size_t count,
                std::byte* columns) noexcept {
  to_columns_from(0, values, width, count, columns);
}
void from_columns(const std::byte* columns, std::size_t width, std::size_t count,
                  std::byte* values) noexcept {
  from_columns_from(0, columns, width, count, values);
}

constexpr LetterKernels kKernels = {write_pairs, write_runs, count_runs,  read,
                                    read_parts,  to_columns, from_columns};

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

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<std::uint8_t>;

void write_pairs(const std::byte* letters, std::size_t fours, const std::uint64_t* pairs,
                 LetterOutput& to) noexcept {
  scalar::put_pairs(letters, fours, pairs, to);
}
HWY_INLINE std::uint64_t changes64(const std::byte* at) noexcept {
  const hn::CappedTag<std::uint8_t, 64> d;
  const auto* const letters = reinterpret_cast<const std::uint8_t*>(at);
  std::uint8_t bytes[16];  // 8, and room for what a store of a mask touches
  for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
    hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, letters + i), hn::LoadU(d, letters + i + 1)),
                      bytes + i / 8);
  }
  std::uint64_t changes = 0;
  std::memcpy(&changes, bytes, sizeof changes);
  return changes;
}
void write_runs(const std::byte* letters, std::size_t count, const RunCodes& codes,
                LetterOutput& to) noexcept {
  scalar::put_runs(letters, count, codes, to, changes64);
}
void count_runs(const std::byte* letters, std::size_t count, std::uint32_t* times,
                std::uint32_t* again) noexcept {
  scalar::add_runs(letters, count, times, again, changes64);
}
void read(const LetterAnswer* answers, LetterInput& in) noexcept {
  scalar::take_letters<1>(answers, {&in});
}
void read_parts(const LetterAnswer* answers,
                const std::array<LetterInput*, kLetterParts>& streams) noexcept {
  scalar::take_letters<kLetterParts>(answers, streams);
}

void to_columns(const std::byte* values, std::size_t width, std::size_t count,
                std::byte* columns) noexcept {
  const Tag d;
  const auto* const from = reinterpret_cast<const std::uint8_t*>(values);
  auto* const to = reinterpret_cast<std::uint8_t*>(columns);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    auto v0 = hn::Zero(d), v1 = v0, v2 = v0, v3 = v0;
    if (width == 2) {
      hn::LoadInterleaved2(d, from + 2 * i, v0, v1);
    } else {
      hn::LoadInterleaved4(d, from + 4 * i, v0, v1, v2, v3);
      hn::StoreU(v2, d, to + 2 * count + i);
      hn::StoreU(v3, d, to + 3 * count + i);
    }
    hn::StoreU(v0, d, to + i);
    hn::StoreU(v1, d, to + count + i);
  }
  scalar::to_columns_from(i, values, width, count, columns);
}

void from_columns(const std::byte* columns, std::size_t width, std::size_t count,
                  std::byte* values) noexcept {
  const Tag d;
  const auto* const from = reinterpret_cast<const std::uint8_t*>(columns);
  auto* const to = reinterpret_cast<std::uint8_t*>(values);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto v0 = hn::LoadU(d, from + i);
    const auto v1 = hn::LoadU(d, from + count + i);
    if (width == 2) {
      hn::StoreInterleaved2(v0, v1, d, to + 2 * i);
    } else {
      hn::StoreInterleaved4(v0, v1, hn::LoadU(d, from + 2 * count + i),
                            hn::LoadU(d, from + 3 * count + i), d, to + 4 * i);
    }
  }
  scalar::from_columns_from(i, columns, width, count, values);
}

constexpr LetterKernels kKernels = {write_pairs, write_runs, count_runs,  read,
                                    read_parts,  to_columns, from_columns};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(LetterKernels)
#endif
