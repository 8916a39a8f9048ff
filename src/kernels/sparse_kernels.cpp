/// @file
/// The sparse-space kernels in Highway, compiled once per target of this file's list.
///
/// eliminate: one 16-byte load of partners, broadcast over the vector, meets 64 bytes of candidates
/// (16 heaps x 4 candidates of one byte), so a tap costs a load, an XOR and a Min for 64 tests; the
/// minimum of all differences is zero exactly where a candidate was hit. Four groups share the tap.
/// or_shifted: a load-and-OR per tap and vector; the bit shift that sources have in common is
/// applied once, at the end. mark_sets: a variable shift makes the one-bit set of a reached code, 8
/// heaps a vector (AVX-512).
// SPDX-License-Identifier: MIT
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sparse_kernels.cpp"
#include <hwy/foreach_target.h>
// The order matters: foreach_target.h includes this file again, once for every target.
#include <algorithm>
#include <cstring>
#include <string>

#include <hwy/highway.h>

#include "kernels/kernels.hpp"
#include "kernels/sparse_kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace grundy {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The candidates of kGroups groups against all taps; they share the loads of tap data.
template <std::size_t kGroups, class T>
HWY_INLINE void eliminate_groups(const T* codes, const TapView& taps, T* candidates) {
  const hn::CappedTag<T, 64 / sizeof(T)> d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 64 / sizeof(T));
  constexpr std::size_t kParts = 64 / sizeof(T) / kLanes;
  V wanted[kGroups * kParts];
  V difference[kGroups * kParts];
  for (std::size_t i = 0; i < kGroups * kParts; ++i) {
    difference[i] = hn::Set(d, static_cast<T>(~T{0}));
  }
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    const V code = hn::Set(d, static_cast<T>(run->code));
    for (std::size_t i = 0; i < kGroups * kParts; ++i) {
      wanted[i] = hn::Xor(hn::LoadU(d, candidates + i * kLanes), code);
    }
    for (std::size_t t = run->begin; t < run->end; ++t) {
      const T* const partner = codes - static_cast<std::ptrdiff_t>(taps.offsets[t]);
      for (std::size_t g = 0; g < kGroups; ++g) {
        const V x = hn::LoadDup128(d, partner + g * kGroupHeaps<T>);
        for (std::size_t p = 0; p < kParts; ++p) {
          const std::size_t i = g * kParts + p;
          difference[i] = hn::Min(difference[i], hn::Xor(x, wanted[i]));
        }
      }
    }
  }
  for (std::size_t i = 0; i < kGroups * kParts; ++i) {
    const V old = hn::LoadU(d, candidates + i * kLanes);
    const V hit = hn::VecFromMask(d, hn::Eq(difference[i], hn::Zero(d)));
    hn::StoreU(hn::Or(old, hit), d, candidates + i * kLanes);
  }
}

template <class T>
void eliminate(const T* codes, TapView taps, T* candidates, std::size_t groups) noexcept {
  // As many groups at a time as keep their vectors in registers.
  constexpr std::size_t kAtOnce = HWY_LANES(T) * sizeof(T) >= 64 ? 4 : 1;
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

template <class T>
void equal_rows(const T* codes, std::size_t count, std::size_t rows, std::uint64_t* bits,
                std::size_t stride) noexcept {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 64);
  for (std::size_t i = 0; i < count; i += 64) {
    for (std::size_t r = 0; r < rows; ++r) {
      const auto row = hn::Set(d, static_cast<T>(r));
      std::uint8_t word[64 / 8 + 8];
      for (std::size_t j = 0; j < 64; j += kLanes) {
        hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, codes + i + j), row), word + j / 8);
      }
      std::memcpy(bits + r * stride + i / 64, word, 8);
    }
  }
}

template <class T>
void greater_bits(const T* limits, std::size_t count, T bound, std::uint64_t* bits) noexcept {
  const hn::ScalableTag<T> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(T), 64);
  const auto least = hn::Set(d, bound);
  for (std::size_t i = 0; i < count; i += 64) {
    std::uint8_t word[64 / 8 + 8];
    for (std::size_t j = 0; j < 64; j += kLanes) {
      const auto limit = hn::LoadU(d, limits + i + j);
      // limit > bound, unsigned, on every target: the larger of the two is not the bound.
      hn::StoreMaskBits(d, hn::Not(hn::Eq(hn::Max(limit, least), least)), word + j / 8);
    }
    std::memcpy(bits + i / 64, word, 8);
  }
}

