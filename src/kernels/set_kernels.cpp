/// @file
/// All writes are whole vectors, because the next position of a row often reads the same set, and
/// processors do not forward a narrow store to a wide load.
// SPDX-License-Identifier: MIT
#include "kernels/set_kernels.hpp"

#include <algorithm>
#include <bit>

#ifndef GRUNDY_SET_KERNELS_SCALAR  // once, not once for each target
#define GRUNDY_SET_KERNELS_SCALAR
namespace grundy::scalar {
namespace {

inline std::uint64_t number_of(const SetStride& row, std::size_t cell) noexcept {
  return row.first + static_cast<std::uint64_t>(row.step) * cell;
}

/// Raises `low` beyond the banks below `end` in which the set is full now.
inline void raise_low(const BankedSets& sets, std::uint64_t set, std::size_t end) noexcept {
  std::uint16_t& low = sets.low[set];
  while (low < end) {
    const std::uint64_t* const words = sets.banks[low] + kBankWords * set;
    if (std::any_of(words, words + kBankWords, [](std::uint64_t w) { return ~w != 0; })) return;
    ++low;
  }
}

void place_row(const BankedSets& sets, const SetStride* rows, std::size_t marked, std::size_t count,
               std::size_t cells, std::uint32_t* values) noexcept {
  for (std::size_t cell = 0; cell < cells; ++cell) {
    std::size_t at = 0;
    const auto word_of = [&](std::size_t k) -> std::uint64_t& {
      return sets.banks[at / kBankWords][kBankWords * number_of(rows[k], cell) + at % kBankWords];
    };
    std::uint64_t word = 0;
    for (;; ++at) {
      word = 0;
      for (std::size_t k = 0; k < count; ++k) word |= word_of(k);
      if (~word != 0) break;
    }
    values[cell] =
        static_cast<std::uint32_t>(64 * at) + static_cast<std::uint32_t>(std::countr_one(word));
    for (std::size_t k = 0; k < marked; ++k) word_of(k) |= ~word & (word + 1);
  }
}

void extend_row(const BankedSets& sets, SetStride into, const SetStride* from, std::size_t count,
                std::size_t cells, const std::uint32_t* values) noexcept {
  for (std::size_t cell = 0; cell < cells; ++cell) {
    for (std::size_t at = 0; at < kBankWords * sets.count; ++at) {
      std::uint64_t* const base = sets.banks[at / kBankWords] + at % kBankWords;
      std::uint64_t word = at == values[cell] / 64 ? std::uint64_t{1} << (values[cell] % 64) : 0;
      for (std::size_t k = 0; k < count; ++k) word |= base[kBankWords * number_of(from[k], cell)];
      base[kBankWords * number_of(into, cell)] = word;
    }
  }
}

constexpr SetKernels kKernels = {place_row, extend_row};

}  // namespace
}  // namespace grundy::scalar
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/set_kernels.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target.h includes this file again, once for every target.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "kernels/targets.hpp"

// Highway's stand-ins for processors without vectors are left out: the set `scalar` serves those.
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

HWY_BEFORE_NAMESPACE();
namespace grundy::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using scalar::number_of;
using scalar::raise_low;

using Words = hn::CappedTag<std::uint64_t, kBankWords>;

/// The start of the sets of a position in a bank, in words; in registers if kCount is not 0.
template <std::size_t kCount>
class Offsets {
 public:
  explicit HWY_INLINE Offsets(const SetStride* rows) {
    for (std::size_t k = 0; k < kCount; ++k) {
      at_[k] = kBankWords * rows[k].first;
      step_[k] = kBankWords * static_cast<std::uint64_t>(rows[k].step);
    }
  }
  HWY_INLINE std::uint64_t operator[](std::size_t k) const { return at_[k]; }
  HWY_INLINE void next() {
    for (std::size_t k = 0; k < kCount; ++k) at_[k] += step_[k];
  }

 private:
  std::uint64_t at_[kCount];
  std::uint64_t step_[kCount];
};

template <>
class Offsets<0> {
 public:
  explicit HWY_INLINE Offsets(const SetStride* rows) : rows_(rows) {}
  HWY_INLINE std::uint64_t operator[](std::size_t k) const {
    return kBankWords * number_of(rows_[k], cell_);
  }
  HWY_INLINE void next() { ++cell_; }

 private:
  const SetStride* rows_;
  std::size_t cell_ = 0;
};

