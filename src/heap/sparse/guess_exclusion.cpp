// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "heap/sparse/exclusion.hpp"

namespace grundy::sparse {
namespace {

/// Far taps per code that may make the guess; as many are used as pay, this many at a time.
constexpr std::size_t kGuessRows = 1920;
constexpr std::size_t kPlanRows = 192;
/// Rounds until the number in use is looked at again, and the parts of heaps left to exact() at
/// which it changes: a step costs about as much as it saves in between.
constexpr HeapSize kRoundsPerStep = 8;
constexpr HeapSize kTooMany = 12;  ///< one heap in so many: take more rows
constexpr HeapSize kFew = 32;      ///< fewer than one in so many: take fewer
/// One in so many heaps may have a code beyond those that are guessed.
constexpr HeapSize kBeyond = 64;
/// Heaps per part of the far work.
constexpr HeapSize kPartHeaps = 1024;

template <class T>
class GuessExclusion final : public Exclusion<T> {
 public:
  GuessExclusion(const SparseTable& table, const PhaseShape& shape, const SparseKernels& kernels,
                 const CodeDensity& density, SlidingWindow<T>& codes, const BitRows& rows)
      : shape_(shape),
        kernels_(kernels),
        codes_(codes),
        rows_(rows),
        levels_(table, shape, kHeaps),
        part_(std::min(shape.block, kPartHeaps)),
        seen_(std::size_t{std::numeric_limits<T>::max()} + 1) {
    std::vector<Tap> taps;
    for (const Tap& tap : levels_.all) {
      if (tap.offset >= 2 * shape.block && tap.offset <= shape.row_window) taps.push_back(tap);
    }
    for (Nimber code = 0; code < std::min<Nimber>(density.quantile(kBeyond), kDead); ++code) {
      guess_.push_back(
          cut_into_plans(density.densest(code, taps, kGuessRows), kPlanRows, shape.stride));
    }
    for (auto& c : candidates_) c.resize(shape.block * kCandidates, kDead);
  }

  std::size_t far_parts() const noexcept override { return shape_.block / part_; }

  void far(HeapIndex begin, std::size_t part) noexcept override {
    const HeapIndex first = begin + static_cast<HeapIndex>(part * part_);
    T* const candidates = candidates_of(begin) + part * part_ * kCandidates;
    list_candidates(first, candidates);
    kernels_.of<T>().eliminate(codes_.at(first), levels_.far.view(), candidates, part_ / kHeaps);
  }

  HeapIndex chain(HeapIndex begin, Nimber cap) noexcept override {
    const auto& kernels = kernels_.of<T>();
    T* candidates = candidates_of(begin);
    const HeapIndex end = begin + static_cast<HeapIndex>(shape_.block);
    for (HeapIndex n = begin; n < end; n += kHeaps, candidates += kHeaps * kCandidates) {
      const auto done = static_cast<HeapSize>(n - begin);
      if (done % levels_.middle_span == 0) {
        const HeapSize span = std::min(levels_.middle_span, shape_.block - done);
        kernels.eliminate(codes_.at(n), levels_.middle.view(), candidates, span / kHeaps);
      }
      if (done % 64 == 0) {
        kernels.eliminate(codes_.at(n), levels_.close.view(), candidates, 64 / kHeaps);
      }
      kernels.eliminate(codes_.at(n), levels_.adjacent.view(), candidates, 1);
      for (HeapIndex j = 0; j < static_cast<HeapIndex>(kHeaps); ++j) {
        const Nimber code = choose(n + j, candidates + j);
        if (code >= cap) return n + j;
        *codes_.at(n + j) = static_cast<T>(code);
      }
    }
    return end;
  }

  void advance(HeapIndex) override {
    if (++rounds_ % kRoundsPerStep != 0) return;
    const HeapSize heaps = kRoundsPerStep * shape_.block;
    if (exact_ * kTooMany > heaps) {
      plans_ = std::min(plans_ + 1, kGuessRows / kPlanRows);
    } else if (exact_ * kFew < heaps) {
      plans_ = std::max<std::size_t>(plans_ - 1, 1);
    }
    exact_ = 0;
  }

 private:
  static constexpr std::size_t kHeaps = kGroupHeaps<T>;
  static constexpr T kDead = std::numeric_limits<T>::max();