/// into |= the kWords words of or_shifted() that start at `base`.
template <std::size_t kWords>
HWY_INLINE void or_strip(const std::uint8_t* base, const std::int64_t* source, std::size_t count,
                         unsigned shift, std::uint64_t* into) {
  const hn::CappedTag<std::uint64_t, kWords> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), kWords);
  hn::Vec<decltype(d)> all[kWords / kLanes];
  for (auto& v : all) v = hn::Zero(d);
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* const from = base + source[i];
    const auto* const words = reinterpret_cast<const std::uint64_t*>(from);
    for (std::size_t j = 0; j < kWords / kLanes; ++j) {
      all[j] = hn::Or(all[j], hn::LoadU(d, words + j * kLanes));
    }
    std::uint64_t word;
    std::memcpy(&word, from + 8 * kWords, 8);
    last |= word;
  }
  std::uint64_t gathered[kWords + 1];
  for (std::size_t j = 0; j < kWords / kLanes; ++j) hn::StoreU(all[j], d, gathered + j * kLanes);
  gathered[kWords] = last;
  for (std::size_t j = 0; j < kWords; ++j) {
    into[j] |= gathered[j] >> shift | gathered[j + 1] << 1 << (63 - shift);
  }
}

void or_shifted(const std::uint8_t* base, const std::int64_t* source, std::size_t count,
                unsigned shift, std::uint64_t* into, std::size_t words) noexcept {
  std::size_t j = 0;
  for (; j + 16 <= words; j += 16) or_strip<16>(base + 8 * j, source, count, shift, into + j);
  for (; j + 4 <= words; j += 4) or_strip<4>(base + 8 * j, source, count, shift, into + j);
  for (; j < words; ++j) or_strip<1>(base + 8 * j, source, count, shift, into + j);
}

std::size_t count_and_not(const std::uint64_t* a, const std::uint64_t* b,
                          std::size_t words) noexcept {
  const hn::CappedTag<std::uint64_t, 8> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), 8);
  auto sum = hn::Zero(d);
  std::size_t i = 0;
  for (; i + kLanes <= words; i += kLanes) {
    const auto left = hn::AndNot(hn::LoadU(d, b + i), hn::LoadU(d, a + i));
    sum = hn::Add(sum, hn::PopulationCount(left));
  }
  std::size_t count = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < words; ++i) count += hwy::PopCount(a[i] & ~b[i]);
  return count;
}

/// Bit x of each lane, nothing where x >= 64.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V one_bit(D d, V x) {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::Shl(hn::Set(d, 1), x);  // VPSLLVQ shifts a bit out altogether
#else
  const V bit = hn::Shl(hn::Set(d, 1), hn::And(x, hn::Set(d, 63)));
  return hn::IfThenElseZero(hn::Eq(hn::ShiftRight<6>(x), hn::Zero(d)), bit);
#endif
}

template <std::size_t kVectors>
HWY_INLINE void mark_vectors(const std::uint64_t* codes, const TapView& taps, std::uint64_t* sets) {
  const hn::CappedTag<std::uint64_t, 8> d;
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), 8);
  hn::Vec<decltype(d)> all[kVectors];
  for (std::size_t i = 0; i < kVectors; ++i) all[i] = hn::LoadU(d, sets + i * kLanes);
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    const auto code = hn::Set(d, std::uint64_t{run->code});
    for (std::size_t t = run->begin; t < run->end; ++t) {
      const std::uint64_t* const partner = codes - static_cast<std::ptrdiff_t>(taps.offsets[t]);
      for (std::size_t i = 0; i < kVectors; ++i) {
        const auto x = hn::Xor(hn::LoadU(d, partner + i * kLanes), code);
        all[i] = hn::Or(all[i], one_bit(d, x));
      }
    }
  }
  for (std::size_t i = 0; i < kVectors; ++i) hn::StoreU(all[i], d, sets + i * kLanes);
}

void mark_sets(const std::uint64_t* codes, TapView taps, std::uint64_t* sets,
               std::size_t heaps) noexcept {
  constexpr std::size_t kLanes = HWY_MIN(HWY_LANES(std::uint64_t), 8);
  std::size_t j = 0;
  for (; j + 8 * kLanes <= heaps; j += 8 * kLanes) mark_vectors<8>(codes + j, taps, sets + j);
  for (; j < heaps; j += kLanes) mark_vectors<1>(codes + j, taps, sets + j);
}

template <class T>
constexpr SparseTypedKernels<T> typed() {
  return {eliminate<T>, equal_rows<T>, greater_bits<T>};
}

constexpr SparseKernels kKernels{typed<std::uint8_t>(), typed<std::uint16_t>(), or_shifted,
                                 count_and_not, mark_sets};

}  // namespace

const SparseKernels* target_sparse_kernels() {
  return &kKernels;
}

}  // namespace HWY_NAMESPACE
}  // namespace grundy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace grundy {
namespace {

HWY_EXPORT(target_sparse_kernels);

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return text;
}

}  // namespace

const SparseKernels& sparse_kernels(const KernelSet& kernels) {
  const std::int64_t compiled = HWY_TARGETS & ~std::int64_t{HWY_SCALAR | HWY_EMU128};
  for (std::int64_t left = hwy::SupportedTargets() & compiled; left != 0; left &= left - 1) {
    const std::int64_t target = left & -left;
    if (lower_case(hwy::TargetName(target)) != kernels.name) continue;
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    return *HWY_DISPATCH_TABLE(target_sparse_kernels)[chosen.GetIndex()]();
  }
  return scalar_sparse_kernels();
}

}  // namespace grundy
#endif  // HWY_ONCE
