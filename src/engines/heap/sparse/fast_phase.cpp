// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/fast_phase.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include <grundy/machine.hpp>

#include "engines/heap/sparse/code_reader.hpp"
#include "engines/heap/sparse/exclusion.hpp"
#include "engines/heap/sparse/phase_shape.hpp"
#include "engines/heap/sparse/phase_stages.hpp"
#include "engines/heap/sparse/witness.hpp"
#include "kernels/kernels.hpp"

namespace grundy::sparse {
namespace {

constexpr HeapSize kFirstPhase = 4096;  ///< no phase begins before this heap
/// Where the last kCluster rare heaps lie kClose heaps apart or less, a phase begins after kCalm
/// heaps without a rare one; else right behind it.
constexpr HeapSize kCluster = 8, kClose = 32, kCalm = 64;
/// A phase with codes of a byte pays from this many heaps on.
constexpr HeapSize kLeastBytes = 1u << 12;
/// Blocks within the first heaps of a phase go through all stages one by one.
constexpr HeapIndex kAlone = 1024;
/// A block has at most this part of the heaps before it in the phase: one of three in the pipeline,
/// or one that goes alone.
constexpr HeapIndex kPartOfPhase = 16, kPartAlone = 4;
constexpr HeapSize kNever = std::numeric_limits<HeapIndex>::max();

/// The first heap from `begin` on that a move splits into two rare heaps; kNever if there is none.
HeapSize next_sum_of_rare(const SparseTable& table, HeapSize begin) {
  HeapSize next = kNever;
  for (const SplitMove& move : table.moves().splits) {
    for (const HeapSize r : table.rare()) {
      const HeapSize least = begin - std::min(begin, move.take + r);
      const auto partner = std::ranges::lower_bound(table.rare(), least);
      if (partner != table.rare().end()) next = std::min(next, move.take + r + *partner);
    }
  }
  return next;
}

/// Consecutive heaps that no move splits into two rare heaps.
struct SumFreeHeaps {
  HeapSize begin, end;
};

/// The next ones from `begin` on that are enough for a phase. If there are none soon, the result is
/// empty, and the search must go on from there.
SumFreeHeaps next_sum_free(const SparseTable& table, HeapSize begin) {
  constexpr HeapSize kLooked = 1u << 16;
  const HeapSize behind = next_sum_of_rare(table, begin + kLooked);
  std::vector<bool> is_sum(kLooked, false);
  for (const SplitMove& move : table.moves().splits) {
    for (const HeapSize r : table.rare()) {
      const HeapSize least = begin - std::min(begin, move.take + r);
      auto partner = std::ranges::lower_bound(table.rare(), least);
      for (; partner != table.rare().end(); ++partner) {
        const HeapSize sum = move.take + r + *partner;
        if (sum >= begin + kLooked) break;
        is_sum[sum - begin] = true;
      }
    }
  }
  SumFreeHeaps heaps{begin, begin};
  for (HeapSize i = 0; i < kLooked; ++i) {
    if (!is_sum[i]) continue;
    heaps.end = begin + i;
    if (heaps.end - heaps.begin > kLeastBytes) return heaps;
    heaps.begin = heaps.end + 1;
  }
  if (behind - heaps.begin > kLeastBytes) return {heaps.begin, behind};
  return {begin + kLooked, begin + kLooked};
}

/// The phases with codes of type T that share windows.
template <class T>
class FastPhase {
 public:
  FastPhase(const PhaseContext& context, const PhaseShape& shape, Nimber common)
      : context_(context),
        table_(context.table),
        split_(table_.split()),
        shape_(shape),
        common_(common),
        witness_reach_(witness_reach(table_, shape)),
        born_(table_.size()),
        block_(static_cast<HeapIndex>(shape.block)),
        reader_(table_, shape, context.kernels.codes, context.executor),
        keep_(reader_.reach() + 2 * shape.block + room_for_rare()),
        codes_(read_codes()),
        publisher_(table_, shape, context.kernels.codes, codes_) {
    learn();
    make_witness();
    make_exclusion();
  }

