// SPDX-License-Identifier: MIT
#include "engines/heap/auto_engine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "core/stopwatch.hpp"
#include "core/value_collector.hpp"
#include "engines/heap/cost_forecast.hpp"
#include "engines/heap/dense/engine.hpp"
#include "engines/heap/engine_costs.hpp"
#include "engines/heap/known_values.hpp"
#include "engines/heap/pass.hpp"
#include "engines/heap/sparse/engine.hpp"

namespace grundy {
namespace {

/// A trial has this part of all heaps, within these bounds, if fewer values are known.
constexpr HeapSize kTrialShare = 32;
constexpr HeapSize kLeastTrial = 1u << 9;
constexpr HeapSize kMostTrial = 1u << 13;
/// Between two looks, the table grows by this part, or the time of the run does if that comes
/// sooner; at least a second passes.
constexpr HeapSize kLookEvery = 4;
constexpr double kLeastSeconds = 1;
/// A shorter processor time says nothing about the pace of an engine.
constexpr double kLeastMeasured = 0.05;
/// Nanoseconds that an engine needs to begin behind the work of another one, and for each value
/// that it takes over.
constexpr double kTakeOver = 2e5;
constexpr double kTakeUp = 20;
/// In the first heaps of a table all pairs must be cheaper than rare heaps by this factor to be
/// chosen: in octaves to come there are more pairs and fewer new rare heaps, and a change costs
/// time.
constexpr double kFirstAdvantage = 3.5;
constexpr HeapSize kFirstHeaps = 1u << 12;

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

/// The load of the known values.
SparseLoad load_of(const KnownValues& known, const TwoHeapMoves& moves) {
  LoadMeter meter(known.count());
  SinkOf sink([&](const Stretch& block) { meter.add(block.begin, block.values); });
  known.replay(sink);
  return meter.load(moves);
}

/// The load of the first heaps, which are computed for this purpose. In short tables all pairs take
/// hardly any time.
SparseLoad load_of_trial(const HeapTask& task, const TwoHeapMoves& moves) {
  const HeapSize count = std::min(task.count, trial_of(task.count));
  ValueCollector sample;
  kDenseEngine.run({task.rule, count, task.kernels, task.executor, task.stop}, sample);
  return measure_load(moves, std::span<const Nimber>(sample.values));
}

/// Reports the progress of a run, measured in the work of the cost model.
class ModelProgress final : public ProgressSink {
 public:
  explicit ModelProgress(const HeapTask& task) : task_(task) {}

  /// From now on, forecasts the cost of the heaps after those of the load.
  /// @param chooses whether the other method may take over
  void foretell(const TwoHeapMoves& moves, const SparseLoad& load, HeapMethod at_work,
                bool chooses) {
    done_ = work_before(load.heap);
    from_ = load.heap;
    settles_.emplace(moves, load, at_work, chooses, task_.count, RareGrowth::kSettles);
    goes_on_.emplace(moves, load, at_work, chooses, task_.count, RareGrowth::kGoesOn);
  }
  /// The work of the heaps below `end`, in nanoseconds of the model. @pre heaps from `end` on were
  /// forecast, or there is no forecast
  [[nodiscard]] double work_before(HeapSize end) const {
    return settles_ ? done_ + settles_->cost(from_, end) : 0;
  }
  void report(const Progress& progress) override {
    if (task_.progress == nullptr) return;
    if (!settles_) return task_.progress->report(progress);
    // The geometric mean of the two forecasts.
    const double left = std::sqrt(settles_->cost(progress.done, task_.count) *
                                  goes_on_->cost(progress.done, task_.count));
    const double done = work_before(progress.done);
    task_.progress->report({progress.done, progress.total, done, done + left});
  }

