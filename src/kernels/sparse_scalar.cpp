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

template <class T>
void equal_rows(const T* codes, std::size_t count, std::size_t rows, std::uint64_t* bits,
                std::size_t stride) noexcept {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < count; i += 64) {
      std::uint64_t word = 0;
      for (std::size_t j = 0; j < 64; ++j) {
        word |= std::uint64_t{codes[i + j] == static_cast<T>(r)} << j;
      }
      bits[r * stride + i / 64] = word;
    }
  }
}

template <class T>
void greater_bits(const T* limits, std::size_t count, T bound, std::uint64_t* bits) noexcept {
  for (std::size_t i = 0; i < count; i += 64) {
    std::uint64_t word = 0;
    for (std::size_t j = 0; j < 64; ++j) word |= std::uint64_t{limits[i + j] > bound} << j;
    bits[i / 64] = word;
  }
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
  return {eliminate<T>, equal_rows<T>, greater_bits<T>};
}

constexpr SparseKernels kScalar{typed<std::uint8_t>(), typed<std::uint16_t>(), or_shifted,
                                count_and_not, mark_sets};

}  // namespace

const SparseKernels& scalar_sparse_kernels() noexcept {
  return kScalar;
}

}  // namespace grundy
