/// @file
/// Tables from the code of a common heap to its value and its limit. Rare codes below the limit
/// stand for smaller values, and each of them needs a witness.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/split.hpp"
#include "kernels/code_kernels.hpp"

namespace grundy::sparse {

class CodeTables {
 public:
  CodeTables(const Split& split, Nimber code_limit) : code_limit_(code_limit) {
    for (HeapSize parity = 0; parity < 2; ++parity) {
      Nimber limit = 0;
      for (Nimber code = 0; code < code_limit; ++code) {
        const Nimber value = split.expand(code, true, parity);
        while (limit < code_limit && split.expand(limit, false, parity) < value) ++limit;
        value_[parity].push_back(value);
        limit_[parity].push_back(limit);
      }
      value_[parity].push_back(0);
      limit_[parity].push_back(0);
    }
    value_bytes_ = bytes_of(value_);
    limit_bytes_ = bytes_of(limit_);
  }
  /// All codes are below this.
  [[nodiscard]] Nimber code_limit() const noexcept { return code_limit_; }
  [[nodiscard]] Nimber value(HeapIndex n, Nimber code) const noexcept {
    return value_[n % 2][code];
  }
  /// The limit of heap n: rare codes below it stand for values below that of the heap.
  [[nodiscard]] Nimber limit(HeapIndex n, Nimber code) const noexcept {
    return limit_[n % 2][code];
  }
  /// Writes the values of heaps from `begin` on. @pre all are common
  template <class T, class V>
  void write_values(const CodeKernels& kernels, HeapIndex begin, const T* codes, std::size_t heaps,
                    V* values) const noexcept {
    if constexpr (sizeof(T) == 1 && sizeof(V) == 1) {
      kernels.translate(codes, heaps, view(value_bytes_, begin), values);
    } else {
      translate(value_, begin, codes, heaps, values);
    }
  }
  /// Writes their limits. A heap that is not common gets the limit 0, because the slow way has
  /// decided it.
  template <class T>
  void write_limits(const CodeKernels& kernels, HeapIndex begin, const T* codes, std::size_t heaps,
                    T* limits) const noexcept {
    if constexpr (sizeof(T) == 1) {
      kernels.translate(codes, heaps, view(limit_bytes_, begin), limits);
    } else {
      translate(limit_, begin, codes, heaps, limits);
    }
  }
  /// The first code whose value or limit is too large.
  [[nodiscard]] Nimber cap(Nimber largest_value, Nimber largest_limit) const noexcept {
    Nimber code = 0;
    for (; code < code_limit(); ++code) {
      for (const HeapIndex n : {0, 1}) {
        if (value(n, code) > largest_value || limit(n, code) > largest_limit) return code;
      }
    }
    return code;
  }

 private:
  /// By parity of the heap, and by code. The entry after the last code is for heaps without a code.
  template <class Entry>
  using ByParity = std::array<std::vector<Entry>, 2>;

  /// Entries from cap() on are cut off, because no heap of a phase has such a code.
  static ByParity<std::uint8_t> bytes_of(const ByParity<Nimber>& table) {
    ByParity<std::uint8_t> bytes;
    for (HeapSize parity = 0; parity < 2; ++parity) {
      for (const Nimber entry : table[parity]) {
        bytes[parity].push_back(static_cast<std::uint8_t>(entry));
      }
      bytes[parity].pop_back();
      bytes[parity].resize((bytes[parity].size() + 15) / 16 * 16);
    }
    return bytes;
  }
  /// The view for heaps from `begin` on.
  static CodeTableView view(const ByParity<std::uint8_t>& bytes, HeapIndex begin) noexcept {
    return {bytes[begin & 1].data(), bytes[1 - (begin & 1)].data(), bytes[0].size()};
  }

  template <class T, class Out>
  void translate(const ByParity<Nimber>& table, HeapIndex begin, const T* codes, std::size_t heaps,
                 Out* out) const noexcept {
    // Written bytes may alias anything, so without these copies the compiler would read members
    // again.
    const Nimber* const first = table[begin & 1].data();
    const Nimber* const second = table[1 - (begin & 1)].data();
    const Nimber none = code_limit_;
    std::size_t i = 0;
    for (; i + 2 <= heaps; i += 2) {
      out[i] = static_cast<Out>(first[std::min<Nimber>(codes[i], none)]);
      out[i + 1] = static_cast<Out>(second[std::min<Nimber>(codes[i + 1], none)]);
    }
    if (i < heaps) out[i] = static_cast<Out>(first[std::min<Nimber>(codes[i], none)]);
  }

  Nimber code_limit_;
  ByParity<Nimber> value_, limit_;
  ByParity<std::uint8_t> value_bytes_, limit_bytes_;
};

}  // namespace grundy::sparse
