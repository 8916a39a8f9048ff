// SPDX-License-Identifier: MIT
#include "heap/sparse/witness.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace grundy::sparse {
namespace {

constexpr std::size_t kStrip = 16;  ///< words of heaps that are checked at a time

}  // namespace

template <class T>
HeapIndex WitnessCheck<T>::check(HeapIndex first, const T* limits,
                                 std::size_t heaps) const noexcept {
  HeapIndex failed = first + static_cast<HeapIndex>(heaps);
  for (std::size_t done = 0; done < heaps; done += 64 * kStrip) {
    const std::size_t words = std::min(kStrip, (heaps - done) / 64);
    const HeapIndex begin = first + static_cast<HeapIndex>(done);
    for (Nimber code = 0; code < shape_.code_limit; ++code) {
      std::uint64_t open[kStrip];
      std::uint64_t reached[kStrip] = {};
      kernels_.of<T>().greater_bits(limits + done, 64 * words, static_cast<T>(code), open);
      // If no heap has a larger limit, none has one for the next codes.
      if (std::all_of(open, open + words, [](std::uint64_t w) { return w == 0; })) break;
      plans_[code].collect(kernels_, rows_.bytes_at(begin), reached, words);
      for (std::size_t w = 0; w < words; ++w) {
        for (std::uint64_t left = open[w] & ~reached[w]; left != 0; left &= left - 1) {
          const HeapIndex n = begin + static_cast<HeapIndex>(w * 64) + std::countr_zero(left);
          const auto heap = static_cast<HeapSize>(n);
          if (n < failed && table_.find(heap, table_.split().expand(code, false, heap)) !=
                                SparseTable::Search::kFound) {
            failed = n;
          }
        }
      }
    }
  }
  return failed;
}

template class WitnessCheck<std::uint8_t>;
template class WitnessCheck<std::uint16_t>;

}  // namespace grundy::sparse
