// SPDX-License-Identifier: MIT
#include "session/heap_trial.hpp"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <optional>
#include <utility>

#include "engines/heap/engine_costs.hpp"
#include "engines/heap/sparse/split.hpp"

namespace grundy {
namespace {

/// A trial takes this share of the time of the run, if heaps go on costing what they do on average,
/// within these bounds in seconds.
constexpr double kShare = 0.02;
constexpr double kLeastSeconds = 0.1;
constexpr double kMostSeconds = 1;
/// Marks are set when the number of heaps has grown by this factor.
constexpr double kMarkGrowth = 1.05;
/// The cost model says nothing of shorter tables.
constexpr HeapSize kFirstForecast = 512;
/// The cost of a heap grows at most by this factor from octave to octave.
constexpr double kMostGrowth = 4;

/// The load of an octave, if rare heaps grow as they do in `load`.
SparseLoad next_octave(const SparseLoad& load) {
  const double before = static_cast<double>(std::max<HeapSize>(load.rare - load.recent, 1));
  const double factor = std::min(static_cast<double>(load.rare) / before, 2.0);
  const auto rare = static_cast<HeapSize>(static_cast<double>(load.rare) * factor);
  return {.heap = 2 * load.heap,
          .rare = rare,
          .recent = rare - load.rare,
          .value_limit = load.value_limit};
}

/// Nanoseconds of a heap in the octave that begins at load.heap, by the model.
double model_cost(HeapMethod method, const TwoHeapMoves& moves, const SparseLoad& load) {
  const std::size_t splits = moves.splits.size();
  return method == HeapMethod::kSparse ? sparse_cost(splits, load) : dense_cost(splits, load);
}

/// Of all threads of this process.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

double heaps_between(HeapSize from, HeapSize to) {
  return static_cast<double>(to - std::min(from, to));
}

}  // namespace

HeapTrial::HeapTrial(const HeapSetup& setup, HeapSize heaps, std::stop_token stop)
    : setup_(setup),
      search_(setup.game.rule, heaps),
      stats_(setup.kernels),
      begun_(processor_seconds()) {
  const RunStatus status =
      setup.run(heaps, *this, {.stop = std::move(stop)}, nullptr,
                [this](const EngineChoice& choice) { choices_.push_back(choice); });
  cancelled_ = status == RunStatus::kCancelled;
}

Flow HeapTrial::put(const Stretch& block) {
  stats_.put(block);
  values_.append(block.values);
  seconds_ = time_.seconds();
  computed_ = block.end();
  if (static_cast<double>(computed_) >= kMarkGrowth * static_cast<double>(marks_.back().heaps)) {
    marks_.push_back({computed_, seconds_});
  }
  const bool certified = search_.observe(block) && setup_.game.at_period != AtPeriod::kCompute;
  const double run = seconds_ * static_cast<double>(setup_.count) / static_cast<double>(computed_);
  const double wanted = std::clamp(kShare * run, kLeastSeconds, kMostSeconds);
  // On a machine that is busy with other work, time alone says nothing.
  const bool enough = seconds_ > wanted && processor_seconds() - begun_ > wanted / 2;
  return certified || enough ? Flow::kStop : Flow::kContinue;
}

double HeapTrial::cost_between(HeapSize from, HeapSize to) const {
  const auto at = [this](HeapSize heaps) {
    const auto mark = std::ranges::lower_bound(marks_, heaps, {}, &Mark::heaps);
    return mark == marks_.end() ? marks_.back() : *mark;
  };
  const Mark begin = at(from), end = at(to);
  if (end.heaps <= begin.heaps)
    return seconds_ / static_cast<double>(std::max<HeapSize>(computed_, 1));
  return (end.seconds - begin.seconds) / static_cast<double>(end.heaps - begin.heaps);
}

HeapTrial::Outlook HeapTrial::outlook(HeapSize from, HeapSize to) const {
  Outlook result;
  for (const EngineChoice& choice : choices_) {
    const HeapEngine& engine = detail::named_heap_engine(choice.engine);
    result = {0, &engine, choice.from > 0 ? result.engine : nullptr, choice.from};
  }
  if (from < computed_) {
    result.seconds += cost_between(from, computed_) * static_cast<double>(computed_ - from);
  }
  if (computed_ == 0 || to <= computed_) return result;

  // An engine that has just begun has shown too little of itself: the one before it is measured.
  auto measured = std::prev(choices_.end());
  HeapSize end = computed_;
  while (measured != choices_.begin() && end - measured->from < computed_ / 16) {
    end = measured->from;
    --measured;
  }
  const HeapSize begin = std::max(measured->from, end / 2);
  double cost = cost_between(begin, end);

  const std::optional<TwoHeapMoves> moves = sparse::splitting_moves(setup_.game.rule);
  const auto method_now = method_named(choices_.back().engine);
  if (!moves || !method_now || begin < kFirstForecast) {
    const double earlier = std::max(cost_between(end / 4, end / 2), 1e-12);
    const double factor = std::clamp(cost / earlier, 1.0, kMostGrowth);
    for (HeapSize n = computed_; n < to; n *= 2) {
      cost *= factor;
      result.seconds += cost * heaps_between(std::max(n, from), std::min(2 * n, to));
    }
    return result;
  }
  const Values values = values_.values();
  SparseLoad load = measure_load(*moves, values);
  const SparseLoad then = measure_load(*moves, values.subspan(0, begin));
  const double scale = cost / model_cost(*method_named(measured->engine), *moves, then);
  HeapMethod method = *method_now;
  for (HeapSize n = computed_; n < to; n *= 2, load = next_octave(load)) {
    const HeapMethod chosen =
        setup_.chooses() ? choose_method(*moves, load, method).method : method;
    if (chosen != method) {
      method = chosen;
      result.before = result.engine;
      result.engine = &detail::named_heap_engine(name_of(method));
      result.change = n;
    }
    result.seconds += scale * model_cost(method, *moves, load) *
                      heaps_between(std::max(n, from), std::min(2 * n, to));
  }
  return result;
}

}  // namespace grundy
