// SPDX-License-Identifier: MIT
#include "kernels/line_kernels.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#ifndef GRUNDY_LINE_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_LINE_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

std::uint64_t all_of(const std::uint64_t* words, std::size_t count) noexcept {
  return std::accumulate(words, words + count, ~std::uint64_t{0}, std::bit_and<>());
}

std::size_t living_words(const PackedBits& bits, std::size_t words, const SetRange* ranges,
                         std::size_t count, std::uint32_t* list) noexcept {
  std::size_t found = 0;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t dead = 0;
    for (std::size_t i = 0; i < count;) {
      std::uint64_t held = ~std::uint64_t{0};
      const std::size_t direction = ranges[i].direction;
      for (; i < count && ranges[i].direction == direction; ++i) {
        held &= all_of(bits.words + w * bits.stride + ranges[i].first, ranges[i].count);
      }
      dead |= held;
    }
    if (~dead != 0) list[found++] = static_cast<std::uint32_t>(w);
  }
  return found;
}

void place_cells(const CellSearch& search, std::size_t cells, std::uint32_t* to,
                 std::ptrdiff_t step) noexcept {
  for (std::size_t cell = 0; cell < cells; ++cell, to += step) {
    std::uint64_t held = 0;
    const std::uint32_t* word = search.word;
    std::uint64_t* row = nullptr;
    for (;; ++word) {
      held = 0;
      row = search.bits.words + *word * search.bits.stride;
      for (std::size_t k = 0; k < search.count; ++k) held |= row[search.sets[k].of(cell)];
      if (~held != 0) break;
    }
    *to = search.value[*word] + static_cast<std::uint32_t>(std::countr_one(held));
    for (std::size_t k = 0; k < search.marked; ++k) {
      row[search.sets[k].of(cell)] |= ~held & (held + 1);
    }
  }
}

constexpr LineKernels kKernels = {all_of, living_words, place_cells};

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

std::uint64_t all_of(const std::uint64_t* words, std::size_t count) noexcept {
  const hn::CappedTag<std::uint64_t, kSetSlack> d;
  const std::size_t N = hn::Lanes(d);
  if (count < N) return scalar::all_of(words, count);
  auto all = hn::LoadU(d, words + count - N);
  for (std::size_t i = 0; i + N < count; i += N) all = hn::And(all, hn::LoadU(d, words + i));
  HWY_ALIGN std::uint64_t lanes[kSetSlack];
  hn::Store(all, d, lanes);
  std::uint64_t one = lanes[0];
  for (std::size_t i = 1; i < N; ++i) one &= lanes[i];
  return one;
}

std::size_t living_words(const PackedBits& bits, std::size_t words, const SetRange* ranges,
                         std::size_t count, std::uint32_t* list) noexcept {
  std::size_t found = 0;
  const std::uint64_t* row = bits.words;
  for (std::size_t w = 0; w < words; ++w, row += bits.stride) {
    std::uint64_t dead = 0;
    for (std::size_t i = 0; i < count;) {
      std::uint64_t held = ~std::uint64_t{0};
      const std::size_t direction = ranges[i].direction;
      for (; i < count && ranges[i].direction == direction; ++i) {
        held &= all_of(row + ranges[i].first, ranges[i].count);
      }
      dead |= held;
    }
    list[found] = static_cast<std::uint32_t>(w);
    found += ~dead != 0 ? 1 : 0;
  }
  return found;
}

/// place_cells() for the cells of a few vectors, whose searches the processor overlaps. If kCount
/// is not 0, it is the number of sets, and all sets are marked, ascend and have no lists. If kCount
/// is 0, any sets are allowed.
template <std::size_t kCount, std::size_t kVectors>
HWY_INLINE void place_some(const CellSearch& search, std::size_t cell, std::size_t cells,
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
  for (const std::uint32_t* next = search.word;; ++next) {
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
}

template <std::size_t kCount>
HWY_INLINE void place(const CellSearch& search, std::size_t cells, std::uint32_t* to,
                      std::ptrdiff_t step) noexcept {
  const std::size_t N = hn::Lanes(hn::CappedTag<std::uint64_t, kSetSlack>());
  for (std::size_t cell = 0; cell < cells; cell += 3 * N) {
    const std::size_t here = HWY_MIN(cells - cell, 3 * N);
    std::uint32_t* const at = to + static_cast<std::ptrdiff_t>(cell) * step;
    if (here > 2 * N) {
      place_some<kCount, 3>(search, cell, here, at, step);
    } else if (here > N) {
      place_some<kCount, 2>(search, cell, here, at, step);
    } else {
      place_some<kCount, 1>(search, cell, here, at, step);
    }
  }
}

void place_cells(const CellSearch& search, std::size_t cells, std::uint32_t* to,
                 std::ptrdiff_t step) noexcept {
  const bool plain =
      search.marked == search.count && std::all_of(search.sets, search.sets + search.count,
                                                   [](const CellSets& s) { return s.ascend(); });
  if (plain && search.count == 2) return place<2>(search, cells, to, step);
  if (plain && search.count == 3) return place<3>(search, cells, to, step);
  if (plain && search.count == 4) return place<4>(search, cells, to, step);
  place<0>(search, cells, to, step);
}

constexpr LineKernels kKernels = {all_of, living_words, place_cells};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(LineKernels)
#endif
