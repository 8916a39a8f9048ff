/// @file
/// Inner loops of the sparse-space engine (src/heap/sparse) where codes are many: marks of a byte a
/// code. A mark is one store, however many codes there are.
///
/// Contracts are the same in every set; tests compare each with the plain C++ set.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

namespace grundy {

struct KernelSet;

/// Taps (kernels/sparse_kernels.hpp), each with its code.
struct MarkTaps {
  const std::uint64_t* offsets;
  const std::uint16_t* codes;
  std::size_t count;
};

/// Heaps that are marked at a time.
inline constexpr std::size_t kMarkHeaps = 32;

struct MarkKernels {
  /// marks[stride * j + min(codes[j - offset] ^ tap code, bound)] = 1 for each of the kMarkHeaps
  /// heaps j from codes[0] on and every tap. @pre bound < stride
  void (*mark)(const std::uint16_t* codes, MarkTaps taps, std::uint16_t bound, std::uint8_t* marks,
               std::size_t stride) noexcept;
  /// Bit i of the words at bits + words * j: whether marks[stride * j + i] is 0, for the kMarkHeaps
  /// heaps j and i < 64 * words. Clears these marks.
  void (*take_unmarked)(std::uint8_t* marks, std::size_t stride, std::size_t words,
                        std::uint64_t* bits) noexcept;
};

/// The kernels of the same target as `kernels`; the plain C++ ones if it has none of its own.
const MarkKernels& mark_kernels(const KernelSet& kernels);

/// The plain C++ set.
const MarkKernels& plain_mark_kernels() noexcept;

}  // namespace grundy
