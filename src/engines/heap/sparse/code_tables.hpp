/// @file
/// What follows from the code of a common heap: its value and its limit. Rare codes below the limit
/// stand for smaller values, and each of them needs a witness.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/types.hpp>

#include "engines/heap/sparse/sliding_window.hpp"
#include "engines/heap/sparse/split.hpp"

namespace grundy::sparse {

class CodeTables {
 public:
  CodeTables(const Split& split, Nimber code_limit) {
    for (HeapSize parity = 0; parity < 2; ++parity) {
      Nimber limit = 0;
      for (Nimber code = 0; code < code_limit; ++code) {
        const Nimber value = split.expand(code, true, parity);
        while (limit < code_limit && split.expand(limit, false, parity) < value) ++limit;
        value_[parity].push_back(value);
        limit_[parity].push_back(limit);
      }
    }
  }
  /// Every code is below it.
  [[nodiscard]] Nimber code_limit() const noexcept { return static_cast<Nimber>(value_[0].size()); }
  [[nodiscard]] Nimber value(HeapIndex n, Nimber code) const noexcept {
    return value_[n % 2][code];
  }
  /// The limit of heap n: rare codes below it stand for values below the heap's.
  [[nodiscard]] Nimber limit(HeapIndex n, Nimber code) const noexcept {
    return limit_[n % 2][code];
  }
  /// A heap that is not common gets the limit 0: the slow way has decided it.
  template <class T>
  void write_limits(HeapIndex begin, const T* codes, std::size_t heaps, T* limits) const noexcept {
    for (std::size_t i = 0; i < heaps; ++i) {
      limits[i] = codes[i] < code_limit()
                      ? static_cast<T>(limit(begin + static_cast<HeapIndex>(i), codes[i]))
                      : T{0};
    }
  }
  /// The first code whose value or limit does not fit.
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
  std::vector<Nimber> value_[2];  ///< by parity of the heap and code
  std::vector<Nimber> limit_[2];  ///< by parity of the heap and code
};

}  // namespace grundy::sparse
