// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

#include "engines/heap/sparse/exclusion.hpp"
#include "engines/heap/sparse/split_marks.hpp"
#include "kernels/candidate_kernels.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

/// The taps that are not among those that are marked. All are sorted by place.
std::vector<Tap> not_marked(const std::vector<Tap>& taps, const std::vector<Tap>& marked) {
  std::vector<Tap> others;
  std::ranges::set_difference(taps, marked, std::back_inserter(others), {}, by_place, by_place);
  return others;
}

constexpr HeapSize kPlaneTurn = 64;
constexpr std::size_t kMostPlaneThreads = 8;

/// The number of threads that find codes in turn. Taps that are too near to mark meet candidates.
/// If these taps are many, heaps lose all of their candidates to them.
std::size_t threads_in_turn(const std::vector<Tap>& marking, std::size_t threads) {
  constexpr std::size_t kPartNear = 8;
  std::size_t most = std::min(threads, kMostPlaneThreads);
  const auto near = [&](std::size_t turns) {
    const auto far = std::ranges::lower_bound(marking, kPlaneTurn * turns, {}, &Tap::offset);
    return static_cast<std::size_t>(far - marking.begin());
  };
  while (most > 1 && near(most) * kPartNear > marking.size()) --most;
  return most;
}

/// Lists candidates from planes, and chooses among them.
template <class T>
class CandidateExclusion final : public Exclusion<T> {
 public:
  CandidateExclusion(const SparseTable& table, const PhaseShape& shape, const KernelSet& kernels,
                     const std::vector<Tap>& marking, Nimber common, SlidingWindow<T>& codes,
                     std::size_t threads)
      : Exclusion<T>(kPlaneTurn, threads_in_turn(marking, threads)),
        shape_(shape),
        kernels_(kernels.candidates.of<T>()),
        codes_(codes),
        levels_(all_taps(table), 2 * kHeaps),
        nearest_(levels_.nearest),
        count_(std::max<std::size_t>(1, planes_for(common))),
        marks_(kernels.taps.of<T>(), table.moves().splits,
               TapParts(marking, this->turns().apart()).from),
        unmarked_(not_marked(levels_.from_64, marks_.marked())),
        slots_(this->turns().threads()) {
    const TapParts others(unmarked_, this->turns().apart());
    far_ = TapList(others.from);
    near_ = TapList(others.below);
    const std::size_t bytes = kPlaneTurn * count_;
    for (Slot& slot : slots_) slot.planes.resize(bytes);
    if (!marks_.have_lags()) return;
    first_split_.assign(this->turns().places(), std::vector<std::uint8_t>(bytes));
    before_.resize(bytes);
  }

 private:
  static constexpr std::size_t kHeaps = kGroupHeaps<T>;

  struct alignas(64) Slot {  // threads write to different lines
    T candidates[kPlaneTurn * kCandidates];
    std::vector<std::uint8_t> planes;  ///< plane p of heap j is [64 * p + j]
  };

  void meet_far(const Turn& turn) noexcept override {
    Slot& slot = slots_[turn.slot];
    const T* const codes = codes_.at(turn.begin);
    std::ranges::fill(slot.planes, std::uint8_t{0});
    if (marks_.have_lags()) {
      mark_by_first_split(turn, codes);
    } else {
      marks_.mark(codes, slot.planes.data(), count_);
    }
    kernels_.list_unmarked(slot.planes.data(), count_, slot.candidates);
    kernels_.eliminate(codes, far_.view(), slot.candidates, kPlaneTurn / kHeaps);
  }
  void mark_by_first_split(const Turn& turn, const T* codes) noexcept {
    std::vector<std::uint8_t>& own = first_split_[turn.place];
    std::ranges::fill(own, std::uint8_t{0});
    marks_.mark(codes, own.data(), count_);
    this->turns().prepared(turn);
    const std::uint8_t* before = before_.data();
    if (turn.place_before) {
      this->turns().wait_for_prepared(turn);
      before = first_split_[*turn.place_before].data();
    } else {
      std::ranges::fill(before_, std::uint8_t{0});
      marks_.mark_before(codes, before_.data(), count_);
    }
    marks_.unite(before, own.data(), slots_[turn.slot].planes.data(), count_);
  }
  HeapIndex decide(const Turn& turn) noexcept override {
    Slot& slot = slots_[turn.slot];
    const HeapIndex n = turn.begin;
    kernels_.eliminate(codes_.at(n), near_.view(), slot.candidates, kPlaneTurn / kHeaps);
    for (std::size_t j = 0; j < kPlaneTurn; j += kHeaps) {
      if (j % (2 * kHeaps) == 0) {  // partners at these offsets lie before both groups
        T* const own = slot.candidates + j * kCandidates;
        kernels_.eliminate(codes_.at(n) + j, levels_.close.view(), own, 2);
      }
      const std::size_t known = this->known_of(n + static_cast<HeapIndex>(j), kHeaps);
      if (known == kHeaps) continue;
      const std::size_t decided = decide_group(slot, n, j, known);
      if (decided < kHeaps) return n + static_cast<HeapIndex>(j + decided);
    }
    return turn.end;
  }

