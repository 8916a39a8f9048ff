// SPDX-License-Identifier: MIT
#include "session/lattice_forecast.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/stopwatch.hpp"
#include "session/file_cost.hpp"
#include "session/machine.hpp"
#include "session/prediction.hpp"
#include "session/stages.hpp"
#include "table/chunk_pipeline.hpp"
#include "table/lattice_array.hpp"
#include "table/table_writer.hpp"
#include "table/values_of_files.hpp"

namespace grundy {
namespace {

/// Shorter tables are made without a trial.
constexpr std::uint64_t kFewEntries = 1u << 14;
/// A trial of several heaps grows up to this number of seconds, and to most_trial_entries().
constexpr double kTrialSeconds = 0.1;
/// It is timed up to this number of times, as long as that takes this part of the time of the run.
constexpr int kTimings = 3;
constexpr double kTimingPart = 0.01;
/// The number of values of a trial that show what a file costs.
constexpr std::ptrdiff_t kSample = std::ptrdiff_t{1} << 16;
/// Seconds for a byte of values of several heaps, which are sealed as they are, and placed in the
/// chunks of the table.
constexpr double kPlacing = 4e-9;
/// A trial that is four times as large may show more of a run that takes a minute.
constexpr std::uint64_t most_trial_entries(double seconds) noexcept {
  return seconds < 60 ? 1u << 23 : 1u << 25;
}

struct Trial {
  double seconds = 0;
  std::uint64_t entries = 0;
  std::uint64_t p_positions = 0;
  Nimber maximum = 0;
  std::vector<Nimber> sample;  ///< values of the last entries
};

/// The shape with every heap divided by `factor`.
LatticeShape reduced(LatticeShape shape, std::uint32_t factor) {
  for (unsigned i = 0; i < shape.heaps; ++i) {
    shape.extent[i] = std::max(1u, shape.extent[i] / factor);
  }
  return shape;
}

/// Whether the table is an array in memory, neither a file nor statistics alone.
bool keeps_array(const LatticeSetup& setup) noexcept {
  return setup.request.output.path.empty() && !setup.game.stats_only;
}

/// What the trial of a computed shape places.
Layout layout_of_trial(const LatticeSetup& setup, const LatticeShape& shape) noexcept {
  Layout layout = Layout::of(shape, setup.stored.planes);
  if (keeps_array(setup)) layout.sorted = setup.stored.sorted;
  return layout;
}

/// A run without a file places and counts the values of the whole table, so its trial does, too.
/// What a file adds is foretold from a sample.
Trial run_trial(const LatticeSetup& setup, const LatticeShape& shape, std::stop_token stop) {
  LatticeArray array(layout_of_trial(setup, shape), shape.sorted);
  const double begun = processor_seconds();
  const Stopwatch time;
  if (setup.run(shape, array, {.stop = std::move(stop)}) != RunStatus::kComplete) return {};
  if (keeps_array(setup)) {
    const Hooks hooks;
    Stretch all{.begin = 0, .values = array.values(), .table = {}};
    Count(setup.kernels, hooks, kMostListedPPositions).take(all);
  }
  Trial trial;
  // On a machine that is busy with other work, a trial waits, sometimes more and sometimes less.
  trial.seconds = std::min(time.seconds(), processor_seconds() - begun);
  trial.entries = array.layout().entries();
  array.values().visit([&](auto values) {
    trial.p_positions = static_cast<std::uint64_t>(std::ranges::count(values, 0));
    trial.maximum = *std::ranges::max_element(values);
    trial.sample.assign(values.end() - std::min<std::ptrdiff_t>(std::ssize(values), kSample),
                        values.end());
  });
  return trial;
}

/// The memory of the engine in this process.
std::uint64_t engine_memory(const LatticeSetup& setup, Nimber maximum) {
  const Team* const team = setup.request.team;
  if (team == nullptr) {
    return setup.engine.memory_bytes(setup.game.rule, setup.computed, setup.tile, maximum);
  }
  return setup.engine.rank_memory_bytes(setup.game.rule, setup.computed, setup.tile, team->size(),
                                        setup.executor->threads(), maximum);
}

/// The factor by which all ranks are faster than one. The ranks of a machine share its processors,
/// so some of them may count for nothing. They form a pipeline. To fill and empty it takes the time
/// of one place of tiles for every thread (engines/lattice/stripe_run.hpp).
double pipeline_gain(const LatticeSetup& setup) {
  const Team& team = *setup.request.team;
  const auto stripes = static_cast<double>(setup.stripes.count());
  const auto threads =
      static_cast<double>(std::min(setup.executor->threads(), make_executor()->threads()));
  const double there = static_cast<double>(processors_of_machine()) / threads;
  const double share = std::min(1.0, there / static_cast<double>(team.ranks_here()));
  const double ranks = share * static_cast<double>(team.size());
  return ranks / (1 + ranks * threads / (2 * stripes));
}

}  // namespace

Nimber largest_possible(const LatticeSetup& setup) noexcept {
  return static_cast<Nimber>(std::min<std::uint64_t>(
      setup.computed.most_tokens() + setup.stored.planes - 1, largest_value(ValueWidth::kU32)));
}

bool needs_no_trial(const LatticeSetup& setup) noexcept {
  return setup.stored.entries() / kTrialShare < kFewEntries && !setup.request.machine.memory;
}

std::optional<Prediction> forecast(const LatticeSetup& setup, const std::stop_token& stop) {
  const std::filesystem::path& file = setup.request.output.path;
  std::uint32_t factor = 1;
  const auto entries_of = [&](std::uint32_t part) {
    return layout_of_trial(setup, reduced(setup.computed, part)).entries();
  };
  while (entries_of(factor) > kFewEntries) factor *= 2;
  // The trial, and those with half and a quarter of its heaps.
  std::array<Trial, 3> trials;
  for (std::uint32_t i = 0; i < trials.size(); ++i) {
    trials[i] = run_trial(setup, reduced(setup.computed, factor << i), stop);
  }
  // When heaps double, the time grows at least like the number of positions. It grows by two powers
  // more at most: in a game of rays a position has twice as many options, and twice the value.
  const auto work = setup.engine.work(setup.game.rule, setup.computed);
  const auto seconds_of_all = [&] {
    if (work) {
      const auto of_trial = setup.engine.work(setup.game.rule, reduced(setup.computed, factor));
      return trials[0].seconds * *work / of_trial.value();
    }
    const auto growth_of = [](double large, double small) { return std::sqrt(large / small); };
    const double positions =
        growth_of(static_cast<double>(trials[0].entries),
                  static_cast<double>(std::max<std::uint64_t>(1, trials[2].entries)));
    const double growth = std::clamp(
        growth_of(trials[0].seconds, std::max(trials[2].seconds, 1e-6)), positions, 4 * positions);
    return trials[0].seconds * std::pow(growth, std::countr_zero(factor));
  };
  while (factor > 1 && !stop.stop_requested() && trials[0].seconds < kTrialSeconds &&
         entries_of(factor / 2) <=
             std::min(most_trial_entries(seconds_of_all()), entries_of(1) / kTrialShare)) {
    factor /= 2;
    std::rotate(trials.begin(), trials.end() - 1, trials.end());
    trials[0] = run_trial(setup, reduced(setup.computed, factor), stop);
  }
  // The least time is the one that other work has disturbed least. What disturbs grows, too.
  const Stopwatch timing;
  for (int done = 1; done < kTimings && factor > 1 && !stop.stop_requested() &&
                     timing.seconds() < kTimingPart * seconds_of_all();
       ++done) {
    for (std::uint32_t i = 0; i < trials.size(); ++i) {
      const Trial again = run_trial(setup, reduced(setup.computed, factor << i), stop);
      trials[i].seconds = std::min(trials[i].seconds, again.seconds);
    }
  }
  if (stop.stop_requested()) return std::nullopt;

  const Trial& trial = trials[0];
  const bool grows = trial.maximum > trials[1].maximum;
  const auto maximum = static_cast<Nimber>(std::min<std::uint64_t>(
      largest_possible(setup), std::uint64_t{trial.maximum} * (grows ? factor : 1)));
  const std::uint64_t entries = setup.stored.entries();
  const double share = static_cast<double>(trial.p_positions) /
                       static_cast<double>(std::max<std::uint64_t>(1, trial.entries));
  const auto p_positions = std::min(
      kMostListedPPositions, static_cast<std::uint64_t>(share * static_cast<double>(entries)));
  const std::uint64_t row = setup.computed.heaps * sizeof(std::uint32_t);

  Prediction result = prediction_on(setup, std::string(setup.engine.name()));
  result.seconds = seconds_of_all();
  result.max_value = maximum;
  // The largest value is an estimate, and memory must suffice.
  const std::uint64_t engine = engine_memory(setup, maximum + maximum / 16);
  const std::uint64_t process = process_bytes(setup.request.team);
  if (setup.request.team != nullptr) result.seconds = *result.seconds / pipeline_gain(setup);
  if (setup.game.stats_only) {
    result.memory_bytes = process + engine;
    const Team* const team = setup.request.team;
    if (!file.empty() && (team == nullptr || team->rank() == 0)) {
      // The next state is written beside the last one.
      const bool seals = setup.has_states() && team == nullptr;
      result.disk_bytes = (seals ? engine : 0) + metadata_bytes(maximum, 0, 1);
      result.disk_available = disk_available(file);
    }
    return result;
  }
  const std::uint64_t memory = process + engine + p_positions * (row + sizeof(std::uint64_t));
  if (file.empty()) {
    const std::uint64_t tables = setup.request.keeps_values ? 2 : 1;
    result.memory_bytes = memory + tables * entries * byte_count(width_for(maximum));
    return result;
  }
  const bool is_shared = setup.request.team != nullptr;
  // One process hands over antidiagonals of tiles. Ranks write one stripe after the other, when all
  // values are sealed and their lines are gone.
  std::uint64_t writer = TableWriter::memory_bytes(
      setup.stored, setup.computed.sorted && !is_shared, maximum, result.threads);
  // If values grow, their chunks hardly ever repeat.
  if (grows) writer -= ChunkPipeline::recalled_bytes();
  const std::uint64_t gone = is_shared ? std::min(engine, writer) : 0;
  result.memory_bytes = memory + writer - gone;
  if (setup.request.output.in_parts && is_shared) {
    // Rank 0 reads the digest sections that lie in two parts. Of a sorted table these are most.
    *result.memory_bytes += 2 * kDigestSection * sizeof(Nimber);
    if (setup.stored.sorted) {
      *result.memory_bytes += ValuesOfFiles::memory_bytes(entries * byte_count(width_for(maximum)));
    }
  }
  const auto bits = static_cast<std::uint64_t>(std::bit_width(maximum | 1u));
  const ChunkGrid grid = grid_of(setup.stored);
  const std::uint64_t stored = grid.chunk_count() * grid.chunk_size();
  const Layout sealed = Layout::of(setup.computed, setup.stored.planes);
  const bool seals = !setup.tile_order().empty();
  result.disk_bytes = (seals ? sealed.entries() * byte_count(width_for(maximum)) : 0) +
                      stored / 8 * bits + p_positions * row +
                      metadata_bytes(maximum, stored, grid.chunk_size());
  const FileCost cost = file_cost(std::span<const Nimber>(trial.sample), maximum);
  const double seconds =
      cost.seconds + kPlacing * static_cast<double>(byte_count(width_for(maximum)));
  // In a table in parts, each rank writes its own stripes.
  const Team* const team = setup.request.team;
  const std::size_t writers = team != nullptr && setup.request.output.in_parts ? team->size() : 1;
  const double of_file =
      seconds * static_cast<double>(stored) / static_cast<double>(result.threads * writers);
  *result.seconds += of_file;
  // Ranks write the file when all values are sealed.
  result.reading_seconds = is_shared ? of_file : kReadingOfTiles * of_file;
  result.disk_available = disk_available(file);
  return result;
}

}  // namespace grundy
