/// @file
/// Inner loops of the subtraction engine (src/engines/heap/subtraction): shifted bit sets, and
/// lists of candidates.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels_by_type.hpp"

namespace grundy {

/// Number of heaps whose candidate lists lie side by side: entry i of the list of heap j is at
/// lists[i * kListHeaps + j]. An entry of all ones is empty.
inline constexpr std::size_t kListHeaps = 64;
/// Number of words of the longest vector. Shifted bit sets are read in units of this size.
inline constexpr std::size_t kVectorWords = 8;

/// Empties every entry that some option has: an entry e of heap j with values[j - back[t]] == e for
/// some t < taps. The lists have `length` entries.
template <class T>
using EraseHits = void (*)(T* lists, std::size_t length, const T* values, const std::uint64_t* back,
                           std::size_t taps) noexcept;

/// Moves the entries of every list that are not empty to its front, in order. Entries that do not
/// fit into the first `kept` places are lost. The places after those have arbitrary contents
/// afterwards.
template <class T>
using Compact = void (*)(T* lists, std::size_t length, std::size_t kept) noexcept;

/// Kernels that exist once for each storage type of the table.
template <class T>
struct TypedSubtractionKernels {
  EraseHits<T> erase_hits;
  Compact<T> compact;
};

struct SubtractionKernels
    : KernelsByType<TypedSubtractionKernels, std::uint8_t, std::uint16_t, std::uint32_t> {
  /// into[i] |= base[i - back[t]] for all t < taps and i < bytes. @pre bytes % 64 == 0
  void (*or_earlier)(std::uint8_t* into, std::size_t bytes, const std::uint8_t* base,
                     const std::uint64_t* back, std::size_t taps) noexcept;
  /// ORs the bits of from[1 ..], moved up by `shift` < 64 places, into into[0 ..]. The bits that
  /// come in from below are those of from[0]. @pre words % 8 == 0
  void (*or_shifted)(std::uint64_t* into, const std::uint64_t* from, std::size_t words,
                     unsigned shift) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const SubtractionKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
