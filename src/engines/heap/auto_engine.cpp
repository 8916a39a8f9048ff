// SPDX-License-Identifier: MIT
#include "engines/heap/auto_engine.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "core/value_collector.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/engine_costs.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/sparse/engine.hpp"

namespace grundy {
namespace {

/// Heaps of a trial, if fewer values are known: one part in so many of all, within these bounds.
constexpr HeapSize kTrialShare = 32;
constexpr HeapSize kLeastTrial = 1u << 9;
constexpr HeapSize kMostTrial = 1u << 13;
constexpr HeapSize kLookEvery = 4;  ///< the table grows by one part in so many between looks
/// Nanoseconds that an engine needs for each value that it takes up.
constexpr double kTakeUp = 20;

const HeapEngine& engine_of(HeapMethod method) noexcept {
  return method == HeapMethod::kSparse ? static_cast<const HeapEngine&>(kSparseEngine)
                                       : kDenseEngine;
}

HeapMethod other(HeapMethod method) noexcept {
  return method == HeapMethod::kSparse ? HeapMethod::kDense : HeapMethod::kSparse;
}

HeapSize trial_of(HeapSize count) noexcept {
  return std::clamp(count / kTrialShare, kLeastTrial, kMostTrial);
}

/// The load of the values that are known already.
SparseLoad load_of(const KnownValues& known, const TwoHeapMoves& moves) {
  LoadMeter meter(known.count());
  SinkOf sink([&](const Stretch& block) { meter.add(block.begin, block.values); });
  known.replay(sink);
  return meter.load(moves);
}

/// The load of the first heaps, which are computed for that. Short tables are computed by rare
/// heaps in no time unless these are many; then the trial is short.
SparseLoad load_of_trial(const HeapTask& task, const TwoHeapMoves& moves) {
  const HeapSize count = std::min(task.count, trial_of(task.count));
  const HeapTask trial{task.rule, count, task.kernels, task.executor, task.stop};
  ValueCollector sample;
  SinkOf sink([&](const Stretch& block) {
    sample.put(block);
    const HeapSize recent = sparse::recent_rare(block.rare, block.end());
    const bool too_many = sparse::too_many_rare(recent, block.end());
    return block.end() >= kLeastTrial && too_many ? Flow::kStop : Flow::kContinue;
  });
  kSparseEngine.run(trial, sink);
  return measure_load(moves, std::span<const Nimber>(sample.values));
}

/// Passes on the blocks of one engine after the other, and says when the other should take over.
class Watch final : public ValueSink {
 public:
  Watch(const HeapTask& task, const TwoHeapMoves& moves, const std::vector<HeapSize>& changes,
        ValueSink& sink)
      : task_(task), moves_(moves), changes_(changes), sink_(sink) {}

  Flow put(const Stretch& block) override {
    inheritance_.reset();  // the engine at work has taken it
    const HeapSize end = block.begin + block.values.size();
    if (end <= delivered_) return Flow::kContinue;
    const Stretch part = block.from(delivered_);
    delivered_ = end;
    if (sink_.put(part) == Flow::kStop) return Flow::kStop;
    if (task_.stop.stop_requested() || end == task_.count) return Flow::kContinue;
    if (block.table.size() != end) return Flow::kContinue;  // values have been let go
    if (!should_change(block)) return Flow::kContinue;
    const HeapSize whole = end - end % KnownValues::kUnit;
    inheritance_ = std::make_unique<HeldValues>(block.table.subspan(0, whole));
    return Flow::kStop;
  }

  /// Makes the first choice. @param seen heaps that it was made on
  void choose(const MethodChoice& choice, HeapSize seen) {
    choice_ = choice;
    const HeapSize from = task_.known != nullptr ? task_.known->count() : 0;
    set_next_look(std::max(from, seen));
    announce(from);
  }
  [[nodiscard]] HeapMethod method() const noexcept { return choice_.method; }
  /// What the next engine begins with, if the last was stopped so that another takes over.
  [[nodiscard]] const KnownValues* inheritance() const noexcept { return inheritance_.get(); }

 private:
  /// Whether the other engine should go on after this block.
  bool should_change(const Stretch& block) {
    const HeapSize end = block.table.size();
    if (!changes_.empty()) {
      if (next_change_ == changes_.size() || end < changes_[next_change_]) return false;
      ++next_change_;
      choice_ = {other(choice_.method), "a test asked for it"};
    } else {
      if (end < next_look_) return false;
      set_next_look(end);
      MethodChoice choice = choose_method(moves_, load_after(block), method());
      if (choice.method == method()) return false;
      const double left = static_cast<double>(task_.count - end);
      if (left * choice.advantage < kTakeUp * static_cast<double>(end)) return false;
      choice_ = std::move(choice);
    }
    announce(end - end % KnownValues::kUnit);
    return true;
  }

  void set_next_look(HeapSize end) noexcept { next_look_ = end + end / kLookEvery; }

  /// The engine `sparse` knows its load; after another one values have to be counted.
  [[nodiscard]] SparseLoad load_after(const Stretch& block) const {
    if (block.sparse == nullptr) return measure_load(moves_, block.table);
    const HeapSize end = block.table.size();
    return {.heap = end,
            .rare = block.rare.size(),
            .recent = sparse::recent_rare(block.rare, end),
            .value_limit = std::bit_ceil(block.sparse->mask + 1)};
  }

  void announce(HeapSize from) const {
    if (!task_.on_choice) return;
    task_.on_choice({from, std::string(engine_of(choice_.method).name()), choice_.reason});
  }

  const HeapTask& task_;
  const TwoHeapMoves& moves_;
  const std::vector<HeapSize>& changes_;
  ValueSink& sink_;
  MethodChoice choice_;
  HeapSize delivered_ = 0;
  HeapSize next_look_ = 0;
  std::size_t next_change_ = 0;
  std::unique_ptr<HeldValues> inheritance_;
};

}  // namespace

std::string AutoEngine::refusal(const HeapRule& rule) const {
  return sparse::splitting_moves(rule) ? kDenseEngine.refusal(rule)
                                       : "it has no moves that a sparse space could help";
}

std::uint64_t AutoEngine::memory_bytes(const HeapRule& rule, HeapSize count,
                                       Nimber max_value) const {
  return count * byte_count(width_for(max_value)) +  // while another engine takes over
         std::max(kDenseEngine.memory_bytes(rule, count, max_value),
                  kSparseEngine.memory_bytes(rule, count, max_value));
}

RunStatus AutoEngine::run(const HeapTask& task, ValueSink& sink) const {
  if (task.count == 0) return RunStatus::kComplete;
  const TwoHeapMoves moves = sparse::splitting_moves(task.rule).value();
  const bool known = task.known != nullptr && task.known->count() >= trial_of(task.count);
  Watch watch(task, moves, changes_, sink);
  if (task.known != nullptr && task.known->gap() != nullptr) {
    watch.choose({HeapMethod::kSparse, "another one would need values that are gone"},
                 task.known->count());
  } else {
    const SparseLoad load = known ? load_of(*task.known, moves) : load_of_trial(task, moves);
    watch.choose(choose_method(moves, load), load.heap);
  }

  HeapTask part = task;
  for (;;) {
    const RunStatus status = engine_of(watch.method()).run(part, watch);
    if (watch.inheritance() == nullptr) return status;
    part.known = watch.inheritance();
  }
}

}  // namespace grundy
