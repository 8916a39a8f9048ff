// SPDX-License-Identifier: MIT
#include "kernels/line_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>

#ifndef GRUNDY_LINE_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_LINE_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

WordBits bits_of(const std::uint64_t* words, std::size_t count) noexcept {
  WordBits bits;
  for (const std::uint64_t word : std::span(words, count)) {
    bits.all &= word;
    bits.is_zero = bits.is_zero && word == 0;
  }
  return bits;
}

void note_full(const PackedBits& bits, const std::uint32_t* words, std::size_t count,
               const ChunkRange& range, const FullWords& full) noexcept {
  for (const std::uint32_t w : std::span(words, count)) {
    const std::uint64_t* set = bits.words + w * bits.stride + kSetSlack * range.first;
    for (std::uint64_t chunk = range.first; chunk < range.first + range.count; ++chunk) {
      unsigned sets = 0;
      for (std::size_t i = 0; i < kSetSlack; ++i, ++set) sets |= (~*set == 0 ? 1u : 0u) << i;
      full.bytes[chunk * full.pitch + w] = static_cast<std::uint8_t>(sets);
    }
  }
}

std::size_t living_words(const FullWords& full, std::size_t words, const ChunkRange* ranges,
                         std::size_t count, std::uint32_t* list) noexcept {
  std::size_t found = 0;
  for (std::size_t w = 0; w < words; ++w) {
    bool is_dead = false;
    for (std::size_t i = 0; i < count;) {
      std::uint8_t held = 0xff;
      const std::size_t direction = ranges[i].direction;
      for (; i < count && ranges[i].direction == direction; ++i) {
        for (std::uint64_t c = 0; c < ranges[i].count; ++c) {
          held &= full.bytes[(ranges[i].first + c) * full.pitch + w];
        }
      }
      is_dead = is_dead || held == 0xff;
    }
    if (!is_dead) list[found++] = static_cast<std::uint32_t>(w);
  }
  return found;
}

constexpr std::size_t kGroup = kSetSlack;

std::size_t place_cells(const CellSearch& search, std::size_t cells, std::uint32_t* to,
                        std::ptrdiff_t step) noexcept {
  std::size_t end = 0;
  for (std::size_t cell = 0; cell < cells; ++cell, to += step) {
    std::uint64_t held = 0;
    const std::uint32_t* word = search.words[cell / kGroup];
    std::uint64_t* row = nullptr;
    for (;; ++word) {
      held = 0;
      row = search.bits.words + *word * search.bits.stride;
      for (std::size_t k = 0; k < search.count; ++k) held |= row[search.sets[k].of(cell)];
      if (~held != 0) break;
    }
    end = std::max(end, std::size_t{*word} + 1);
    *to = search.value[*word] + static_cast<std::uint32_t>(std::countr_one(held));
    for (std::size_t k = 0; k < search.marked; ++k) {
      row[search.sets[k].of(cell)] |= ~held & (held + 1);
    }
  }
  return end;
}

constexpr LineKernels kKernels = {bits_of, note_full, living_words, place_cells, kGroup};

}  // namespace
}  // namespace grundy::scalar
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/line_kernels.cpp"
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

using Tag = hn::CappedTag<std::uint64_t, kSetSlack>;

WordBits bits_of(const std::uint64_t* words, std::size_t count) noexcept {
  const Tag d;
  const std::size_t N = hn::Lanes(d);
  if (count < N) return scalar::bits_of(words, count);
  auto all = hn::LoadU(d, words + count - N);
  auto any = all;
  const auto zero = hn::Zero(d);
  for (std::size_t i = 0; i + N < count; i += N) {
    const auto here = hn::LoadU(d, words + i);
    all = hn::And(all, here);
    any = hn::Or(any, here);
    // Most words that are neither full nor empty have nothing in common after a few.
    if (i % (4 * N) == 0 && hn::AllTrue(d, hn::Eq(all, zero)) &&
        !hn::AllTrue(d, hn::Eq(any, zero))) {
      return {.all = 0, .is_zero = false};
    }
  }
  HWY_ALIGN std::uint64_t lanes[kSetSlack];
  hn::Store(all, d, lanes);
  WordBits bits = scalar::bits_of(lanes, N);
  bits.is_zero = hn::AllTrue(d, hn::Eq(any, zero));
  return bits;
}

