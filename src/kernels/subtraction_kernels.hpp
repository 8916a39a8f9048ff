/// @file
/// Inner loops of the subtraction engine, one table of functions for every target of the kernel
/// sets; all tables give the same results.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels_by_type.hpp"

namespace grundy {

struct KernelSet;

/// Heaps of one group of candidate lists.
inline constexpr std::size_t kListHeaps = 64;

/// Removes from candidate lists what options already have. `lists` has `rows` rows of kListHeaps
/// entries, column j for the heap of index j; an entry becomes all ones (never a value) if
/// values[j - back[t]] equals it for some t < taps.
template <class T>
using EraseHits = void (*)(T* lists, std::size_t rows, const T* values, const std::uint64_t* back,
                           std::size_t taps) noexcept;

/// Moves the entries of every column that are not all ones to the front, in order. Entries that do
/// not fit into the first `kept` rows are lost, and the rows behind those are left as they may be.
template <class T>
using Compact = void (*)(T* lists, std::size_t rows, std::size_t kept) noexcept;

/// Kernels that exist once per storage type of the table.
template <class T>
struct TypedSubtractionKernels {
  EraseHits<T> erase_hits;
  Compact<T> compact;
};

struct SubtractionKernels
    : KernelsByType<TypedSubtractionKernels, std::uint8_t, std::uint16_t, std::uint32_t> {
  /// into[i] |= base[i - back[t]] for all t < taps and i < bytes. @pre bytes % 64 == 0
  void (*or_windows)(std::uint8_t* into, std::size_t bytes, const std::uint8_t* base,
                     const std::uint64_t* back, std::size_t taps) noexcept;
  /// ORs the bits of from[1 ..] into into[0 ..], moved up by `shift` < 64 places; bits of from[0]
  /// come in from below. @pre words % 8 == 0
  void (*or_shifted)(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                     unsigned shift) noexcept;
};

/// The kernels of the same target as `kernels`; the plain C++ ones if it has none of its own.
const SubtractionKernels& subtraction_kernels(const KernelSet& kernels);

}  // namespace grundy
