// SPDX-License-Identifier: MIT
#include "session/prediction.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/atomic_file.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "core/value_collector.hpp"
#include "engines/heap/dense/company.hpp"
#include "engines/heap/sparse/table.hpp"
#include "run/run_directory.hpp"
#include "session/file_cost.hpp"
#include "session/heap_trial.hpp"
#include "session/machine.hpp"
#include "session/period_search.hpp"
#include "session/stages.hpp"
#include "session/stripe_traffic.hpp"
#include "table/chunk_pipeline.hpp"
#include "table/lattice_array.hpp"
#include "table/table_writer.hpp"
#include "table/values_of_files.hpp"
#include "theory/periodic_extension.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

/// A trial is at most the whole divided by this.
constexpr std::uint64_t kTrialShare = 16;
/// Shorter tables are made without a trial, and nothing is said of runs that take less time.
constexpr HeapSize kFewHeaps = 1u << 15;
constexpr HeapSize kLeastTrial = 1u << 13;
constexpr double kWorthTelling = 1;
/// A trial of several heaps grows up to this number of seconds, or kMostTrialEntries entries.
constexpr double kTrialSeconds = 0.1;
/// The number of values of a trial that show what a file costs.
constexpr std::ptrdiff_t kSample = std::ptrdiff_t{1} << 16;
/// Seconds for a byte of values of several heaps, which are sealed as they are, and placed in the
/// chunks of the table.
constexpr double kPlacing = 4e-9;
/// Parts of the time of a value in a table of heaps (FileCost): all threads seal chunks, while one
/// thread copies them and takes what is read back.
constexpr double kSealing = 0.5, kCompleting = 0.7;
constexpr std::uint64_t kFewEntries = 1u << 14;
constexpr std::uint64_t kMostTrialEntries = 1u << 23;
/// Two forecasts that differ by at most this factor count as one.
constexpr double kOneTime = 4;
/// Values per second, about, at which a certified period fills a table.
constexpr double kExtensionRate = 1.5e9;
/// More bytes are not told apart: a run of ages seals states all the time.
constexpr double kMostBytes = 0x1p62;
/// Bytes that a search for the period takes for each value of the table.
constexpr std::uint64_t kSearchBytes = 8;

/// What every prediction says of the machine.
Prediction prediction_on(const MadeMachine& machine, std::string engine) {
  Prediction result;
  result.engine = std::move(engine);
  result.kernel = machine.kernels.name;
  result.threads = machine.executor->threads();
  result.memory_available = machine.memory;
  return result;
}

double growth(HeapSize from, HeapSize to, double exponent) {
  return std::pow(static_cast<double>(to) / static_cast<double>(from), exponent);
}

/// The largest value of `count` heaps, if it goes on growing as over the last four octaves. In a
/// purely periodic game the trial has seen it.
Nimber extrapolated_maximum(const TableStats& stats, const PeriodReport& period, HeapSize count) {
  const bool bounded = period.status == PeriodStatus::kCertified && period.saltus == 0;
  if (bounded || stats.max_value == 0 || stats.count >= count) return stats.max_value;
  Nimber early = 1;
  for (const ValueRecord& record : stats.records) {
    if (record.entry < stats.count / 16) early = std::max(early, record.value);
  }
  const double exponent = std::min(1.0, std::log2(double{1} * stats.max_value / early) / 4);
  const double maximum = stats.max_value * growth(stats.count, count, exponent);
  return static_cast<Nimber>(
      std::min({maximum, static_cast<double>(count), double{largest_value(ValueWidth::kU32)}}));
}

/// Of `rest` values that follow from a period, those that are encoded. Chunks repeat after the
/// least common multiple of the period and a chunk, and are found again if that is not too far
/// back.
HeapSize encoded_of_period(const PeriodReport& report, HeapSize rest, HeapSize chunk,
                           std::uint64_t width) {
  if (rest == 0) return 0;
  const HeapSize repeats = report.period / std::gcd(report.period, chunk);  // in chunks
  const HeapSize recalled = ChunkPipeline::recalled_bytes() / (2 * width * chunk);
  return report.saltus != 0 || repeats > recalled ? rest : std::min(rest, 2 * repeats * chunk);
}