  /// The candidates of two blocks exist at a time; blocks take turns.
  T* candidates_of(HeapIndex begin) noexcept {
    return candidates_[static_cast<HeapSize>(begin) / shape_.block % 2].data();
  }

  /// The least codes of each heap that the guess leaves open, up to kCandidates, ascending. Heaps
  /// with too few of them are left to exact().
  void list_candidates(HeapIndex first, T* candidates) noexcept {
    std::fill_n(candidates, part_ * kCandidates, kDead);
    std::uint64_t reached[kPartHeaps / 64];
    std::uint64_t full[kPartHeaps / 64] = {};
    std::uint8_t listed[kPartHeaps] = {};
    const std::size_t words = part_ / 64;
    for (Nimber code = 0; code < guess_.size(); ++code) {
      std::copy_n(full, words, reached);
      for (std::size_t i = 0; i < std::min(plans_, guess_[code].size()); ++i) {
        if (std::all_of(reached, reached + words, [](std::uint64_t w) { return ~w == 0; })) break;
        guess_[code][i].collect(kernels_, rows_.bytes_at(first), reached, words);
      }
      for (std::size_t w = 0; w < words; ++w) {
        for (std::uint64_t left = ~reached[w]; left != 0; left &= left - 1) {
          const std::size_t heap = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
          const std::size_t place = listed[heap]++;
          candidates[(heap / kHeaps * kCandidates + place) * kHeaps + heap % kHeaps] =
              static_cast<T>(code);
          if (place + 1 == kCandidates) full[w] |= left & (0 - left);
        }
      }
    }
  }

  /// The code of heap n, from the candidates (kHeaps apart) that taps of all other levels left.
  Nimber choose(HeapIndex n, const T* candidates) noexcept {
    const T* const here = codes_.at(n);
    for (std::size_t c = 0; c < kCandidates; ++c) {
      const T code = candidates[c * kHeaps];
      if (code == kDead) continue;
      bool reached = false;
      for (const Tap& tap : levels_.nearest) {
        reached |= here[-static_cast<HeapIndex>(tap.offset)] == static_cast<T>(code ^ tap.code);
      }
      if (!reached) return code;
    }
    return exact(here);
  }

  /// The least code that no tap reaches; code_limit if all are reached.
  Nimber exact(const T* here) noexcept {
    ++exact_;
    std::fill_n(seen_.begin(), shape_.code_limit, std::uint8_t{0});
    for (const Tap& tap : levels_.all) {
      seen_[here[-static_cast<HeapIndex>(tap.offset)] ^ tap.code] = 1;
    }
    Nimber code = 0;
    while (code < shape_.code_limit && seen_[code] != 0) ++code;
    return code;
  }

  const PhaseShape shape_;
  const SparseKernels& kernels_;
  SlidingWindow<T>& codes_;
  const BitRows& rows_;
  const TapLevels levels_;
  const HeapSize part_;
  std::vector<T> candidates_[2];
  std::vector<RowPlans> guess_;  ///< by code
  std::size_t plans_ = 3;        ///< how many of each are used
  HeapSize rounds_ = 0;
  HeapSize exact_ = 0;              ///< heaps left to exact() since plans_ was looked at
  std::vector<std::uint8_t> seen_;  ///< by the nim-sum of a tap and its partner, a code or not
};

}  // namespace

template <class T>
std::unique_ptr<Exclusion<T>> make_guess_exclusion(const SparseTable& table,
                                                   const PhaseShape& shape,
                                                   const SparseKernels& kernels,
                                                   const CodeDensity& density,
                                                   SlidingWindow<T>& codes, const BitRows& rows) {
  return std::make_unique<GuessExclusion<T>>(table, shape, kernels, density, codes, rows);
}

template std::unique_ptr<Exclusion<std::uint8_t>> make_guess_exclusion(
    const SparseTable&, const PhaseShape&, const SparseKernels&, const CodeDensity&,
    SlidingWindow<std::uint8_t>&, const BitRows&);
template std::unique_ptr<Exclusion<std::uint16_t>> make_guess_exclusion(
    const SparseTable&, const PhaseShape&, const SparseKernels&, const CodeDensity&,
    SlidingWindow<std::uint16_t>&, const BitRows&);

}  // namespace grundy::sparse