  /// Whether a phase of this shape can go on with these windows, which are then made ready.
  bool go_on(const PhaseShape& shape, Nimber common) {
    const HeapSize size = table_.size();
    if (table_.split() != split_ || shape != shape_ || common != common_ ||
        witness_reach(table_, shape) != witness_reach_ || size >= 2 * born_) {
      return false;
    }
    const HeapIndex begin = begin_of(size), unpublished = begin_of(ended_);
    if (begin - unpublished > block_) return false;
    reader_.go_on(static_cast<HeapIndex>(ended_));
    if (reader_.reach() + 2 * shape_.block > keep_) return false;
    codes_.forget(static_cast<HeapIndex>(size));
    codes_.advance(static_cast<HeapIndex>(size));
    reader_.read_below(static_cast<HeapIndex>(size) + block_, codes_);
    if (learn()) {
      make_witness();
    } else {
      witness_->take_open();  // what the blocks that were thrown away left open does not count
      witness_->advance(begin);
      witness_->publish(unpublished, static_cast<std::size_t>(begin - unpublished));
    }
    make_exclusion();
    return true;
  }

  /// @param touched the first heap that must not be decided with these codes
  PhaseEnd run(HeapSize goal, HeapSize touched) {
    const PhaseEnd how = extend(goal, touched);
    ended_ = table_.size();
    return how;
  }

 private:
  /// What a phase knows when it begins.
  struct Course {
    HeapIndex from;     ///< the first heap without a value
    HeapIndex goal;     ///< where the phase ends
    HeapIndex touched;  ///< the first heap that must not be decided with these codes
    Nimber cap;         ///< of codes

    /// Where a block ends if all of its heaps are decided.
    [[nodiscard]] HeapIndex end_of(const HeapRange& block) const noexcept {
      return std::min(block.end, goal);
    }
  };

  PhaseEnd extend(HeapSize goal, HeapSize touched) {
    const HeapIndex start = begin_of(table_.size());
    const Course course{static_cast<HeapIndex>(table_.size()),
                        std::min(static_cast<HeapIndex>(goal), end_of(start)),
                        static_cast<HeapIndex>(touched), publisher_.cap()};
    Proof<T> proof(*witness_, publisher_);
    // Near a rare heap the next one is likely. At first, a block goes through all stages before the
    // next one begins, so that little is lost.
    HeapRange block = block_from(start, start);
    for (; block.end <= start + kAlone; block = block_from(start, block.end)) {
      table_.reserve(static_cast<HeapSize>(block.end));
      exclusion_->begin(block, course.from, course.cap);
      context_.executor.parallel_for(exclusion_->threads(),
                                     [this](std::size_t) { exclusion_->run(); });
      const HeapRange found{block.begin, found_end(course)};
      make_room(block.end);
      publish(found, course.from);
      context_.executor.parallel_for(proof.take(found), [&](std::size_t i) { proof.run(i); });
      table_.extend_to(static_cast<HeapSize>(proof.end()));
      if (proof.end() < course.end_of(block)) return PhaseEnd::kSlowHeap;
      const bool stale = judge_plans(found.heaps());
      if (!context_.keep_going() || stale || block.end >= course.goal) return PhaseEnd::kPlanned;
    }
    return run_pipeline(start, block, course, proof);
  }

  /// Goes on with `block`. The heaps before it are proved.
  PhaseEnd run_pipeline(HeapIndex start, HeapRange block, const Course& course, Proof<T>& proof) {
    const auto done = static_cast<HeapIndex>(table_.size());
    HeapRange found{done, done};      // the block before has codes
    HeapRange published{done, done};  // the block before that has values, but no proof
    bool cut = false;                 // a heap must not be decided with the codes of this phase
    for (bool last = false; !last || !found.empty() || !published.empty();) {
      table_.reserve(static_cast<HeapSize>(block.end));
      bool stopped = false;
      Round round;
      if (!last) {
        exclusion_->begin(block, course.from, course.cap);
        round.finding.add(exclusion_->threads(), [&](std::size_t) { exclusion_->run(); });
      }
      round.proving.add(1, [&](std::size_t) { stopped = !context_.keep_going(); });
      round.proving.add(1, [&](std::size_t) { publish(found, course.from); });
      round.proving.add(proof.take(published), [&](std::size_t i) { proof.run(i); });
      round.run(context_.executor);

      table_.extend_to(static_cast<HeapSize>(proof.end()));
      if (proof.end() < published.end) return PhaseEnd::kSlowHeap;
      const bool stale = judge_plans(published.heaps());
      published = found;
      found = {block.begin, last ? block.begin : found_end(course)};
      if (last) continue;
      make_room(block.end);
      cut |= found.end < course.end_of(block);
      last = stopped || stale || cut || block.end >= course.goal;
      block = block_from(start, block.end);
    }
    return cut ? PhaseEnd::kSlowHeap : PhaseEnd::kPlanned;
  }