/// The farthest that heaps of earlier lives may have looked back. Where no state tells it, it is
/// half of the largest heap: the smaller part of a split is no larger.
HeapSize looked_back(const SealedHeaps* earlier) {
  if (earlier == nullptr) return 0;
  const KnownValues::Gone* const gone = earlier->gone();
  return gone != nullptr ? gone->facts.depth : earlier->frontier() / 2;
}

/// What a trial foretells of a run of one heap.
class HeapForecast {
 public:
  /// @param earlier what the run directory holds already; null: nothing
  HeapForecast(const HeapSetup& setup, const HeapTrial& trial, const SealedHeaps* earlier)
      : setup_(setup),
        trial_(trial),
        period_(trial.search().report()),
        ends_(trial.search().certified() && setup.game.at_period != AtPeriod::kCompute),
        computed_(ends_ ? trial.computed() : setup.count),
        sealed_(earlier != nullptr ? std::min(earlier->frontier(), computed_) : 0),
        settles_(trial.outlook(sealed_, computed_, RareGrowth::kSettles)),
        goes_on_(trial.outlook(sealed_, computed_, RareGrowth::kGoesOn)),
        maximum_(extrapolated_maximum(trial.stats(), period_, setup.count)),
        width_(byte_count(width_for(maximum_))),
        kept_(setup.lets_values_go()
                  ? settles_.engine->kept_heaps(computed_, trial.rare(), looked_back(earlier))
                  : computed_) {}

  [[nodiscard]] Prediction prediction() const {
    Prediction result = prediction_on(setup_, engines());
    result.max_value = maximum_;
    result.period = period_;
    result.memory_bytes = memory();
    result.memory_may_grow = lets_go() && trial_.rare() > sparse::SparseTable::kFewRare;
    if (team() != nullptr) {
      result.traffic_bytes = heap_traffic(maximum_) * computed_ * team()->size();
    }
    double rest = seconds_of_extension();
    double of_reading = 0;
    if (const Output& output = setup_.request.output; !output.path.empty()) {
      result.disk_available = disk_available(output.path);
      const std::optional<FileCost> cost = cost_of_values();
      if (setup_.game.stats_only) {
        result.disk_bytes = disk_of_statistics(cost);
      } else if (cost) {
        result.disk_bytes = disk_of_table(*cost);
        const double of_values = cost->seconds * static_cast<double>(encoded());
        rest += of_values * kSealing / static_cast<double>(setup_.executor->threads());
        rest += of_values * kCompleting;
        of_reading = computed_ == setup_.count ? of_values * kCompleting : 0;
      }
    }
    const double least = least_seconds();
    const double most = most_seconds();
    result.seconds_least = least + rest;
    result.seconds_most = most + rest;
    if (most <= kOneTime * least) {
      result.seconds = std::sqrt(least * most) + rest;
      result.reading_seconds = of_reading;
    }
    return result;
  }

 private:
  [[nodiscard]] const Team* team() const noexcept { return setup_.request.team; }
  [[nodiscard]] HeapSize chunk() const noexcept { return setup_.request.output.chunk; }
  /// Whether values leave the memory before the last heap is computed.
  [[nodiscard]] bool lets_go() const noexcept { return kept_ < computed_; }

  [[nodiscard]] std::string engines() const {
    std::string names(settles_.engine->name());
    if (goes_on_.engine != settles_.engine) names += fmt::format(" or {}", goes_on_.engine->name());
    return names;
  }

  /// The time of the engine is somewhere between two outlooks.
  [[nodiscard]] double least_seconds() const {
    return std::min(settles_.seconds, goes_on_.seconds) / ranks();
  }
  [[nodiscard]] double most_seconds() const {
    return std::max(settles_.seconds, goes_on_.seconds) / ranks();
  }
  /// Ranks share the far phase, which is nearly all the work.
  [[nodiscard]] double ranks() const {
    return team() != nullptr ? static_cast<double>(team()->size()) : 1;
  }

  /// The memory of the outlook in which the rare heaps settle: a run that may get by with it is not
  /// refused.
  [[nodiscard]] std::uint64_t engine_memory() const {
    const HeapRule& rule = setup_.game.rule;
    const std::uint64_t memory = settles_.engine->memory_bytes(rule, kept_, maximum_);
    if (settles_.before == nullptr) return memory;
    // All values are there twice while another engine takes over.
    return std::max(memory, settles_.change * width_ +
                                settles_.before->memory_bytes(rule, settles_.change, maximum_));
  }

