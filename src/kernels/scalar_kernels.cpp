// SPDX-License-Identifier: MIT
#include "kernels/scalar_kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace grundy {
namespace {

template <class T>
void probe_pairs(const T* values, std::uint64_t first, std::uint64_t partner, std::size_t pairs,
                 const T* candidate, std::size_t lanes, std::uint64_t* hits) noexcept {
  std::fill_n(hits, (lanes + 63) / 64, 0);
  for (std::size_t j = 0; j < lanes; ++j) {
    for (std::size_t i = 0; i < pairs; ++i) {
      if ((values[first + i] ^ values[partner + j - i]) != candidate[j]) continue;
      hits[j / 64] |= std::uint64_t{1} << (j % 64);
      break;
    }
  }
}

template <class T>
void probe_taps(const T* values, const std::uint64_t* offset, const T* key, std::size_t taps,
                const T* candidate, std::size_t lanes, std::uint64_t* hits) noexcept {
  std::fill_n(hits, (lanes + 63) / 64, 0);
  for (std::size_t j = 0; j < lanes; ++j) {
    for (std::size_t t = 0; t < taps; ++t) {
      if ((*(values + j - offset[t]) ^ key[t]) != candidate[j]) continue;
      hits[j / 64] |= std::uint64_t{1} << (j % 64);
      break;
    }
  }
}

template <class T>
std::size_t find_pair(const T* values, std::uint64_t first, std::uint64_t partner,
                      std::size_t pairs, T candidate) noexcept {
  for (std::size_t i = 0; i < pairs; ++i) {
    if ((values[first + i] ^ values[partner - i]) == candidate) return i;
  }
  return pairs;
}

template <class T>
void mark_pairs(const T* values, std::uint64_t first, std::uint64_t partner, std::size_t pairs,
                std::uint8_t* mark) noexcept {
  for (std::size_t i = 0; i < pairs; ++i) mark[values[first + i] ^ values[partner - i]] = 1;
}

template <class T>
void histogram(const T* values, std::size_t size, std::uint64_t* counts) noexcept {
  if constexpr (sizeof(T) > 1) {
    for (std::size_t i = 0; i < size; ++i) ++counts[values[i]];
  } else {
    // Four tables: neighbours are often equal, and a counter is not ready again at once.
    std::array<std::array<std::uint64_t, 256>, 4> part{};
    for (std::size_t i = 0; i < size; ++i) ++part[i % 4][values[i]];
    for (std::size_t v = 0; v < 256; ++v) {
      const std::uint64_t sum = part[0][v] + part[1][v] + part[2][v] + part[3][v];
      if (sum > 0) counts[v] += sum;
    }
  }
}

template <class T>
T maximum(const T* values, std::size_t size) noexcept {
  return size == 0 ? T{0} : *std::max_element(values, values + size);
}

void take_marks(std::uint8_t* marks, std::size_t words, std::uint64_t* bits) noexcept {
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < 64; ++i) {
      word |= std::uint64_t{marks[64 * w + i] != 0} << i;
      marks[64 * w + i] = 0;
    }
    bits[w] = word;
  }
}

std::size_t first_zero_bit(const std::uint64_t* bits, std::size_t from,
                           std::size_t words) noexcept {
  for (std::size_t w = from / 64; w < words; ++w, from = 64 * w) {
    const std::uint64_t zeros = ~bits[w] >> (from % 64);
    if (zeros != 0) return from + static_cast<std::size_t>(std::countr_zero(zeros));
  }
  return 64 * words;
}

void or_words(std::uint64_t* into, const std::uint64_t* from, std::size_t words) noexcept {
  for (std::size_t i = 0; i < words; ++i) into[i] |= from[i];
}

/// The bits of a word in the order i -> i ^ key: every set bit of the key swaps neighbours at that
/// distance.
std::uint64_t xor_permuted(std::uint64_t word, std::uint32_t key) noexcept {
  constexpr std::array<std::uint64_t, 6> kLower = {0x5555555555555555, 0x3333333333333333,
                                                   0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff,
                                                   0x0000ffff0000ffff, 0x00000000ffffffff};
  for (unsigned bit = 0; bit < 6; ++bit) {
    if ((key >> bit & 1) == 0) continue;
    const unsigned distance = 1u << bit;
    word = (word >> distance & kLower[bit]) | (word & kLower[bit]) << distance;
  }
  return word;
}

void or_xor_translated(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                       std::uint32_t key) noexcept {
  const std::size_t swap = key / 64;
  for (std::size_t i = 0; i < words; ++i) into[i] |= xor_permuted(from[i ^ swap], key % 64);
}

template <class T>
constexpr TypedKernels<T> kTyped = {probe_pairs<T>, probe_taps<T>, find_pair<T>,
                                    mark_pairs<T>,  histogram<T>,  maximum<T>};

}  // namespace

KernelSet scalar_kernels() noexcept {
  return {{kTyped<std::uint8_t>, kTyped<std::uint16_t>, kTyped<std::uint32_t>},
          "scalar",
          "plain C++, any processor",
          take_marks,
          first_zero_bit,
          or_words,
          or_xor_translated};
}

}  // namespace grundy
