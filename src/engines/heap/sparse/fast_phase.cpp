// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/fast_phase.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
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
/// A phase with codes of a byte pays from this many heaps on.
constexpr HeapSize kLeastBytes = 1u << 12;
constexpr HeapIndex kFirstBlock = 128;  ///< the least number of heaps of a block, if there is room
/// A later block has at most this part of the heaps before it in the phase.
constexpr HeapIndex kPartOfPhase = 16;
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

/// The objects that find codes in a phase and prove them.
template <class T>
struct Method {
  std::unique_ptr<Exclusion<T>> exclusion;
  std::unique_ptr<Witness<T>> witness;
};

template <class T>
Method<T> make_method(const PhaseContext& context, const PhaseShape& shape, Nimber common,
                      SlidingWindow<T>& codes) {
  const SparseTable& table = context.table;
  const KernelSet& kernels = context.kernels;
  const auto begin = static_cast<HeapIndex>(table.size());
  Method<T> method;
  if constexpr (sizeof(T) > 1) {
    if (!rows_pay(common, shape.code_limit)) {
      context.taps.update_pairs(table, shape, context.executor);
      method.witness =
          make_plane_witness(table, shape, kernels, context.taps.of_pairs(), common, codes, begin);
    }
  }
  if (!method.witness) {
    context.plans.update<T>(table, shape, kernels, context.executor);
    method.witness = make_row_witness(table, shape, kernels, context.plans.witness(), codes, begin);
  }
  if constexpr (sizeof(T) == 1) {
    if (words_pay(table, shape.code_limit)) {
      method.exclusion = make_word_exclusion(table, shape, kernels, codes);
      return method;
    }
  }
  context.taps.update_rare(table, shape, common, sizeof(T), context.executor);
  method.exclusion = make_plane_exclusion(table, shape, kernels.taps,
                                          context.taps.of_rare(sizeof(T)), common, codes);
  return method;
}

/// A phase with codes of type T.
template <class T>
class FastPhase {
 public:
  FastPhase(const PhaseContext& context, const PhaseShape& shape, Nimber common)
      : context_(context),
        table_(context.table),
        block_(static_cast<HeapIndex>(shape.block)),
        reader_(table_, shape, context.kernels.codes, context.executor),
        codes_(read_codes(shape)),
        publisher_(table_, shape, context.kernels.codes, codes_),
        method_(make_method(context, shape, common, codes_)),
        proof_(*method_.witness, publisher_) {}

  /// @param touched the first heap that must not be decided with these codes
  PhaseEnd run(HeapSize goal, HeapSize touched) {
    const auto start = static_cast<HeapIndex>(table_.size());
    const Nimber cap = publisher_.cap();
    HeapRange block = block_from(start, start);  // it is chained in this round
    context_.executor.parallel_for(method_.exclusion->far_parts(block),
                                   [&](std::size_t i) { method_.exclusion->far(block, i); });
    HeapRange chained{start, start};    // the block before has codes
    HeapRange published{start, start};  // the block before that has values, but no proof
    bool cut = false;                   // a heap must not be decided with the codes of this phase
    for (bool last = false; !last || !chained.empty() || !published.empty();) {
      table_.reserve(static_cast<HeapSize>(block.end));
      const HeapRange next = block_from(start, block.end);
      HeapIndex end = block.begin;
      bool stopped = false;
      Round round;
      if (!last) {
        round.finding.add(1, [&](std::size_t) {
          end = std::min(method_.exclusion->chain(block, cap), static_cast<HeapIndex>(touched));
        });
        round.finding.add(method_.exclusion->far_parts(next),
                          [&](std::size_t i) { method_.exclusion->far(next, i); });
      }
      round.proving.add(1, [&](std::size_t) { stopped = !context_.keep_going(); });
      round.proving.add(1, [&](std::size_t) { publish(chained); });
      round.proving.add(proof_.take(published), [&](std::size_t i) { proof_.run(i); });
      round.run(context_.executor);

      table_.extend_to(static_cast<HeapSize>(proof_.end()));
      if (proof_.end() < published.end) return PhaseEnd::kSlowHeap;
      const bool stale = judge_plans(published.heaps());
      published = chained;
      chained = {block.begin, end};
      if (last) continue;
      codes_.advance(block.end);
      reader_.read_below(block.end + 2 * block_, codes_);
      method_.witness->advance(block.end);
      cut |= end < block.end;
      last = stopped || stale || cut || block.end >= static_cast<HeapIndex>(goal) ||
             block.end >= end_of(start);
      block = next;
    }
    return cut ? PhaseEnd::kSlowHeap : PhaseEnd::kPlanned;
  }