void note_full(const PackedBits& bits, const std::uint32_t* words, std::size_t count,
               const ChunkRange& range, const FullWords& full) noexcept {
  const Tag d;
  const std::size_t N = hn::Lanes(d);
  const auto ones = hn::Set(d, ~std::uint64_t{0});
  for (const std::uint32_t w : std::span(words, count)) {
    const std::uint64_t* set = bits.words + w * bits.stride + kSetSlack * range.first;
    const std::uint64_t* const end = set + kSetSlack * range.count;
    std::uint8_t* to = full.bytes + range.first * full.pitch + w;
    for (; set != end; set += kSetSlack, to += full.pitch) {
      unsigned sets = 0;
      for (std::size_t i = 0; i < kSetSlack; i += N) {
        std::uint8_t some[8] = {};
        hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, set + i), ones), some);
        sets |= unsigned{some[0]} << i;
      }
      *to = static_cast<std::uint8_t>(sets);
    }
  }
}

std::size_t living_words(const FullWords& full, std::size_t words, const ChunkRange* ranges,
                         std::size_t count, std::uint32_t* list) noexcept {
  const hn::CappedTag<std::uint8_t, FullWords::kPitch> d;
  const std::size_t N = hn::Lanes(d);
  const auto all = hn::Set(d, 0xff);
  std::size_t found = 0;
  for (std::size_t w = 0; w < words; w += N) {
    auto dead = hn::Zero(d);
    for (const ChunkRange *range = ranges, *const end = ranges + count; range != end;) {
      auto held = all;
      const std::size_t direction = range->direction;
      for (; range != end && range->direction == direction; ++range) {
        const std::uint8_t* bytes = full.bytes + range->first * full.pitch + w;
        for (std::uint64_t c = 0; c < range->count; ++c, bytes += full.pitch) {
          held = hn::And(held, hn::LoadU(d, bytes));
        }
      }
      dead = hn::Or(dead, hn::VecFromMask(d, hn::Eq(held, all)));
    }
    std::uint8_t bytes[FullWords::kPitch / 8] = {};
    hn::StoreMaskBits(d, hn::Ne(dead, all), bytes);
    std::uint64_t living = 0;
    std::memcpy(&living, bytes, sizeof living);
    if (words - w < 64) living &= (std::uint64_t{1} << (words - w)) - 1;
    for (; living != 0; living &= living - 1) {
      list[found++] =
          static_cast<std::uint32_t>(w) + static_cast<std::uint32_t>(std::countr_zero(living));
    }
  }
  return found;
}