  [[nodiscard]] std::uint64_t memory() const {
    std::uint64_t memory = engine_memory() + process_bytes(team());
    if (setup_.request.keeps_values) memory += setup_.count * width_;
    // Only short tables are searched as a whole at their end, and kept for that.
    if (computed_ <= PeriodSearch::kLastSearchLimit && (!lets_go() || !setup_.game.stats_only)) {
      memory += kSearchBytes * computed_;
    }
    // One window that is remembered, and one of the newest values in a buffer with spare room.
    if (lets_go()) memory += trial_.watched() * width_ * 5 / 2;
    return memory;
  }

  /// What the file costs, if its values are like a chunk behind the period, or like the last ones
  /// of the trial; nothing if the trial has kept no values.
  [[nodiscard]] std::optional<FileCost> cost_of_values() const {
    if (trial_.search().certified()) {
      ValueCollector behind;
      const HeapSize begin = period_.preperiod + period_.period;
      extend_periodically(period_, trial_.search().pattern(), begin, begin + chunk(), behind);
      return file_cost(std::span<const Nimber>(behind.values), maximum_);
    }
    const Values values = trial_.values();
    if (values.empty()) return std::nullopt;
    return file_cost(values.subspan(values.size() - std::min(values.size(), chunk())), maximum_);
  }

  /// Bytes of what a run without a table seals, and of its file. It seals the values that the
  /// engine keeps, and a part of them with every state. If the engine keeps all values, states have
  /// values that are sealed anyway, and the file has them once more if they are few.
  [[nodiscard]] std::uint64_t disk_of_statistics(const std::optional<FileCost>& cost) const {
    // Without a sample, a value is taken to need half of its width.
    const double bytes = cost ? cost->bytes : static_cast<double>(width_) / 2;
    const HeapSize in_file = computed_ <= SealStates::kMostInFile ? computed_ : 0;
    const double values = static_cast<double>(kept_ + in_file) + values_in_states();
    return kFileOverhead + static_cast<std::uint64_t>(std::min(bytes * values, kMostBytes));
  }

  /// The number of values that states have beside the newest ones. States are sealed at intervals
  /// of time, and as the heaps grow.
  [[nodiscard]] double values_in_states() const {
    if (!lets_go()) return 0;
    const double interval = std::max(1.0, setup_.request.output.checkpoint.time.count());
    const double in_time = 1 + std::floor(most_seconds() / interval);
    const double grown = std::floor(12 * std::log2(growth(kept_, computed_, 1)));
    const auto in_each = static_cast<double>(kept_ / 16);
    return in_time * in_each + std::min(static_cast<double>(computed_ / 64), grown * in_each);
  }

  /// Bytes of the table and of the values that are sealed before.
  [[nodiscard]] std::uint64_t disk_of_table(const FileCost& cost) const {
    const HeapSize written = setup_.count + (computed_ - sealed_);
    return metadata_bytes(maximum_, setup_.count, chunk()) +
           static_cast<std::uint64_t>(cost.bytes * static_cast<double>(written));
  }

  /// The number of values that are encoded.
  [[nodiscard]] HeapSize encoded() const {
    return computed_ + encoded_of_period(period_, setup_.count - computed_, chunk(), width_);
  }

  [[nodiscard]] double seconds_of_extension() const {
    const bool extends = ends_ && setup_.game.at_period == AtPeriod::kExtend;
    return extends ? static_cast<double>(setup_.count) / kExtensionRate : 0;
  }

  const HeapSetup& setup_;
  const HeapTrial& trial_;
  const PeriodReport& period_;
  bool ends_;                             ///< whether the engine ends at the period
  HeapSize computed_;                     ///< heaps that it has computed at its end
  HeapSize sealed_;                       ///< heaps of these that earlier lives have sealed
  HeapTrial::Outlook settles_, goes_on_;  ///< if rare heaps settle; if more and more come
  Nimber maximum_;
  std::uint64_t width_;  ///< bytes of a value
  HeapSize kept_;        ///< the number of newest values that the engine keeps
};