  /// The end of the block, or the first heap of it that is not decided.
  [[nodiscard]] HeapIndex found_end(const Course& course) const noexcept {
    return std::min({exclusion_->end(), course.touched, course.goal});
  }
  /// Makes room for the block that follows heap `end`.
  void make_room(HeapIndex end) {
    codes_.advance(end);
    reader_.read_below(end + block_, codes_);
    witness_->advance(end);
  }

  /// A block begins at a multiple of 64. Its first heaps may have values.
  [[nodiscard]] static HeapIndex begin_of(HeapSize size) noexcept {
    return static_cast<HeapIndex>(size / 64 * 64);
  }
  /// The block that begins at heap `begin` of a phase that began at heap `start`. Blocks grow with
  /// the phase: three of them are lost when it ends at a rare heap. One ends where the phase does.
  [[nodiscard]] HeapRange block_from(HeapIndex start, HeapIndex begin) const noexcept {
    const HeapIndex part = begin - start < kAlone ? kPartAlone : kPartOfPhase;
    const HeapIndex wanted = (begin - start) / part / 64 * 64;
    const HeapIndex end = begin + std::clamp<HeapIndex>(wanted, 64, block_);
    return {begin, begin < end_of(start) ? std::min(end, end_of(start)) : end};
  }
  /// Where a phase ends whose first block begins at heap `start`: when the table has doubled, and a
  /// little later, because many tables have a power of two of heaps and need no other phase then.
  [[nodiscard]] static HeapIndex end_of(HeapIndex start) noexcept { return 2 * start + 128; }
  /// How much farther back the window reaches than it must. Where a rare heap is late, others may
  /// follow, and each one is a tap that looks back to the first heaps.
  [[nodiscard]] HeapSize room_for_rare() const noexcept {
    const auto& rare = table_.rare();
    return !rare.empty() && rare.back() > born_ / 2 ? born_ / 4 : 0;
  }
  /// The window of codes, with those that the first block looks back to.
  SlidingWindow<T> read_codes() {
    const auto begin = static_cast<HeapIndex>(born_);
    SlidingWindow<T> codes(begin, keep_, shape_.block, kNoCode<T>);
    reader_.read_below(begin + block_, codes);
    return codes;
  }

  [[nodiscard]] bool pairs_mark() const noexcept {
    return sizeof(T) > 1 && !rows_pay(common_, shape_.code_limit);
  }
  /// Learns what the proof needs. Returns whether the witness must be made anew.
  bool learn() {
    if (pairs_mark()) return context_.taps.update_pairs(table_, shape_, context_.executor);
    context_.plans.update<T>(table_, shape_, context_.kernels, context_.executor);
    return false;
  }
  /// Makes what proves codes, for heaps from the end of the table on.
  void make_witness() {
    const HeapIndex begin = begin_of(table_.size());
    if constexpr (sizeof(T) > 1) {
      if (pairs_mark()) {
        witness_ = make_plane_witness(table_, shape_, context_.kernels, context_.taps.of_pairs(),
                                      common_, codes_, begin);
        return;
      }
    }
    witness_ =
        make_row_witness(table_, shape_, context_.kernels, context_.plans.witness(), codes_, begin);
  }
  /// Makes what finds codes, with the taps that the table has now.
  void make_exclusion() {
    if constexpr (sizeof(T) == 1) {
      if (words_pay(table_, shape_.code_limit)) {
        exclusion_ = make_word_exclusion(table_, shape_, context_.kernels, codes_,
                                         context_.executor.threads());
        return;
      }
    }
    context_.taps.update_rare(table_, shape_, common_, sizeof(T), context_.executor);
    exclusion_ =
        make_plane_exclusion(table_, shape_, context_.kernels, context_.taps.of_rare(sizeof(T)),
                             common_, codes_, context_.executor.threads());
  }