 private:
  const HeapTask& task_;
  HeapSize from_ = 0;
  double done_ = 0;  ///< work of the heaps below from_
  std::optional<CostForecast> settles_, goes_on_;
};

/// Passes on the blocks of one engine after another, and decides when the other engine should take
/// over.
class Watch final : public ValueSink {
 public:
  Watch(const HeapTask& task, const TwoHeapMoves& moves, const std::vector<HeapSize>& changes,
        const std::function<double()>& clock, ValueSink& sink)
      : task_(task),
        moves_(moves),
        changes_(changes),
        clock_(clock),
        sink_(sink),
        progress_(task),
        pace_(heard(task.known != nullptr ? task.known->slowness() : EngineSlowness())) {}

  Flow put(const Stretch& block) override {
    inheritance_.reset();  // the engine at work has taken it over
    const HeapSize end = block.begin + block.values.size();
    if (end <= delivered_) return Flow::kContinue;
    const Stretch part = block.from(delivered_);
    delivered_ = end;
    if (sink_.put(part) == Flow::kStop) return Flow::kStop;
    if (task_.stop.stop_requested() || end == task_.count) return Flow::kContinue;
    if (!should_change(block)) return Flow::kContinue;
    const HeapSize whole = end - end % KnownValues::kUnit;
    inheritance_ = std::make_unique<HeldValues>(block.table.subspan(0, whole));
    return Flow::kStop;
  }

  /// Makes the first choice from a load, as if `at_work` were at work.
  void choose(const SparseLoad& load, std::optional<HeapMethod> at_work) {
    if (!at_work && load.heap < kFirstHeaps) at_work = HeapMethod::kSparse;
    choose(method_for(load, at_work), load);
  }
  /// Makes the first choice. @param load the load that it is based on, if there is one
  void choose(const MethodChoice& choice, const std::optional<SparseLoad>& load) {
    choice_ = choice;
    const HeapSize from = task_.known != nullptr ? task_.known->count() : 0;
    if (load) {
      set_next_look(std::max(from, load->heap));
      progress_.foretell(moves_, *load, method(), true);
    }
    announce(from);
  }
  [[nodiscard]] HeapMethod method() const noexcept { return choice_.method; }
  /// The values that the next engine begins with, if the last one was stopped so that another takes
  /// over.
  [[nodiscard]] const KnownValues* inheritance() const noexcept { return inheritance_.get(); }
  [[nodiscard]] ProgressSink& progress() noexcept { return progress_; }

 private:
  /// Whether the other engine should go on after this block.
  bool should_change(const Stretch& block) {
    const HeapSize end = block.end();
    const bool let_go = block.table.size() != end;  // no other engine can go on
    if (!changes_.empty()) {
      if (let_go || next_change_ == changes_.size() || end < changes_[next_change_]) return false;
      ++next_change_;
      choice_ = {other(choice_.method), "a test asked for it"};
    } else {
      if (!look_is_due(end) || (let_go && block.sparse == nullptr)) return false;
      const SparseLoad load = load_after(block);
      note_pace(end);
      set_next_look(end);
      MethodChoice choice = method_for(load, method());
      const bool changes = !let_go && choice.method != method() && pays(choice, load);
      progress_.foretell(moves_, load, changes ? choice.method : method(), !let_go);
      if (!changes) return false;
      choice_ = std::move(choice);
    }
    announce(end - end % KnownValues::kUnit);
    return true;
  }

  [[nodiscard]] MethodChoice method_for(const SparseLoad& load,
                                        std::optional<HeapMethod> at_work) const {
    const bool first = load.heap < kFirstHeaps && at_work == HeapMethod::kSparse;
    return choose_method(moves_, load, at_work, pace_.slowness(),
                         first ? kFirstAdvantage : kAdvantage);
  }

  [[nodiscard]] bool look_is_due(HeapSize end) const {
    return end >= next_look_ ||
           time_.seconds() > looked_ + std::max(looked_ / kLookEvery, kLeastSeconds);
  }

  /// Whether the heaps that are left repay what it costs to take over.
  [[nodiscard]] bool pays(const MethodChoice& choice, const SparseLoad& load) const {
    const double done = static_cast<double>(load.heap);
    const double left = static_cast<double>(task_.count - load.heap);
    double cost = kTakeOver + kTakeUp * done;
    // Less than an octave must bear the learning of a whole one.
    if (choice.method == HeapMethod::kSparse && left < done) {
      cost += learning_cost(moves_.splits.size(), load) * (done - left);
    }
    return left * choice.advantage >= cost;
  }