 private:
  /// The block that begins at heap `begin` of a phase that began at heap `start`. Blocks grow with
  /// the phase: three of them are lost when it ends at a rare heap. One ends where the phase does.
  [[nodiscard]] HeapRange block_from(HeapIndex start, HeapIndex begin) const noexcept {
    const HeapIndex wanted = (begin - start) / kPartOfPhase / 64 * 64;
    const HeapIndex end = begin + std::clamp(wanted, std::min(kFirstBlock, block_), block_);
    return {begin, begin < end_of(start) ? std::min(end, end_of(start)) : end};
  }
  /// Where a phase ends that began at heap `start`: when the table has doubled, and 64 heaps later,
  /// because many tables have a power of two of heaps and need no other phase then.
  [[nodiscard]] static HeapIndex end_of(HeapIndex start) noexcept { return 2 * start + 64; }
  /// The window of codes, with those that the first two blocks look back to.
  SlidingWindow<T> read_codes(const PhaseShape& shape) {
    const auto begin = static_cast<HeapIndex>(table_.size());
    SlidingWindow<T> codes(begin, reader_.reach(), 2 * shape.block, kNoCode<T>);
    reader_.read_below(begin + 2 * block_, codes);
    return codes;
  }

  /// Judges the plans, if they are in use, by the heaps that were proved in this round; true if
  /// they are stale.
  bool judge_plans(std::size_t proved) {
    const std::optional<std::uint64_t> open = method_.witness->take_open();
    if (!open) return false;
    PlanJudge& judge = context_.plans.judge();
    judge.note(proved, *open);
    return judge.finds_stale();
  }

  void publish(const HeapRange& chained) noexcept {
    if (chained.empty()) return;
    publisher_.publish(chained);
    method_.witness->publish(chained.begin, chained.heaps());
  }

  const PhaseContext& context_;
  SparseTable& table_;
  const HeapIndex block_;  ///< the most heaps of a block
  CodeReader<T> reader_;
  SlidingWindow<T> codes_;
  Publisher<T> publisher_;
  Method<T> method_;
  Proof<T> proof_;
};

}  // namespace

bool fast_phase_ready(const SparseTable& table) {
  const HeapSize n = table.size();
  const HeapSize take = table.moves().largest_take;
  const HeapSize last = table.rare().empty() ? 0 : table.rare().back();
  return n >= kFirstPhase && n % 64 == 0 && n > 8 * take && n - last > take + 64 &&
         table.split().mask != 0 && code_limit_of(table) <= kMostCodes;
}

PhaseEnd run_fast_phase(const PhaseContext& context, HeapSize goal) {
  const SparseTable& table = context.table;
  const Nimber limit = code_limit_of(table);
  const Nimber common = context.taps.common_codes(table, limit);
  const PhaseShape shape = shape_of(table, common, context.block, context.executor.threads());
  if (limit <= kNoCode<std::uint8_t>)
    return FastPhase<std::uint8_t>(context, shape, common).run(goal, kNever);
  HeapSize wide_to = goal;
  if (limit <= 256) {
    // All bytes are codes, so no byte can stand for a rare heap. Then no rare heap may be a
    // partner: of a tap, or in a pair of common heaps.
    const HeapSize last_rare = table.rare().empty() ? 0 : table.rare().back();
    const HeapSize out_of_pairs = last_rare + shape.lookback + table.moves().largest_take + 64;
    const SumFreeHeaps heaps = next_sum_free(table, std::max(table.size(), out_of_pairs));
    if (heaps.begin == table.size())
      return FastPhase<std::uint8_t>(context, shape, common).run(goal, heaps.end);
    wide_to = std::min(goal, heaps.begin);
  }
  return FastPhase<std::uint16_t>(context, shape, common).run(wide_to, kNever);
}

}  // namespace grundy::sparse
