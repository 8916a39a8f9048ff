/// @file
/// The inner loops of the engines, as named sets of functions that can be listed and forced.
///
/// A set is one instruction-set target: `scalar` is the plain C++ reference; the others are the same
/// Highway source compiled for SSE2 to AVX-512 or NEON. Dispatch happens once per block of heaps,
/// through the pointers of a KernelSet, never per heap. All functions are total, `noexcept` and give
/// the same result in every set; tests compare each with `scalar` on every target the machine has.
///
/// To add a kernel: declare its pointer here with its contract, write it in scalar_kernels.cpp and
/// simd_kernels-inl.hpp, add it to the table in kernel_registry.cpp, and to tests/kernels.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace grundy {

/// Kernels that exist once per storage type T (u8, u16, u32).
template <class T>
struct TypedKernels {
  /// For a window of `lanes` consecutive heaps, tests whether tap pairs reach the candidates:
  /// hit[j] |= 1 (as all-ones byte pattern of T) if for some i < taps:
  ///   (tap_value[i] ^ values[tap_offset[i] + j]) == candidate[j].
  /// `tap_offset[i]` is the index in `values` that belongs to lane 0. Unaligned; values must be
  /// readable 64 bytes past the last lane.
  void (*compare)(const T* values, const T* tap_value, const std::uint64_t* tap_offset,
                  std::size_t taps, const T* candidate, T* hit, std::size_t lanes) noexcept;
  /// The same for the contiguous taps a, a+1, .., a+taps-1 against falling partners:
  ///   (values[first + i] ^ values[partner - i + j]) == candidate[j],  0 <= i < taps.
  void (*compare_run)(const T* values, std::uint64_t first, std::uint64_t partner,
                      std::size_t taps, const T* candidate, T* hit, std::size_t lanes) noexcept;
  /// One heap: is `candidate` among values[first + i] ^ values[partner - i], 0 <= i < taps?
  /// Returns the least such i, or `taps`.
  std::size_t (*find_pair)(const T* values, std::uint64_t first, std::uint64_t partner,
                           std::size_t taps, T candidate) noexcept;
  /// One heap: sets mark[values[first + i] ^ values[partner - i]] = 1 for 0 <= i < taps.
  void (*mark_pairs)(const T* values, std::uint64_t first, std::uint64_t partner,
                     std::size_t taps, std::uint8_t* mark) noexcept;
  /// counts[v] += number of i with values[i] == v, for every v that occurs.
  void (*histogram)(const T* values, std::size_t size, std::uint64_t* counts) noexcept;
  /// Largest of `size` values; 0 if there are none.
  T (*maximum)(const T* values, std::size_t size) noexcept;
};

/// One target's kernels.
struct KernelSet {
  std::string_view name;         ///< `scalar`, `sse2`, `ssse3`, `sse4`, `avx2`, `avx3`, ...
  std::string_view description;  ///< what it needs
  TypedKernels<std::uint8_t> u8;
  TypedKernels<std::uint16_t> u16;
  TypedKernels<std::uint32_t> u32;

  /// First index >= from with bytes[index] == 0, or `size`. The mex of a byte map of values.
  std::size_t (*first_zero_byte)(const std::uint8_t* bytes, std::size_t from,
                                 std::size_t size) noexcept;
  /// First index >= from whose bit is 0, or 64 * words. The mex of a bit set of values.
  std::size_t (*first_zero_bit)(const std::uint64_t* bits, std::size_t from,
                                std::size_t words) noexcept;
  /// into[i] |= from[i].
  void (*or_words)(std::uint64_t* into, const std::uint64_t* from, std::size_t words) noexcept;
  /// into |= from translated by `key` under nim-addition: bit (v ^ key) of `into` is set for every
  /// bit v of `from`. `words` is a power of two and key < 64 * words.
  void (*or_xor_translated)(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                            std::uint32_t key) noexcept;

  /// The functions for storage type T.
  template <class T>
  [[nodiscard]] const TypedKernels<T>& of() const noexcept {
    if constexpr (sizeof(T) == 1) {
      return u8;
    } else if constexpr (sizeof(T) == 2) {
      return u16;
    } else {
      return u32;
    }
  }
};

/// The sets this processor can run, `scalar` first, the fastest last.
std::span<const KernelSet> available_kernels();

/// A target that was compiled in or is known but cannot run here, and why.
struct SkippedTarget {
  std::string_view name;
  std::string_view reason;
};
std::span<const SkippedTarget> skipped_kernels();

/// The set called `name`; `auto` (or empty) means the environment variable GRUNDY_KERNEL if it is
/// set, else the fastest.
/// @throws Error(kUsage) if there is no such set on this machine; the message lists those there are
const KernelSet& select_kernels(std::string_view name);

}  // namespace grundy