  /// Notes that the engine at work came from the last look to `end`. A time of taking over does not
  /// count.
  void note_pace(HeapSize end) {
    const double work = progress_.work_before(end);
    const double spent = clock_ ? clock_() : processor_seconds();
    if (measured_ == method()) {
      if (spent - spent_ < kLeastMeasured) return;
      pace_.note(method(), work - work_, spent - spent_);
    }
    measured_ = method();
    work_ = work;
    spent_ = spent;
  }

  void set_next_look(HeapSize end) {
    next_look_ = end + end / kLookEvery;
    looked_ = time_.seconds();
  }

  /// The engine `sparse` knows its load; after another engine the values must be counted.
  [[nodiscard]] SparseLoad load_after(const Stretch& block) const {
    if (block.sparse == nullptr) return measure_load(moves_, block.table);
    const HeapSize end = block.end();
    return {.heap = end,
            .rare = block.rare.size(),
            .recent = sparse::recent_rare(block.rare, end),
            .value_limit = std::bit_ceil(block.sparse->mask + 1)};
  }

  void announce(HeapSize from) const {
    if (!task_.on_choice) return;
    task_.on_choice({from, std::string(engine_of(choice_.method).name()), choice_.reason,
                     told(pace_.slowness())});
  }

  const HeapTask& task_;
  const TwoHeapMoves& moves_;
  const std::vector<HeapSize>& changes_;
  const std::function<double()>& clock_;
  ValueSink& sink_;
  MethodChoice choice_;
  HeapSize delivered_ = 0;
  HeapSize next_look_ = 0;
  std::size_t next_change_ = 0;
  std::unique_ptr<HeldValues> inheritance_;

  ModelProgress progress_;
  MethodPace pace_;
  Stopwatch time_;
  double looked_ = 0;                   ///< seconds at the last look
  std::optional<HeapMethod> measured_;  ///< the method at work from the look before the last one on
  double work_ = 0, spent_ = 0;         ///< by the model and by the processor, at the last look
};

}  // namespace

std::string AutoEngine::refusal(const HeapRule& rule) const {
  return sparse::splitting_moves(rule) ? kDenseEngine.refusal(rule)
                                       : "it has no moves that a sparse space could help";
}

std::uint64_t AutoEngine::memory_bytes(const HeapRule& rule, HeapSize count,
                                       Nimber max_value) const {
  return std::max(kDenseEngine.memory_bytes(rule, count, max_value),
                  kSparseEngine.memory_bytes(rule, count, max_value));
}

RunStatus AutoEngine::run(const HeapTask& task, ValueSink& sink) const {
  if (task.count == 0) return RunStatus::kComplete;
  if (pass_is_ahead(task)) return run_behind_pass(*this, task, sink);
  const TwoHeapMoves moves = sparse::splitting_moves(task.rule).value();
  const bool known = task.known != nullptr && task.known->count() >= trial_of(task.count);
  Watch watch(task, moves, changes_, clock_, sink);
  if (task.known != nullptr && task.known->gone() != nullptr) {
    watch.choose({HeapMethod::kSparse, "it goes on from a sealed state"}, std::nullopt);
  } else {
    watch.choose(known ? load_of(*task.known, moves) : load_of_trial(task, moves),
                 task.known != nullptr ? method_named(task.known->engine()) : std::nullopt);
  }

  HeapTask part = task;
  part.progress = &watch.progress();
  for (;;) {
    const RunStatus status = engine_of(watch.method()).run(part, watch);
    // An engine that a stop keeps from its first block leaves the inheritance where it is.
    if (status == RunStatus::kCancelled || watch.inheritance() == nullptr) return status;
    part.known = watch.inheritance();
  }
}

}  // namespace grundy
