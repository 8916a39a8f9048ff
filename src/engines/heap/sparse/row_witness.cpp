/// @file
/// Witnesses from bit rows.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <span>
#include <utility>

#include "engines/heap/sparse/bit_rows.hpp"
#include "engines/heap/sparse/witness.hpp"
#include "kernels/kernels.hpp"
#include "kernels/row_kernels.hpp"

namespace grundy::sparse {
namespace {

/// Number of words (of 64 heaps) whose rows are read together.
constexpr std::size_t kStrip = 32;

template <class T>
class RowWitness final : public Witness<T> {
 public:
  RowWitness(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
             const std::vector<RowPlan>& plans, const SlidingWindow<T>& codes, HeapIndex begin)
      : table_(table),
        code_limit_(shape.code_limit),
        kernels_(kernels.rows),
        typed_(kernels_.of<T>()),
        plans_(plans),
        codes_(codes),
        lags_(LaggedSplits(table.moves().splits).lags),
        rows_(shape.code_limit, begin, shape.lookback, 2 * shape.block) {
    write_rows(begin - static_cast<HeapIndex>(shape.lookback), shape.lookback);
    const Split& split = table.split();
    for (HeapSize a = searched_reach(table, shape); a > 0; --a) {
      const Nimber value = table.window()[a];
      const bool common = split.is_common(value, a);
      small_.push_back(common ? static_cast<T>(split.squeeze(value)) : T{0});
      rare_.push_back(common ? T{0} : std::numeric_limits<T>::max());
    }
  }

  void publish(HeapIndex first, std::size_t heaps) noexcept override {
    write_rows(first, (heaps + 63) / 64 * 64);
  }

  HeapIndex check(HeapIndex first, const T* limits, std::size_t heaps, std::size_t share,
                  std::size_t shares) noexcept override {
    HeapIndex failed = first + static_cast<HeapIndex>(heaps);
    // Codes that the rows leave open are collected and settled in batches. So either rows or codes
    // are in the cache, and they do not displace each other.
    std::array<Left, kMostLeft> left;
    std::size_t count = 0;
    std::uint64_t all = 0;
    const auto settle = [&] {
      all += count;
      failed = first_missing(std::span(left).first(std::exchange(count, 0)), failed);
    };
    for (std::size_t done = 0; done < heaps; done += 64 * kStrip) {
      const std::size_t words = std::min(kStrip, (heaps - done) / 64);
      const HeapIndex begin = first + static_cast<HeapIndex>(done);
      for (auto code = static_cast<Nimber>(share); code < code_limit_;
           code += static_cast<Nimber>(shares)) {
        std::uint64_t open[kStrip];
        std::uint64_t found[kStrip] = {};
        typed_.greater_bits(limits + done, 64 * words, static_cast<T>(code), open);
        // If no limit exceeds this code, no limit exceeds the next codes.
        if (std::all_of(open, open + words, [](std::uint64_t w) { return w == 0; })) break;
        plans_[code].collect(kernels_, rows_.bytes_at(begin), found, words);
        add_lagged(std::span(found).first(words));
        // Few words have bits left. A branch for each word would be mispredicted.
        std::uint32_t with_bits[kStrip];
        std::size_t words_left = 0;
        for (std::uint32_t w = 0; w < words; ++w) {
          open[w] &= ~found[w];
          with_bits[words_left] = w;
          words_left += open[w] != 0;
        }
        for (const std::uint32_t w : std::span(with_bits).first(words_left)) {
          for (std::uint64_t bits = open[w]; bits != 0; bits &= bits - 1) {
            if (count == left.size()) settle();
            left[count++] = {begin + static_cast<HeapIndex>(w * 64) + std::countr_zero(bits), code};
          }
        }
      }
    }
    settle();
    open_.fetch_add(all, std::memory_order_relaxed);
    return failed;
  }

  std::optional<std::uint64_t> take_open() noexcept override {
    return open_.exchange(0, std::memory_order_relaxed);
  }

