// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <vector>

#include "heap/sparse/exclusion.hpp"

namespace grundy::sparse {
namespace {

/// Heaps per part of the far work.
constexpr HeapSize kPartHeaps = 1024;

template <class T>
class GuessExclusion final : public Exclusion<T> {
 public:
  GuessExclusion(const SparseTable& table, const PhaseShape& shape, const SparseKernels& kernels,
                 const std::vector<RowPlan>& guess, SlidingWindow<T>& codes, const BitRows& rows)
      : shape_(shape),
        kernels_(kernels),
        guess_(guess),
        codes_(codes),
        rows_(rows),
        levels_(table, shape, kHeaps),
        near_(levels_.nearest),
        part_(std::min(shape.block, kPartHeaps)),
        parts_(shape.block / part_ + 1, Part(part_, guess.size())) {
    for (auto& c : candidates_) c.resize(shape.block * kCandidates, kDead);
  }

  std::size_t far_parts() const noexcept override { return shape_.block / part_; }

  void far(HeapIndex begin, std::size_t part) noexcept override {
    const HeapIndex first = begin + static_cast<HeapIndex>(part * part_);
    T* const candidates = candidates_of(begin) + part * part_ * kCandidates;
    Part& own = parts_[part];
    const std::size_t groups = part_ / kHeaps;
    const auto& kernels = kernels_.of<T>();
    collect(first, own.open);
    kernels.list_candidates(own.open.data(), guess_.size(), part_ / 64, candidates,
                            own.reserve.data());
    for (T* const list : {candidates, own.reserve.data()}) {
      kernels.eliminate(codes_.at(first), levels_.far_first.view(), list, groups);
    }
    kernels.close_gaps(candidates, own.reserve.data(), groups);
    kernels.eliminate(codes_.at(first), levels_.far_rest.view(), candidates, groups);
    refill(first, candidates, own.seen);
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
      const std::size_t decided = decide_group(codes_.at(n), candidates, cap);
      if (decided < kHeaps) return n + static_cast<HeapIndex>(decided);
    }
    return end;
  }

  void advance(HeapIndex) override {}

 private:
  static constexpr std::size_t kHeaps = kGroupHeaps<T>;
  static constexpr T kDead = std::numeric_limits<T>::max();
  using Seen = std::vector<std::uint8_t>;  ///< by the nim-sum of a tap and its partner

  /// What one part of the far work, or chain(), needs for itself.
  struct Part {
    Part(std::size_t heaps, std::size_t codes)
        : open(codes * heaps / 64 + 1),
          reserve(heaps * kCandidates),
          seen(std::size_t{std::numeric_limits<T>::max()} + 1) {}
    std::vector<std::uint64_t> open;  ///< bits of the part's heaps by code
    std::vector<T> reserve;           ///< more candidates
    Seen seen;
  };

  /// The candidates of two blocks exist at a time; blocks take turns.
  T* candidates_of(HeapIndex begin) noexcept {
    return candidates_[static_cast<HeapSize>(begin) / shape_.block % 2].data();
  }

  /// For each code, the bits of heaps that the guess leaves open.
  void collect(HeapIndex first, std::vector<std::uint64_t>& open) const noexcept {
    const std::size_t words = part_ / 64;
    std::fill(open.begin(), open.end(), 0);
    for (std::size_t code = 0; code < guess_.size(); ++code) {
      std::uint64_t* const row = open.data() + code * words;
      guess_[code].collect(kernels_, rows_.bytes_at(first), row, words);
      for (std::size_t w = 0; w < words; ++w) row[w] = ~row[w];
    }
  }

  /// Writes the codes of one group, from the candidates that taps of all other levels left. Returns
  /// the first heap whose code is not below `cap`, or kHeaps.
  std::size_t decide_group(T* here, const T* candidates, Nimber cap) noexcept {
    std::size_t j = 0;
    while ((j = kernels_.of<T>().choose(here, near_.view(), candidates, j)) < kHeaps) {
      const Nimber code = exact(here + j);
      if (code >= cap) break;
      here[j++] = static_cast<T>(code);
    }
    if (j == kHeaps && cap == shape_.code_limit) return kHeaps;
    return static_cast<std::size_t>(
        std::find_if(here, here + j, [&](T code) { return code >= cap; }) - here);
  }

  /// Gives heaps without a candidate the least codes that no far tap reaches.
  void refill(HeapIndex first, T* candidates, Seen& seen) noexcept {
    for (std::size_t heap = 0; heap < part_; ++heap) {
      T* const own = candidates + heap / kHeaps * kCandidates * kHeaps + heap % kHeaps;
      bool alive = false;
      for (std::size_t c = 0; c < kCandidates; ++c) alive |= own[c * kHeaps] != kDead;
      if (alive) continue;
      mark(codes_.at(first + static_cast<HeapIndex>(heap)), levels_.far_taps, seen);
      std::size_t place = 0;
      for (Nimber code = 0; code < std::min<Nimber>(shape_.code_limit, kDead); ++code) {
        if (seen[code] != 0) continue;
        own[place * kHeaps] = static_cast<T>(code);
        if (++place == kCandidates) break;
      }
    }
  }

  /// seen[code] := whether one of the taps reaches the code from the heap whose code is at `here`.
  void mark(const T* here, const std::vector<Tap>& taps, Seen& seen) const noexcept {
    std::fill_n(seen.begin(), shape_.code_limit, std::uint8_t{0});
    std::uint8_t* const by_code = seen.data();
    for (const Tap& tap : taps) {
      by_code[here[-static_cast<HeapIndex>(tap.offset)] ^ tap.code] = 1;
    }
  }

  /// The least code that no tap reaches; code_limit if all are reached.
  Nimber exact(const T* here) noexcept {
    Seen& seen = parts_.back().seen;
    mark(here, levels_.all, seen);
    Nimber code = 0;
    while (code < shape_.code_limit && seen[code] != 0) ++code;
    return code;
  }

  const PhaseShape shape_;
  const SparseKernels& kernels_;
  const std::vector<RowPlan>& guess_;
  SlidingWindow<T>& codes_;
  const BitRows& rows_;
  const TapLevels levels_;
  const NearTapList<T> near_;
  const HeapSize part_;
  std::vector<T> candidates_[2];
  std::vector<Part> parts_;  ///< one for each part of the far work, one for chain()
};

}  // namespace

template <class T>
std::unique_ptr<Exclusion<T>> make_guess_exclusion(const SparseTable& table,
                                                   const PhaseShape& shape,
                                                   const SparseKernels& kernels,
                                                   const std::vector<RowPlan>& guess,
                                                   SlidingWindow<T>& codes, const BitRows& rows) {
  return std::make_unique<GuessExclusion<T>>(table, shape, kernels, guess, codes, rows);
}

template std::unique_ptr<Exclusion<std::uint8_t>> make_guess_exclusion(
    const SparseTable&, const PhaseShape&, const SparseKernels&, const std::vector<RowPlan>&,
    SlidingWindow<std::uint8_t>&, const BitRows&);
template std::unique_ptr<Exclusion<std::uint16_t>> make_guess_exclusion(
    const SparseTable&, const PhaseShape&, const SparseKernels&, const std::vector<RowPlan>&,
    SlidingWindow<std::uint16_t>&, const BitRows&);

}  // namespace grundy::sparse
