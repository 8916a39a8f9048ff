// SPDX-License-Identifier: MIT
#include "session/heap_trial.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "engines/heap/sparse/split.hpp"
#include "theory/return_search.hpp"

namespace grundy {
namespace {

/// A trial takes this share of the run's expected time, within these bounds in seconds.
constexpr double kShare = 0.02;
constexpr double kLeastSeconds = 0.1;
constexpr double kMostSeconds = 1;
/// Marks are set when the number of heaps has grown by this factor.
constexpr double kMarkGrowth = 1.05;
/// The cost model does not hold for shorter tables.
constexpr HeapSize kFirstForecast = 512;
/// The cost of a heap grows at most by this factor from octave to octave.
constexpr double kMostGrowth = 4;

/// The time of a run grows with this power of its heaps at most.
constexpr double kMostPower = 3;

using Kind = SubtractionRule::Kind;

double heaps_between(HeapSize from, HeapSize to) {
  return static_cast<double>(to - std::min(from, to));
}

/// The factor by which the cost of a heap grows from octave to octave behind heap `end`, if it has
/// grown by `measured`: at the least it grows with the options. The engine of subtraction sets
/// marks options of squares, which cost more if there are more values, and these grow like the
/// options. That tells more than a short trial, whose values change their width.
double growth_of_cost(const HeapRule& rule, const HeapEngine& engine, HeapSize end,
                      double measured) {
  const auto subtraction = rule.as_subtraction();
  if (!subtraction || subtraction->kind == Kind::kAllBut) return measured;
  const auto numbers = [&](HeapSize limit) {
    return static_cast<double>(subtraction->allowed_up_to(limit).size());
  };
  const double options = numbers(end) / std::max(numbers(end / 2), 1.0);
  const bool marks = subtraction->kind == Kind::kSquares && engine.name() == "subtraction";
  return marks ? std::pow(options, 1.5) : std::max(measured, options);
}

}  // namespace

bool HeapTrial::cost_grows(const HeapSetup& setup) {
  const SubtractionRule* const set = setup.game.rule.subtraction();
  return set != nullptr && (set->kind == Kind::kSquares || set->kind == Kind::kPrimes);
}

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
  keep(block);
  // On a machine that is busy with other work, elapsed time alone says nothing.
  const double elapsed = time_.seconds(), processor = processor_seconds() - begun_;
  seconds_ = std::min(elapsed, processor);
  computed_ = block.end();
  if (static_cast<double>(computed_) >= kMarkGrowth * static_cast<double>(marks_.back().heaps)) {
    marks_.push_back({computed_, seconds_});
  }
  const bool certified = search_.observe(block) && setup_.game.at_period != AtPeriod::kCompute;
  const double run =
      seconds_ *
      std::pow(static_cast<double>(setup_.count) / static_cast<double>(computed_), growth());
  const double wanted = std::clamp(kShare * run, kLeastSeconds, kMostSeconds);
  const bool enough = elapsed > wanted && processor > wanted / 2;
  return certified || enough ? Flow::kStop : Flow::kContinue;
}

void HeapTrial::keep(const Stretch& block) {
  facts_ = block.sparse != nullptr ? std::optional(*block.sparse) : std::nullopt;
  if (setup_.game.stats_only && block.sparse != nullptr) {
    values_.reset();
    rare_.assign(block.rare.begin(), block.rare.end());
    mask_ = block.sparse->mask;
  } else if (values_) {
    values_->append(block.values);
  } else {
    values_.emplace().append(block.table);  // another engine is at work again
  }
}

SparseLoad HeapTrial::load_of(const TwoHeapMoves& moves, HeapSize heaps) const {
  if (values_) return measure_load(moves, values_->values().subspan(0, heaps));
  const auto above = std::ranges::lower_bound(rare_, heaps);
  const std::span rare(rare_.begin(), above);
  return {.heap = heaps,
          .rare = rare.size(),
          .recent = sparse::recent_rare(rare, heaps),
          .value_limit = std::bit_ceil(mask_ + 1)};
}

std::uint64_t HeapTrial::rare() const {
  const std::optional<TwoHeapMoves> moves = sparse::splitting_moves(setup_.game.rule);
  return moves && computed_ > 0 ? load_of(*moves, computed_).rare : 0;
}

HeapSize HeapTrial::watched() const {
  return facts_ ? ReturnSearch::watched(*facts_, setup_.game.rule.largest_take().value_or(0)) : 0;
}

HeapTrial::Mark HeapTrial::mark_at(HeapSize heaps) const {
  const auto mark = std::ranges::lower_bound(marks_, heaps, {}, &Mark::heaps);
  return mark == marks_.end() ? marks_.back() : *mark;
}

double HeapTrial::growth() const {
  const Mark end = marks_.back(), half = mark_at(end.heaps / 2);
  if (half.seconds <= 0 || 2 * half.heaps > 3 * (end.heaps - half.heaps)) return 1;
  return std::clamp(std::log2(end.seconds / half.seconds), 1.0, kMostPower);
}

double HeapTrial::cost_between(HeapSize from, HeapSize to) const {
  const Mark begin = mark_at(from), end = mark_at(to);
  if (end.heaps <= begin.heaps)
    return seconds_ / static_cast<double>(std::max<HeapSize>(computed_, 1));
  return (end.seconds - begin.seconds) / static_cast<double>(end.heaps - begin.heaps);
}

HeapTrial::Outlook HeapTrial::outlook(HeapSize from, HeapSize to, RareGrowth growth) const {
  Outlook result;
  for (const EngineChoice& choice : choices_) {
    const HeapEngine& engine =
        setup_.chooses() ? detail::named_heap_engine(choice.engine) : setup_.engine;
    if (&engine == result.engine) continue;
    result = {0, &engine, choice.from > 0 ? result.engine : nullptr, choice.from};
  }
  if (from < computed_) {
    result.seconds += cost_between(from, computed_) * static_cast<double>(computed_ - from);
  }
  if (computed_ == 0 || to <= computed_) return result;

  // An engine that has just begun has done too little to be measured: measure the one before it.
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
  const auto measured_method = method_named(measured->engine);  // none before a pass
  if (!moves || !method_now || !measured_method || begin < kFirstForecast) {
    const double earlier = std::max(cost_between(end / 4, end / 2), 1e-12);
    const double ratio = growth_of_cost(setup_.game.rule, *result.engine, end, cost / earlier);
    const double factor = std::clamp(ratio, 1.0, kMostGrowth);
    for (HeapSize n = computed_; n < to; n *= 2) {
      cost *= factor;
      result.seconds += cost * heaps_between(std::max(n, from), std::min(2 * n, to));
    }
    return result;
  }
  const SparseLoad then = load_of(*moves, begin);
  const double scale = cost / cost_by(*measured_method, moves->splits.size(), then);
  const CostForecast forecast(*moves, load_of(*moves, computed_), *method_now, setup_.chooses(), to,
                              growth);
  HeapMethod method = *method_now;
  for (const CostForecast::Octave& octave : forecast.octaves()) {
    if (octave.method == method) continue;
    method = octave.method;
    result.before = result.engine;
    result.engine = &detail::named_heap_engine(name_of(method));
    result.change = octave.begin;
  }
  result.seconds += scale * forecast.cost(from, to);
  return result;
}

}  // namespace grundy