  /// Writes the codes of the group that begins at heap n + first, except those of its `known` first
  /// heaps. The taps of all other levels have met its candidates. Returns the first heap of the
  /// group whose code is not below the cap, or kHeaps.
  std::size_t decide_group(const Slot& slot, HeapIndex n, std::size_t first,
                           std::size_t known) noexcept {
    T* const here = codes_.at(n) + first;
    const T* const candidates = slot.candidates + first * kCandidates;
    std::size_t j = known;
    while ((j = kernels_.choose(here, nearest_.view(), candidates, j)) < kHeaps) {
      const Nimber code = exact(slot, here + j, first + j);
      if (code >= this->cap()) break;
      here[j++] = static_cast<T>(code);
    }
    // Codes from the lists are below limit(); codes from exact() were compared with the cap.
    if (j == kHeaps && limit() <= this->cap()) return kHeaps;
    const auto at_cap =
        std::find_if(here + known, here + j, [this](T code) { return code >= this->cap(); });
    return static_cast<std::size_t>(at_cap - here);
  }

  /// The least code that no tap reaches from a heap; code_limit if all codes are reached. The heap
  /// is number j of the turn, and `here` is the place of its code.
  Nimber exact(const Slot& slot, const T* here, std::size_t j) noexcept {
    std::fill_n(seen_.begin(), shape_.code_limit, std::uint8_t{0});
    mark(here, levels_.within_64);
    mark(here, unmarked_);
    for (Nimber code = 0; code < limit(); ++code) {
      const unsigned marks = slot.planes[code / kPlaneCodes * 64 + j];
      if ((marks >> code % kPlaneCodes & 1) == 0 && seen_[code] == 0) return code;
    }
    mark(here, levels_.from_64);
    Nimber code = 0;
    while (code < shape_.code_limit && seen_[code] != 0) ++code;
    return code;
  }

  /// Sets seen_[code] = 1 for every code that one of the taps reaches.
  void mark(const T* here, const std::vector<Tap>& taps) noexcept {
    std::uint8_t* const by_code = seen_.data();
    for (const Tap& tap : taps) {
      by_code[here[-static_cast<HeapIndex>(tap.offset)] ^ tap.code] = 1;
    }
  }

  /// The planes hold all codes below it.
  [[nodiscard]] Nimber limit() const noexcept { return static_cast<Nimber>(count_ * kPlaneCodes); }

  const PhaseShape shape_;
  const TypedCandidateKernels<T>& kernels_;
  SlidingWindow<T>& codes_;
  const TapLevels levels_;
  const TapRow nearest_;
  const std::size_t count_;  ///< number of planes of a heap
  const SplitMarks<T> marks_;
  const std::vector<Tap> unmarked_;  ///< the taps from offset 64 on that these do not stand for
  TapList far_, near_;               ///< those that are far, and not
  std::vector<Slot> slots_;
  /// If there are lags: the planes of turns under the first split, by place, and those of the
  /// heaps before the first turn.
  std::vector<std::vector<std::uint8_t>> first_split_;
  std::vector<std::uint8_t> before_;
  /// By code; for the one thread that decides.
  std::vector<std::uint8_t> seen_ =
      std::vector<std::uint8_t>(std::size_t{std::numeric_limits<T>::max()} + 1);
};

}  // namespace

template <class T>
std::unique_ptr<Exclusion<T>> make_plane_exclusion(const SparseTable& table,
                                                   const PhaseShape& shape,
                                                   const KernelSet& kernels,
                                                   const std::vector<Tap>& marking, Nimber common,
                                                   SlidingWindow<T>& codes, std::size_t threads) {
  return std::make_unique<CandidateExclusion<T>>(table, shape, kernels, marking, common, codes,
                                                 threads);
}

template std::unique_ptr<Exclusion<std::uint8_t>> make_plane_exclusion(
    const SparseTable&, const PhaseShape&, const KernelSet&, const std::vector<Tap>&, Nimber,
    SlidingWindow<std::uint8_t>&, std::size_t);
template std::unique_ptr<Exclusion<std::uint16_t>> make_plane_exclusion(
    const SparseTable&, const PhaseShape&, const KernelSet&, const std::vector<Tap>&, Nimber,
    SlidingWindow<std::uint16_t>&, std::size_t);

}  // namespace grundy::sparse