/// place_cells() for the cells of a few vectors, whose searches the processor overlaps. If kCount
/// is not 0, it is the number of sets, and all sets are marked, ascend and have no lists. If kCount
/// is 0, any sets are allowed.
template <std::size_t kCount, std::size_t kVectors>
HWY_INLINE std::size_t place_some(const CellSearch& search, std::size_t cell, std::size_t cells,
                                  std::uint32_t* to, std::ptrdiff_t step) noexcept {
  const std::size_t count = kCount > 0 ? kCount : search.count;
  const std::size_t marked = kCount > 0 ? kCount : search.marked;
  const CellSets* const sets = search.sets;
  const std::size_t stride = search.bits.stride;
  const hn::CappedTag<std::uint64_t, kSetSlack> d;
  const hn::RebindToSigned<decltype(d)> di;
  using Vector = hn::Vec<decltype(d)>;
  using Mask = hn::Mask<decltype(d)>;
  const std::size_t N = hn::Lanes(d);
  const auto full = hn::Set(d, ~std::uint64_t{0});
  std::uint64_t* first[kCount + 1];  // words of the sets of the first cell
  for (std::size_t k = 0; k < kCount; ++k) first[k] = search.bits.words + sets[k].first + cell;
  const auto load = [&](std::size_t k, std::size_t row, std::size_t lane) HWY_ATTR {
    if (kCount > 0) return hn::LoadU(d, first[k] + row + lane);
    const std::uint64_t* const at = search.bits.words + row;
    if (sets[k].list != nullptr) {
      return hn::GatherIndex(d, at, hn::LoadU(di, sets[k].list + cell + lane));
    }
    if (!sets[k].descend) return hn::LoadU(d, at + sets[k].first + cell + lane);
    return hn::Reverse(d, hn::LoadU(d, at + sets[k].first - cell - lane - (N - 1)));
  };
  Vector word[kVectors], at[kVectors];
  Mask closed[kVectors];  // lanes that have found their gap, or have no cell
  for (std::size_t v = 0; v < kVectors; ++v) {
    word[v] = at[v] = hn::Zero(d);
    closed[v] = hn::Not(hn::FirstN(d, HWY_MIN(N, cells - v * N)));
  }
  const std::uint32_t* next = search.words[cell / (3 * N)];
  for (;; ++next) {
    auto done = closed[0];
    for (std::size_t v = 1; v < kVectors; ++v) done = hn::And(done, closed[v]);
    if (hn::AllTrue(d, done)) break;
    const std::size_t row = *next * stride;
    for (std::size_t v = 0; v < kVectors; ++v) {
      auto all = load(0, row, v * N);
      for (std::size_t k = 1; k < count; ++k) all = hn::Or(all, load(k, row, v * N));
      word[v] = hn::IfThenElse(closed[v], word[v], all);
      at[v] = hn::IfThenElse(closed[v], at[v], hn::Set(d, std::uint64_t{*next}));
      closed[v] = hn::Or(closed[v], hn::Ne(all, full));
    }
  }
  HWY_ALIGN std::uint64_t words[kVectors * kSetSlack], rows[kVectors * kSetSlack];
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::Store(word[v], d, words + v * N);
    hn::Store(at[v], d, rows + v * N);
  }
  for (std::size_t lane = 0; lane < cells; ++lane, to += step) {
    const std::uint64_t bit = ~words[lane] & (words[lane] + 1);
    const std::size_t row = rows[lane] * stride;
    *to = search.value[rows[lane]] + static_cast<std::uint32_t>(std::countr_zero(bit));
    if (kCount > 0) {
      for (std::size_t k = 0; k < kCount; ++k) first[k][row + lane] |= bit;
    } else {
      for (std::size_t k = 0; k < marked; ++k) {
        search.bits.words[row + sets[k].of(cell + lane)] |= bit;
      }
    }
  }
  return std::size_t{next[-1]} + 1;
}

template <std::size_t kCount>
HWY_INLINE std::size_t place(const CellSearch& search, std::size_t cells, std::uint32_t* to,
                             std::ptrdiff_t step) noexcept {
  std::size_t end = 0;
  const std::size_t N = hn::Lanes(hn::CappedTag<std::uint64_t, kSetSlack>());
  for (std::size_t cell = 0; cell < cells; cell += 3 * N) {
    const std::size_t here = HWY_MIN(cells - cell, 3 * N);
    std::uint32_t* const at = to + static_cast<std::ptrdiff_t>(cell) * step;
    const std::size_t read = here > 2 * N ? place_some<kCount, 3>(search, cell, here, at, step)
                             : here > N   ? place_some<kCount, 2>(search, cell, here, at, step)
                                          : place_some<kCount, 1>(search, cell, here, at, step);
    end = HWY_MAX(end, read);
  }
  return end;
}

std::size_t place_cells(const CellSearch& search, std::size_t cells, std::uint32_t* to,
                        std::ptrdiff_t step) noexcept {
  const bool plain =
      search.marked == search.count && std::all_of(search.sets, search.sets + search.count,
                                                   [](const CellSets& s) { return s.ascend(); });
  if (plain && search.count == 2) return place<2>(search, cells, to, step);
  if (plain && search.count == 3) return place<3>(search, cells, to, step);
  if (plain && search.count == 4) return place<4>(search, cells, to, step);
  return place<0>(search, cells, to, step);
}

constexpr LineKernels kKernels = {bits_of, note_full, living_words, place_cells,
                                  3 * HWY_MIN(kSetSlack, HWY_LANES(std::uint64_t))};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(LineKernels)
#endif
