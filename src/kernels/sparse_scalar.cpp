// Plain C++ forms of the sparse-space kernels: what the others are tested against.
// SPDX-License-Identifier: MIT
#include <bit>
#include <limits>

#include "kernels/sparse_kernels.hpp"

namespace grundy {
namespace {

template <class T>
void eliminate(const T* codes, TapView taps, T* candidates, std::size_t groups) noexcept {
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  for (std::size_t i = 0; i < groups * kCandidates * kHeaps; ++i) {
    const std::size_t heap = i / (kCandidates * kHeaps) * kHeaps + i % kHeaps;
    for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
      const T wanted = static_cast<T>(candidates[i] ^ run->code);
      for (std::size_t t = run->begin; t < run->end; ++t) {
        if (codes[static_cast<std::ptrdiff_t>(heap - taps.offsets[t])] == wanted) {
          candidates[i] = std::numeric_limits<T>::max();
        }
      }
    }
  }
}

void mark_planes(const std::uint8_t* codes, TapView taps, std::uint8_t* planes,
                 std::size_t count) noexcept {
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    for (std::size_t t = run->begin; t < run->end; ++t) {
      for (std::size_t j = 0; j < 64; ++j) {
        const std::size_t code =
            codes[static_cast<std::ptrdiff_t>(j - taps.offsets[t])] ^ std::size_t{run->code};
        if (code >= count * kPlaneCodes) continue;
        planes[code / kPlaneCodes * 64 + j] |= static_cast<std::uint8_t>(1u << code % kPlaneCodes);
      }
    }
  }
}

void list_unmarked(const std::uint8_t* planes, std::size_t count,
                   std::uint8_t* candidates) noexcept {
  constexpr std::size_t kHeaps = kGroupHeaps<std::uint8_t>;
  for (std::size_t j = 0; j < 64; ++j) {
    std::uint8_t* const own = candidates + j / kHeaps * kHeaps * kCandidates + j % kHeaps;
    std::size_t listed = 0;
    for (std::size_t code = 0; code < count * kPlaneCodes && listed < kCandidates; ++code) {
      const unsigned marks = planes[code / kPlaneCodes * 64 + j];
      if ((marks >> code % kPlaneCodes & 1) == 0)
        own[listed++ * kHeaps] = static_cast<std::uint8_t>(code);
    }
    for (; listed < kCandidates; ++listed)
      own[listed * kHeaps] = std::numeric_limits<std::uint8_t>::max();
  }
}

template <class T>
std::size_t choose(T* codes, NearTapView<T> taps, const T* candidates, std::size_t first) noexcept {
  constexpr std::size_t kHeaps = kGroupHeaps<T>;
  for (std::size_t j = first; j < kHeaps; ++j) {
    std::size_t place = 0;
    for (; place < kCandidates; ++place) {
      const T code = candidates[place * kHeaps + j];
      bool reached = code == std::numeric_limits<T>::max();
      for (std::size_t layer = 0; layer < taps.layers; ++layer) {
        const T* const by_offset = taps.codes + (3 * layer + 1) * kHeaps;
        for (std::size_t o = 1; o < kHeaps; ++o) {
          if ((taps.offsets[layer] >> o & 1) == 0) continue;
          const T partner = codes[static_cast<std::ptrdiff_t>(j - o)];
          reached |= static_cast<T>(partner ^ by_offset[o]) == code;
        }
      }
      if (!reached) break;
    }
    if (place == kCandidates) return j;
    codes[j] = candidates[place * kHeaps + j];
  }
  return kHeaps;
}

void equal_rows(const std::uint8_t* codes, std::size_t count, std::size_t rows, std::uint64_t* bits,
                std::size_t stride) noexcept {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < count; i += 64) {
      std::uint64_t word = 0;
      for (std::size_t j = 0; j < 64; ++j) {
        word |= std::uint64_t{codes[i + j] == static_cast<std::uint8_t>(r)} << j;
      }
      bits[r * stride + i / 64] = word;
    }
  }
}

void greater_bits(const std::uint8_t* limits, std::size_t count, std::uint8_t bound,
                  std::uint64_t* bits) noexcept {
  for (std::size_t i = 0; i < count; i += 64) {
    std::uint64_t word = 0;
    for (std::size_t j = 0; j < 64; ++j) word |= std::uint64_t{limits[i + j] > bound} << j;
    bits[i / 64] = word;
  }
}

std::size_t match_strips(const std::uint8_t* codes, const std::uint32_t* strips, std::size_t words,
                         std::uint8_t code, const std::uint64_t* open,
                         std::uint64_t* hits) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word = 0;
    for (std::size_t j = 0; j < 64; ++j) {
      word |= std::uint64_t{codes[strips[i] + j] == code} << j;
    }
    hits[i] = word & open[i];
    count += static_cast<std::size_t>(std::popcount(hits[i]));
  }
  return count;
}

std::size_t find_xor(const std::uint8_t* a, const std::uint8_t* b, std::size_t size,
                     std::uint8_t code) noexcept {
  std::size_t i = 0;
  while (i < size && (a[i] ^ b[i]) != code) ++i;
  return i;
}

void or_shifted(const std::uint8_t* base, const std::int64_t* source, std::size_t count,
                unsigned shift, std::uint64_t* into, std::size_t words) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t byte = 0; byte < 8 * words; ++byte) {
      const std::uint8_t* const at = base + source[i] + byte;
      const unsigned bits = (at[0] | static_cast<unsigned>(at[1]) << 8) >> shift & 0xffu;
      into[byte / 8] |= std::uint64_t{bits} << (byte % 8 * 8);
    }
  }
}

std::size_t count_and_not(const std::uint64_t* a, const std::uint64_t* b,
                          std::size_t words) noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < words; ++i) {
    count += static_cast<std::size_t>(std::popcount(a[i] & ~b[i]));
  }
  return count;
}

void mark_sets(const std::uint64_t* codes, TapView taps, std::uint64_t* sets,
               std::size_t heaps) noexcept {
  for (const TapRun* run = taps.runs; run != taps.runs + taps.run_count; ++run) {
    for (std::size_t t = run->begin; t < run->end; ++t) {
      for (std::size_t j = 0; j < heaps; ++j) {
        const std::uint64_t code =
            codes[static_cast<std::ptrdiff_t>(j - taps.offsets[t])] ^ run->code;
        if (code < 64) sets[j] |= std::uint64_t{1} << code;
      }
    }
  }
}

template <class T>
constexpr SparseTypedKernels<T> typed() {
  return {eliminate<T>, choose<T>};
}

constexpr SparseKernels kScalar{{typed<std::uint8_t>(), typed<std::uint16_t>()},
                                mark_planes,
                                list_unmarked,
                                equal_rows,
                                greater_bits,
                                match_strips,
                                find_xor,
                                or_shifted,
                                count_and_not,
                                mark_sets};

}  // namespace

const SparseKernels& scalar_sparse_kernels() noexcept {
  return kScalar;
}

}  // namespace grundy