/// place_row() for kCount sets, or for any number if kCount is 0.
template <std::size_t kCount>
HWY_INLINE void place(const BankedSets sets, const SetStride* rows, std::size_t marked,
                      std::size_t any_count, std::size_t cells, std::uint32_t* values) noexcept {
  const std::size_t count = kCount > 0 ? kCount : any_count;
  const Words d;
  const std::size_t N = hn::Lanes(d);
  const auto full = hn::Set(d, ~std::uint64_t{0});
  Offsets<kCount> offset(rows);
  for (std::size_t cell = 0; cell < cells; ++cell, offset.next()) {
    std::size_t first = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (k < marked) first = HWY_MAX(first, sets.low[offset[k] / kBankWords]);
    }
    // Goes through the vectors of all banks, one after another, by the word `at`.
    std::size_t at = kBankWords * first;
    for (;; at += N) {
      std::uint64_t* const base = sets.banks[at / kBankWords] + at % kBankWords;
      auto all = hn::Zero(d);
      for (std::size_t k = 0; k < count; ++k) all = hn::Or(all, hn::LoadU(d, base + offset[k]));
      const auto lane = hn::FindFirstTrue(d, hn::Ne(all, full));
      if (lane < 0) continue;
      const auto free = hn::Not(all);
      const auto here =
          hn::Eq(hn::Iota(d, std::uint64_t{0}), hn::Set(d, static_cast<std::uint64_t>(lane)));
      const auto bit = hn::IfThenElseZero(here, hn::And(free, hn::Sub(hn::Zero(d), free)));
      for (std::size_t k = 0; k < count; ++k) {
        if (k >= marked) continue;
        std::uint64_t* const words = base + offset[k];
        hn::StoreU(hn::Or(hn::LoadU(d, words), bit), d, words);
      }
      const std::uint64_t word = hn::ExtractLane(free, static_cast<std::size_t>(lane));
      values[cell] = static_cast<std::uint32_t>(64 * (at + static_cast<std::size_t>(lane)) +
                                                static_cast<unsigned>(std::countr_zero(word)));
      break;
    }
    if (at / kBankWords == first) continue;
    for (std::size_t k = 0; k < marked; ++k) {
      raise_low(sets, offset[k] / kBankWords, at / kBankWords);
    }
  }
}

void place_row(const BankedSets& sets, const SetStride* rows, std::size_t marked, std::size_t count,
               std::size_t cells, std::uint32_t* values) noexcept {
  switch (count) {
    case 3:
      return place<3>(sets, rows, marked, count, cells, values);
    case 6:
      return place<6>(sets, rows, marked, count, cells, values);
    case 7:
      return place<7>(sets, rows, marked, count, cells, values);
    case 10:
      return place<10>(sets, rows, marked, count, cells, values);
    default:
      return place<0>(sets, rows, marked, count, cells, values);
  }
}

void extend_row(const BankedSets& sets, SetStride into, const SetStride* from, std::size_t count,
                std::size_t cells, const std::uint32_t* values) noexcept {
  const Words d;
  const std::size_t N = hn::Lanes(d);
  const auto lanes = hn::Iota(d, std::uint64_t{0});  // others would be built in memory
  // Rows often stride over pages, and then the processor does not prefetch by itself.
  constexpr std::size_t kAhead = 8;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    if (cell + kAhead < cells) {
      std::uint64_t* const base = sets.banks[0];
      for (std::size_t k = 0; k < count; ++k) {
        hwy::Prefetch(base + kBankWords * number_of(from[k], cell + kAhead));
      }
      hwy::Prefetch(base + kBankWords * number_of(into, cell + kAhead));
    }
    const std::uint32_t value = values[cell];
    const auto word = hn::Set(d, std::uint64_t{value / 64});
    const auto bit = hn::Set(d, std::uint64_t{1} << (value % 64));
    for (std::size_t bank = 0; bank < sets.count; ++bank) {
      for (std::size_t at = 0; at < kBankWords; at += N) {
        std::uint64_t* const base = sets.banks[bank] + at;
        const auto here = hn::Add(lanes, hn::Set(d, std::uint64_t{kBankWords * bank + at}));
        auto all = hn::IfThenElseZero(hn::Eq(here, word), bit);
        for (std::size_t k = 0; k < count; ++k) {
          all = hn::Or(all, hn::LoadU(d, base + kBankWords * number_of(from[k], cell)));
        }
        hn::StoreU(all, d, base + kBankWords * number_of(into, cell));
      }
    }
  }
}

constexpr SetKernels kKernels = {place_row, extend_row};

}  // namespace
}  // namespace grundy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // a target with vectors

#if HWY_ONCE
GRUNDY_KERNELS_OF_EVERY_TARGET(SetKernels)

namespace grundy {
namespace {

using scalar::number_of;

void place_outcomes(const BankedSets& sets, const SetStride* rows, std::size_t marked,
                    std::size_t count, std::size_t cells, std::uint32_t* values) noexcept {
  auto* const bytes = reinterpret_cast<unsigned char*>(sets.banks[0]);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    unsigned all = 0;
    for (std::size_t k = 0; k < count; ++k) all |= bytes[number_of(rows[k], cell)];
    const std::uint32_t value = all & 1;
    values[cell] = value;
    for (std::size_t k = 0; k < marked; ++k) {
      bytes[number_of(rows[k], cell)] |= static_cast<unsigned char>(1u << value);
    }
  }
}

void extend_outcomes(const BankedSets& sets, SetStride into, const SetStride* from,
                     std::size_t count, std::size_t cells, const std::uint32_t* values) noexcept {
  auto* const bytes = reinterpret_cast<unsigned char*>(sets.banks[0]);
  for (std::size_t cell = 0; cell < cells; ++cell) {
    unsigned all = 1u << values[cell];
    for (std::size_t k = 0; k < count; ++k) all |= bytes[number_of(from[k], cell)];
    bytes[number_of(into, cell)] = static_cast<unsigned char>(all);
  }
}

}  // namespace

const SetKernels& outcome_kernels() noexcept {
  static constexpr SetKernels kOutcomes = {place_outcomes, extend_outcomes};
  return kOutcomes;
}

}  // namespace grundy
#endif  // HWY_ONCE