/// Returns nothing if it was stopped.
std::optional<Prediction> predict_for(const HeapSetup& setup, std::stop_token stop,
                                      const SealedHeaps* earlier) {
  const HeapSize most = std::max(setup.count / kTrialShare, std::min(setup.count, kLeastTrial));
  const HeapTrial trial(setup, std::min(most, HeapTrial::kMostHeaps), std::move(stop));
  if (trial.cancelled()) return std::nullopt;
  return HeapForecast(setup, trial, earlier).prediction();
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

Trial run_trial(const LatticeSetup& setup, const LatticeShape& shape, std::stop_token stop) {
  LatticeArray array(Layout::of(shape, setup.stored.planes), shape.sorted);
  const double begun = processor_seconds();
  const Stopwatch time;
  if (setup.run(shape, array, {.stop = std::move(stop)}) != RunStatus::kComplete) return {};
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

/// No value exceeds the length of the longest game, and every move takes a token or the pass.
std::uint64_t largest_possible(const LatticeSetup& setup) {
  std::uint64_t tokens = setup.stored.planes - 1;
  for (unsigned i = 0; i < setup.computed.heaps; ++i) tokens += setup.computed.extent[i] - 1;
  return std::min<std::uint64_t>(tokens, largest_value(ValueWidth::kU32));
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

/// Returns nothing if it was stopped.
std::optional<Prediction> predict_for(const LatticeSetup& setup, const std::stop_token& stop) {
  const std::filesystem::path& file = setup.request.output.path;
  std::uint32_t factor = 1;
  const auto entries_of = [&](std::uint32_t part) {
    return Layout::of(reduced(setup.computed, part), setup.stored.planes).entries();
  };
  while (entries_of(factor) > kFewEntries) factor *= 2;
  Trial half = run_trial(setup, reduced(setup.computed, 2 * factor), stop);
  Trial trial = run_trial(setup, reduced(setup.computed, factor), stop);
  while (factor > 1 && trial.seconds < kTrialSeconds && !stop.stop_requested() &&
         entries_of(factor / 2) <= std::min(kMostTrialEntries, entries_of(1) / kTrialShare)) {
    factor /= 2;
    half = trial;
    trial = run_trial(setup, reduced(setup.computed, factor), stop);
  }
  if (stop.stop_requested()) return std::nullopt;

  // When heaps double, the time grows at least like the number of positions. It grows by two powers
  // more at most: in a game of rays a position has twice as many options, and twice the value.
  const double positions = static_cast<double>(trial.entries) /
                           static_cast<double>(std::max<std::uint64_t>(1, half.entries));
  const double growth =
      std::clamp(trial.seconds / std::max(half.seconds, 1e-6), positions, 4 * positions);
  const bool grows = trial.maximum > half.maximum;
  const auto maximum = static_cast<Nimber>(
      std::min(largest_possible(setup), std::uint64_t{trial.maximum} * (grows ? factor : 1)));
  const std::uint64_t entries = setup.stored.entries();
  const double share = static_cast<double>(trial.p_positions) /
                       static_cast<double>(std::max<std::uint64_t>(1, trial.entries));
  const auto p_positions = std::min(
      kMostListedPPositions, static_cast<std::uint64_t>(share * static_cast<double>(entries)));
  const std::uint64_t row = setup.computed.heaps * sizeof(std::uint32_t);

  Prediction result = prediction_on(setup, std::string(setup.engine.name()));
  result.seconds = trial.seconds * std::pow(growth, std::countr_zero(factor));
  result.max_value = maximum;
  // The largest value is an estimate, and memory must suffice.
  const std::uint64_t engine = engine_memory(setup, maximum + maximum / 16);
  const std::uint64_t process = process_bytes(setup.request.team);
  if (setup.request.team != nullptr) result.seconds = *result.seconds / pipeline_gain(setup);
  if (setup.game.stats_only) {
    result.memory_bytes = process + engine;
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

/// The largest number of positions that fit into the memory limit.
std::uint64_t positions_within(const GraphEngine& engine, const GraphGame& game,
                               std::uint64_t limit) {
  std::uint64_t low = 0, high = std::numeric_limits<std::uint32_t>::max();
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (engine.memory_bytes(game, middle) <= limit) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// @throws Error(kFailure) with the figures if less is available than needed; this holds for the
///   functions below, too
void require_memory(const Prediction& needs) {
  require("memory", needs.memory_bytes.value_or(0), needs.memory_available,
          "compute a smaller table or allow more memory");
}

std::optional<Prediction> admitted(std::optional<Prediction> needs, bool force,
                                   const OutputPlace& place = {}) {
  if (needs && !force) {
    require_memory(*needs);
    require("disk", needs->disk_bytes.value_or(0), needs->disk_available.value_or(0),
            place.without_room);
  }
  return needs;
}

bool needs_no_trial(const HeapSetup& setup) noexcept {
  return setup.count < kFewHeaps && !setup.request.machine.memory;
}

/// Whether a run of the same rule lies beside the output: that of statistics stays there when it
/// has been finished.
bool goes_on(const Request& request) {
  const auto* const heaps = std::get_if<HeapGame>(&request.game);
  const auto run = run_directory_for(request.output.path);
  if (heaps == nullptr || !std::filesystem::is_directory(run)) return false;
  const auto record = read_run(run).record;
  return record && record->rule == heaps->rule.canonical();
}

/// Refuses a place where the run could write no file.
void check_output(const Request& request) {
  const Output& output = request.output;
  if (!output.path.empty()) check_target(output.path, output.overwrite || goes_on(request));
}

Prediction predict_for(const PositionSetup& setup) {
  Prediction result = prediction_on(setup, std::string(setup.engine.name()));
  if (const auto size = setup.game.dense_size()) {
    result.positions = *size;
    result.memory_bytes = setup.engine.memory_bytes(setup.game, *size);
  }
  result.positions_in_memory = positions_within(setup.engine, setup.game, setup.memory);
  return result;
}

}  // namespace

void require(const char* what, std::uint64_t needed, std::uint64_t available, const char* advice) {
  if (needed <= available) return;
  throw Error(ErrorCode::kFailure,
              fmt::format("this needs about {} of {}, and {} are available; {}",
                          format_bytes(needed), what, format_bytes(available), advice));
}

std::string time_text(const Prediction& needs) {
  const auto text = [](double seconds) {
    return format_duration(std::chrono::duration<double>(seconds));
  };
  if (needs.seconds) return "about " + text(*needs.seconds);
  if (!needs.seconds_most) return "not known";
  return fmt::format("{} to {}, as rare heaps may come", text(*needs.seconds_least),
                     text(*needs.seconds_most));
}

std::string memory_text(const Prediction& needs) {
  if (!needs.memory_bytes) return "not known";
  return fmt::format("about {}{}", format_bytes(*needs.memory_bytes),
                     needs.memory_may_grow ? " or more" : "");
}

void tell(const std::optional<Prediction>& needs, const Hooks& hooks) {
  if (!needs || !hooks.narrate) return;
  const std::optional<double> most = needs->seconds ? needs->seconds : needs->seconds_most;
  if (!most || *most < kWorthTelling) return;
  hooks.narrate(fmt::format("{} engine, kernel {}, {} thread{}: {}, {} of memory", needs->engine,
                            needs->kernel, needs->threads, needs->threads == 1 ? "" : "s",
                            time_text(*needs), memory_text(*needs)));
}

Prediction predict(const Request& request) {
  check_output(request);
  if (std::holds_alternative<HeapGame>(request.game)) {
    return predict_for(HeapSetup(request), {}, nullptr).value();
  }
  if (std::holds_alternative<LatticeGame>(request.game)) {
    const LatticeSetup setup(request);
    Prediction result = predict_for(setup, {}).value();
    const bool is_told = request.team != nullptr && request.team->rank() == 0;
    if (is_told) result.traffic_bytes = foretold_traffic(setup);
    return result;
  }
  return predict_for(PositionSetup(request));
}

std::optional<Prediction> admit(const HeapSetup& setup, std::stop_token stop,
                                const SealedHeaps* earlier, const OutputPlace& place) {
  if (needs_no_trial(setup)) return std::nullopt;
  return admitted(predict_for(setup, std::move(stop), earlier), setup.request.force, place);
}

void admit_rank(const HeapSetup& setup, std::stop_token stop) {
  if (needs_no_trial(setup) || setup.request.force) return;
  if (const auto needs = predict_for(setup, std::move(stop), nullptr)) require_memory(*needs);
}

std::optional<Prediction> admit(const LatticeSetup& setup, std::stop_token stop) {
  const bool small = setup.stored.entries() / kTrialShare < kFewEntries;
  if (small && !setup.request.machine.memory) return std::nullopt;
  return admitted(predict_for(setup, stop), setup.request.force);
}

}  // namespace grundy