  void advance(HeapIndex end) override { rows_.advance(end); }

 private:
  /// Writes whole words; bits of heaps after the last code are not read.
  void write_rows(HeapIndex begin, std::size_t heaps) noexcept {
    typed_.equal_rows(codes_.at(begin), heaps, code_limit_, rows_.at(begin), rows_.stride());
  }

  /// Adds to the heaps that the rows cover those that they cover under later splits. What they
  /// cover before the first heap is not known.
  void add_lagged(std::span<std::uint64_t> found) const noexcept {
    if (lags_.size() == 1) return;
    for (std::size_t w = found.size(); w-- > 0;) {
      const std::uint64_t own = found[w], before = w > 0 ? found[w - 1] : 0;
      for (const HeapSize lag : lags_) found[w] |= own << lag | before >> 1 >> (63 - lag);
    }
  }

  /// A rare code that the rows leave open at a heap.
  struct Left {
    HeapIndex n;
    Nimber code;
  };
  static constexpr std::size_t kMostLeft = 1024;

  /// The first heap before `failed` none of whose options has the value of a code that is left;
  /// `failed` if there is none. @pre left.size() <= kMostLeft
  [[nodiscard]] HeapIndex first_missing(std::span<const Left> left,
                                        HeapIndex failed) const noexcept {
    PairSearch<T> searches[kMostLeft];
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < left.size(); ++i) {
      if (left[i].n < failed) searches[count++] = {nullptr, static_cast<T>(left[i].code), i};
    }
    for (const SplitMove& move : table_.moves().splits) {
      for (PairSearch<T>& search : std::span(searches).first(count)) {
        const auto offset = static_cast<HeapIndex>(move.take + small_.size());
        search.partners = codes_.at(left[search.number].n - offset);
      }
      // A rare partner is never hit: either kNoCode is not a nim-sum of codes, or there are no rare
      // partners.
      count = typed_.keep_missing(small_.data(), rare_.data(), small_.size(), searches, count);
    }
    for (const PairSearch<T>& search : std::span(searches).first(count)) {
      const auto [n, code] = left[search.number];
      if (n >= failed) continue;
      const auto heap = static_cast<HeapSize>(n);
      const Nimber value = table_.split().expand(code, false, heap);
      if (table_.find(heap, value) != SparseTable::Search::kFound) failed = n;
    }
    return failed;
  }

  const SparseTable& table_;
  const Nimber code_limit_;
  const RowKernels& kernels_;
  const TypedRowKernels<T>& typed_;
  const std::vector<RowPlan>& plans_;
  const SlidingWindow<T>& codes_;
  const std::vector<HeapSize> lags_;
  BitRows rows_;
  std::atomic<std::uint64_t> open_{0};
  std::vector<T> small_;  ///< codes of the heaps small_.size(), ..., 2, 1; 0 if a heap is rare
  std::vector<T> rare_;   ///< in the same order: all-ones if the heap is rare, else 0
};

}  // namespace

template <class T>
std::unique_ptr<Witness<T>> make_row_witness(const SparseTable& table, const PhaseShape& shape,
                                             const KernelSet& kernels,
                                             const std::vector<RowPlan>& plans,
                                             const SlidingWindow<T>& codes, HeapIndex begin) {
  return std::make_unique<RowWitness<T>>(table, shape, kernels, plans, codes, begin);
}

template std::unique_ptr<Witness<std::uint8_t>> make_row_witness(
    const SparseTable&, const PhaseShape&, const KernelSet&, const std::vector<RowPlan>&,
    const SlidingWindow<std::uint8_t>&, HeapIndex);
template std::unique_ptr<Witness<std::uint16_t>> make_row_witness(
    const SparseTable&, const PhaseShape&, const KernelSet&, const std::vector<RowPlan>&,
    const SlidingWindow<std::uint16_t>&, HeapIndex);

}  // namespace grundy::sparse
