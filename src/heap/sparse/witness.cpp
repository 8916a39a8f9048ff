// SPDX-License-Identifier: MIT
#include "heap/sparse/witness.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>

namespace grundy::sparse {
namespace {

constexpr std::size_t kPool = 1024;       ///< pairs of heaps per rare code that are used at all
constexpr HeapSize kFarthest = 1u << 14;  ///< the smaller heap of a pair is less
constexpr std::size_t kLearned = 96;      ///< pairs per rare code that complement each other
constexpr std::size_t kSpreadRows = 128;  ///< pairs per plan after these
constexpr std::size_t kFewOpen = 12;      ///< heaps that cost less one by one than by a plan
constexpr std::size_t kStrip = 16;        ///< words of heaps that are checked at a time

using Source = RowPlan::Source;

/// An order that has nothing to do with the games: multiplicative hashing (Knuth, vol. 3, 6.4).
std::uint64_t scattered(const Source& s) noexcept {
  return s.offset * 0x9e3779b97f4a7c15u;
}

/// Splits `pool` into pairs that complement each other on the sample, and the rest.
class GreedyCover {
 public:
  GreedyCover(const SparseKernels& kernels, const std::uint8_t* sample, std::size_t words,
              std::size_t stride)
      : kernels_(kernels), sample_(sample), words_(words), stride_(stride), nothing_(words) {}

  /// Moves the chosen ones to the front of `pool`; returns how many. Takes whatever covers at least
  /// a threshold's part of what is open; the threshold falls from pass to pass.
  std::size_t choose(std::vector<Source>& pool, std::vector<std::uint64_t> open) {
    hits_.assign(pool.size() * words_, 0);
    for (std::size_t i = 0; i < pool.size(); ++i) {
      const std::int64_t byte = pool[i].byte(stride_);
      kernels_.or_shifted(sample_, &byte, 1, pool[i].shift(), hits_of(i), words_);
    }
    std::size_t left = kernels_.count_and_not(open.data(), nothing_.data(), words_);
    // What a source was last seen to cover bounds what it covers now.
    std::vector<std::size_t> most(pool.size(), left);
    std::size_t chosen = 0;
    for (double part = 0.12; part > 0.004 && left > 0 && chosen < kLearned; part *= 0.75) {
      for (std::size_t i = chosen; i < pool.size() && chosen < kLearned && left > 0; ++i) {
        const auto enough = part * static_cast<double>(left);
        if (most[i] == 0 || static_cast<double>(most[i]) < enough) continue;
        const std::size_t after = kernels_.count_and_not(open.data(), hits_of(i), words_);
        most[i] = left - after;
        if (most[i] == 0 || static_cast<double>(most[i]) < enough) continue;
        for (std::size_t w = 0; w < words_; ++w) open[w] &= ~hits_of(i)[w];
        left = after;
        std::swap_ranges(hits_of(i), hits_of(i) + words_, hits_of(chosen));
        std::swap(most[i], most[chosen]);
        std::swap(pool[i], pool[chosen++]);
      }
    }
    return chosen;
  }

 private:
  std::uint64_t* hits_of(std::size_t i) noexcept { return hits_.data() + i * words_; }

  const SparseKernels& kernels_;
  const std::uint8_t* sample_;
  std::size_t words_;
  std::size_t stride_;
  std::vector<std::uint64_t> nothing_;  ///< all zero
  std::vector<std::uint64_t> hits_;     ///< per source, the heaps of the sample that it decides
};

}  // namespace

template <class T>
WitnessCheck<T>::WitnessCheck(const SparseTable& table, const PhaseShape& shape,
                              const SparseKernels& kernels, const CodeDensity& density,
                              const BitRows& rows, std::span<const T> sample)
    : table_(table), shape_(shape), kernels_(kernels), rows_(rows), plans_(shape.code_limit) {
  // Pairs {a, n - take - a}: a is small enough for its partners to lie in the rows of the sample.
  std::vector<Tap> taps;
  const Split& split = table.split();
  const HeapSize longest =
      std::min(kFarthest, shape.row_window - sample.size() - table.moves().largest_take);
  table.note_depth(longest - 1);
  const std::size_t words = sample.size() / 64;
  for (HeapSize a = 1; a < longest; ++a) {
    const Nimber value = table.window()[a];
    if (!split.is_common(value, a)) continue;
    for (const SplitMove& move : table.moves().splits) {
      // There are plenty: those whose rows need the same few bit shifts cost less.
      const HeapSize offset = a + move.take;
      if (offset % 4 == 0) taps.push_back({offset, split.squeeze(value)});
    }
  }
  const auto begin = static_cast<HeapIndex>(table.size() - sample.size());
  GreedyCover cover(kernels, rows.bytes_at(begin), words, shape.stride);
  for (Nimber code = 0; code < shape.code_limit; ++code) {
    std::vector<std::uint64_t> open(words);
    kernels.of<T>().greater_bits(sample.data(), sample.size(), static_cast<T>(code), open.data());
    if (std::ranges::all_of(open, [](std::uint64_t w) { return w == 0; })) break;
    std::vector<Source> pool = density.densest(code, taps, kPool);
    std::ranges::sort(pool, {}, [](const Source& s) { return scattered(s); });
    const std::size_t chosen = cover.choose(pool, open);
    const std::span<const Source> sources(pool);
    plans_[code] = cut_into_plans(sources.first(chosen), kLearned, shape.stride);
    std::ranges::move(cut_into_plans(sources.subspan(chosen), kSpreadRows, shape.stride),
                      std::back_inserter(plans_[code]));
  }
}

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
      const auto left_open = [&] { return kernels_.count_and_not(open, reached, words); };
      kernels_.of<T>().greater_bits(limits + done, 64 * words, static_cast<T>(code), open);
      if (left_open() == 0) break;  // no heap has a larger limit either
      for (const RowPlan& plan : plans_[code]) {
        if (left_open() <= kFewOpen) break;
        plan.collect(kernels_, rows_.bytes_at(begin), reached, words);
      }
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