  /// Judges the plans, if they are in use, by the heaps that were proved; true if they are stale.
  bool judge_plans(std::size_t proved) {
    const std::optional<std::uint64_t> open = witness_->take_open();
    if (!open) return false;
    PlanJudge& judge = context_.plans.judge();
    judge.note(proved, *open);
    return judge.finds_stale();
  }

  void publish(const HeapRange& found, HeapIndex from) noexcept {
    if (found.empty()) return;
    publisher_.publish(found, from);
    witness_->publish(found.begin, found.heaps());
  }

  const PhaseContext& context_;
  SparseTable& table_;
  const Split split_;
  const PhaseShape shape_;
  const Nimber common_;           ///< nearly all heaps have codes below it
  const HeapSize witness_reach_;  ///< witness_reach()
  const HeapSize born_;           ///< the size of the table when the first of these phases began
  HeapSize ended_ = 0;            ///< when the last one had ended
  const HeapIndex block_;         ///< the most heaps of a block
  CodeReader<T> reader_;
  const HeapSize keep_;  ///< how far back the window reaches
  SlidingWindow<T> codes_;
  Publisher<T> publisher_;
  std::unique_ptr<Witness<T>> witness_;
  std::unique_ptr<Exclusion<T>> exclusion_;
};

}  // namespace

struct FastWay::Phases {
  std::variant<std::monostate, FastPhase<std::uint8_t>, FastPhase<std::uint16_t>> latest;

  template <class T>
  PhaseEnd run(const PhaseContext& context, const PhaseShape& shape, Nimber common, HeapSize goal,
               HeapSize touched) {
    auto* phase = std::get_if<FastPhase<T>>(&latest);
    if (phase == nullptr || !phase->go_on(shape, common)) {
      latest.template emplace<std::monostate>();  // so that there are never two windows
      phase = &latest.template emplace<FastPhase<T>>(context, shape, common);
    }
    return phase->run(goal, touched);
  }
};

FastWay::FastWay(const PhaseContext& context)
    : context_(context), phases_(std::make_unique<Phases>()) {}
FastWay::~FastWay() = default;

bool FastWay::is_open() const {
  const SparseTable& table = context_.table;
  const HeapSize n = table.size();
  const HeapSize take = table.moves().largest_take;
  const std::vector<HeapSize>& rare = table.rare();
  const HeapSize last = rare.empty() ? 0 : rare.back();
  if (n < kFirstPhase || n <= 8 * take || table.split().mask == 0) return false;
  const Nimber limit = code_limit_of(table);
  const bool many = rare.size() > kCluster && n - rare[rare.size() - kCluster] < kCluster * kClose;
  // The nearest taps of words must not lead to heaps without a code.
  const HeapSize calm = many || words_pay(table, limit) ? kCalm : 0;
  return limit <= kMostCodes && n - last > take + calm;
}

PhaseEnd FastWay::run(HeapSize goal) {
  const SparseTable& table = context_.table;
  const Nimber limit = code_limit_of(table);
  const Nimber common = context_.taps.common_codes(table, limit);
  const PhaseShape shape = shape_of(table, common, context_.block);
  if (limit <= kNoCode<std::uint8_t>)
    return phases_->run<std::uint8_t>(context_, shape, common, goal, kNever);
  HeapSize wide_to = goal;
  if (limit <= 256) {
    // All bytes are codes, so no byte can stand for a rare heap. Then no rare heap may be a
    // partner: of a tap, or in a pair of common heaps.
    const HeapSize last_rare = table.rare().empty() ? 0 : table.rare().back();
    const HeapSize out_of_pairs = last_rare + shape.lookback + table.moves().largest_take + 64;
    wide_to = std::min(goal, out_of_pairs);
    if (table.size() >= out_of_pairs) {
      const SumFreeHeaps heaps = next_sum_free(table, table.size());
      if (heaps.begin == table.size())
        return phases_->run<std::uint8_t>(context_, shape, common, goal, heaps.end);
      wide_to = std::min(goal, heaps.begin);
    }
  }
  return phases_->run<std::uint16_t>(context_, shape, common, wide_to, kNever);
}

}  // namespace grundy::sparse
