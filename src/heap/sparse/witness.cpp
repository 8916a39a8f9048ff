// SPDX-License-Identifier: MIT
#include "heap/sparse/witness.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "heap/sparse/learned_plans.hpp"

namespace grundy::sparse {
namespace {

constexpr std::size_t kStrip = 32;  ///< words of heaps that are checked at a time

}  // namespace

template <class T>
WitnessCheck<T>::WitnessCheck(const SparseTable& table, const PhaseShape& shape,
                              const SparseKernels& kernels, const std::vector<RowPlan>& plans,
                              const SlidingWindow<T>& codes, const BitRows& rows)
    : table_(table), shape_(shape), kernels_(kernels), plans_(plans), codes_(codes), rows_(rows) {
  const Split& split = table.split();
  for (HeapSize a = witness_reach(table, shape) / kXorStep * kXorStep; a > 0; --a) {
    const Nimber value = table.window()[a];
    const bool common = split.is_common(value, a);
    small_.push_back(common ? static_cast<T>(split.squeeze(value)) : kNoCode<T>);
    common_.push_back(common);
  }
}

/// Whether some option of heap n has the rare value of this code.
template <class T>
bool WitnessCheck<T>::reached(HeapIndex n, Nimber code) const noexcept {
  for (const SplitMove& move : table_.moves().splits) {
    const T* const partners = codes_.at(n - static_cast<HeapIndex>(move.take + small_.size()));
    const std::size_t place =
        kernels_.of<T>().find_xor(small_.data(), partners, small_.size(), static_cast<T>(code));
    // A small rare heap has no code, whatever stands for it. Rare partners are not hit: either
    // their mark is out of reach for nim-sums of codes, or there are none.
    if (place < small_.size() && common_[place] != 0) return true;
  }
  const auto heap = static_cast<HeapSize>(n);
  return table_.find(heap, table_.split().expand(code, false, heap)) == SparseTable::Search::kFound;
}

template <class T>
HeapIndex WitnessCheck<T>::check(HeapIndex first, const T* limits, std::size_t heaps,
                                 std::size_t share, std::size_t shares) const noexcept {
  HeapIndex failed = first + static_cast<HeapIndex>(heaps);
  // What rows leave is settled many at a time, so that codes stay in the cache, and not rows.
  struct Left {
    HeapIndex n;
    Nimber code;
  };
  std::array<Left, 1024> left;
  std::size_t count = 0;
  const auto settle = [&] {
    for (const Left& l : std::span(left).first(count)) {
      if (l.n < failed && !reached(l.n, l.code)) failed = l.n;
    }
    count = 0;
  };
  for (std::size_t done = 0; done < heaps; done += 64 * kStrip) {
    const std::size_t words = std::min(kStrip, (heaps - done) / 64);
    const HeapIndex begin = first + static_cast<HeapIndex>(done);
    for (auto code = static_cast<Nimber>(share); code < shape_.code_limit;
         code += static_cast<Nimber>(shares)) {
      std::uint64_t open[kStrip];
      std::uint64_t found[kStrip] = {};
      kernels_.of<T>().greater_bits(limits + done, 64 * words, static_cast<T>(code), open);
      // If no heap has a larger limit, none has one for the next codes.
      if (std::all_of(open, open + words, [](std::uint64_t w) { return w == 0; })) break;
      plans_[code].collect(kernels_, rows_.bytes_at(begin), found, words);
      for (std::size_t w = 0; w < words; ++w) {
        for (std::uint64_t bits = open[w] & ~found[w]; bits != 0; bits &= bits - 1) {
          if (count == left.size()) settle();
          left[count++] = {begin + static_cast<HeapIndex>(w * 64) + std::countr_zero(bits), code};
        }
      }
    }
  }
  settle();
  return failed;
}

template class WitnessCheck<std::uint8_t>;
template class WitnessCheck<std::uint16_t>;

}  // namespace grundy::sparse
