// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/engine.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "engines/heap/pass.hpp"
#include "engines/heap/sparse/fast_phase.hpp"
#include "engines/heap/sparse/table.hpp"
#include "engines/heap/two_heap_moves.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

using sparse::SparseTable;
using sparse::Split;

constexpr HeapSize kFirstSplit = 256;         ///< number of heaps for the first choice of a split
constexpr HeapSize kTrial = 1u << 14;         ///< heaps that decide whether a split is useful
constexpr HeapSize kFirstBlock = 256;         ///< heaps of the first block that is handed out
constexpr HeapSize kLargestBlock = 1u << 13;  ///< later blocks grow with the table up to this
constexpr std::uint64_t kPhaseBytes = 24u << 20;  ///< the most bytes for codes, bit rows and plans
constexpr std::uint64_t kPhaseBytesPerHeap = 64;  ///< fewer bytes if the table is short

/// Keeps the split of a table up to date.
class SplitKeeper {
 public:
  SplitKeeper(SparseTable& table, const std::optional<Split>& forced)
      : table_(table), forced_(forced) {
    if (table.size() > 0 && table.complete()) choose();
  }

  /// Must be called after every step of the slow way.
  void update() {
    const bool new_bit = table_.value_limit() > value_limit_ && table_.split().mask != 0;
    const bool due = table_.size() >= next_ && table_.rare().size() > rare_ + rare_ / 8;
    if ((new_bit || due) && table_.complete()) choose();
  }

 private:
  void choose() {
    const Split split =
        forced_ ? *forced_ : sparse::choose_split(table_.moves(), table_.values()).split;
    if (split != table_.split() || value_limit_ == 0) table_.set_split(split);
    value_limit_ = table_.value_limit();
    rare_ = table_.rare().size();
    next_ = std::max(2 * next_, table_.size());
  }

  SparseTable& table_;
  const std::optional<Split>& forced_;
  HeapSize next_ = kFirstSplit;  ///< no choice before this heap, unless values reach a new bit
  Nimber value_limit_ = 0;       ///< at the last choice
  HeapSize rare_ = 0;            ///< at the last choice
};

/// Hands finished heaps to the sink.
class Emitter {
 public:
  /// Values that are already in the table are not handed out.
  /// @param most the most heaps of a block
  Emitter(const HeapTask& task, const SparseTable& table, HeapSize most, ValueSink& sink)
      : task_(task), table_(table), largest_(most), sink_(sink), emitted_(table.size()) {}

  /// Hands out whole blocks, and the rest at the end. Returns whether to go on.
  bool emit() {
    while (!status_) {
      const HeapSize block = task_.block.value_or(std::clamp(emitted_, kFirstBlock, largest_));
      const HeapSize end = emitted_ + std::min(block, task_.count - emitted_);
      if (end > table_.size()) break;
      const Values values = table_.window().values(emitted_, end - emitted_);
      const Values known = table_.complete() ? table_.window().values(0, end) : Values();
      const SparseFacts facts = facts_below(end);
      const std::span rare = std::span(table_.rare()).first(facts.rare);
      Stretch stretch{emitted_, values, known, &facts, rare};
      if (!table_.complete()) {
        const HeapSize begin = table_.window().begin();
        stretch.newest = table_.window().values(begin, end - begin);
        stretch.first = table_.window().values(0, table_.window().first_end());
      }
      const Flow flow = sink_.put(stretch);
      emitted_ = end;
      if (task_.progress != nullptr) {
        task_.progress->report(
            {end, task_.count, static_cast<double>(end) / static_cast<double>(task_.count)});
      }
      if (end == task_.count) {
        status_ = RunStatus::kComplete;
      } else if (flow == Flow::kStop) {
        status_ = RunStatus::kStoppedBySink;
      } else if (task_.stop.stop_requested()) {
        status_ = RunStatus::kCancelled;
      }
    }
    return !status_;
  }
  [[nodiscard]] RunStatus status() const { return status_.value(); }

 private:
  [[nodiscard]] SparseFacts facts_below(HeapSize end) const {
    const auto& rare = table_.rare();
    const auto above = std::ranges::lower_bound(rare, end);
    const HeapSize last = above == rare.begin() ? 0 : *std::prev(above);
    return {.mask = table_.split().mask,
            .parity = table_.split().parity,
            .rare = static_cast<std::uint64_t>(above - rare.begin()),
            .last_rare = last,
            .depth = std::max(last, table_.depth()),
            .count = end};
  }

  const HeapTask& task_;
  const SparseTable& table_;
  const HeapSize largest_;
  ValueSink& sink_;
  HeapSize emitted_;
  std::optional<RunStatus> status_;
};

}  // namespace

std::string SparseEngine::refusal(const HeapRule& rule) const {
  if (sparse::splitting_moves(rule)) return {};
  return "it is not a finite code with moves that split a heap into at most two";
}

std::string SparseEngine::doubt(const HeapRule& rule) const {
  if (forced_) return {};
  const std::optional<TwoHeapMoves> moves = sparse::splitting_moves(rule);
  SparseTable table(moves.value(), select_kernels("auto"));
  SplitKeeper keeper(table, forced_);
  // Rare heaps that are many in one octave may be few in the next one.
  for (HeapSize trial = kTrial / 2;; trial *= 2) {
    while (table.size() < trial) {
      table.append();
      keeper.update();
    }
    const HeapSize recent = sparse::recent_rare(table.rare(), trial);
    if (!sparse::too_many_rare(recent, trial)) return {};
    if (trial == kTrial) {
      return fmt::format(
          "rare heaps do not become few: of heaps {} to {}, {} are rare under the "
          "best split of its values",
          trial / 2, trial - 1, recent);
    }
  }
}

std::uint64_t SparseEngine::memory_bytes(const HeapRule& /*rule*/, HeapSize count,
                                         Nimber max_value) const {
  return count * byte_count(width_for(max_value)) +
         std::min(kPhaseBytes, kPhaseBytesPerHeap * count);
}

HeapSize SparseEngine::kept_heaps(HeapSize count, std::uint64_t rare,
                                  HeapSize looked_back) const noexcept {
  return std::min(count, SparseTable::most_kept(window_, rare, looked_back));
}

RunStatus SparseEngine::run(const HeapTask& task, ValueSink& sink) const {
  if (task.count == 0) return RunStatus::kComplete;
  if (pass_is_ahead(task)) return run_behind_pass(*this, task, sink);
  const std::optional<TwoHeapMoves> moves = sparse::splitting_moves(task.rule);
  const HeapSize largest = SparseTable::largest_block(window_);
  const bool constant = !task.keep_table && task.block.value_or(0) <= largest;
  SparseTable table(moves.value(), task.kernels, constant ? std::optional(window_) : std::nullopt,
                    task.recall);
  table.load(task);
  SplitKeeper keeper(table, forced_);
  Emitter emitter(task, table, constant ? std::min(kLargestBlock, largest) : kLargestBlock, sink);
  const HeapSize block = task.block.value_or(task.count);
  sparse::LearnedPlans plans;
  sparse::LearnedTaps taps;
  const sparse::PhaseContext context{
      table, task.kernels, task.executor, plans, taps, block, [&] { return emitter.emit(); }};
  sparse::FastWay fast_way(context);
  auto last = sparse::PhaseEnd::kPlanned;
  while (emitter.emit()) {
    if (last == sparse::PhaseEnd::kPlanned && fast_way.is_open()) {
      last = fast_way.run(task.count);
    } else {
      table.append();
      last = sparse::PhaseEnd::kPlanned;
    }
    keeper.update();
  }
  return emitter.status();
}

}  // namespace grundy
