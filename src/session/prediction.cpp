// SPDX-License-Identifier: MIT
#include "session/prediction.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/atomic_file.hpp"
#include "core/text.hpp"
#include "core/value_collector.hpp"
#include "engines/heap/dense/company.hpp"
#include "engines/heap/sparse/table.hpp"
#include "run/run_directory.hpp"
#include "session/file_cost.hpp"
#include "session/heap_trial.hpp"
#include "session/lattice_forecast.hpp"
#include "session/machine.hpp"
#include "session/period_search.hpp"
#include "session/stages.hpp"
#include "session/stripe_traffic.hpp"
#include "table/chunk_pipeline.hpp"
#include "theory/periodic_extension.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

/// Shorter tables are made without a trial, and nothing is said of runs that take less time.
constexpr HeapSize kFewHeaps = 1u << 15;
constexpr HeapSize kLeastTrial = 1u << 13;
constexpr double kWorthTelling = 1;
/// Parts of the time of a value in a table of heaps (FileCost): all threads seal chunks, while one
/// thread copies them and takes what is read back.
constexpr double kSealing = 0.5, kCompleting = 0.7;
/// Two forecasts that differ by at most this factor count as one: their mean, which should be right
/// within a factor of two.
constexpr double kOneTime = 2.5;
/// Values per second, about, at which a certified period fills a table.
constexpr double kExtensionRate = 1.5e9;
/// More bytes are not told apart: a run of ages seals states all the time.
constexpr double kMostBytes = 0x1p62;
/// Bytes that a search for the period takes for each value of the table.
constexpr std::uint64_t kSearchBytes = 8;

double growth(HeapSize from, HeapSize to, double exponent) {
  return std::pow(static_cast<double>(to) / static_cast<double>(from), exponent);
}

/// The largest value of `count` heaps, if it goes on growing as over the last four octaves. In a
/// periodic game without a saltus the trial has seen it.
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
  // Where costs grow, twice as many heaps take a smaller part of the time.
  const HeapSize part = setup.count / kTrialShare * (HeapTrial::cost_grows(setup) ? 2 : 1);
  const HeapSize most = std::max(part, std::min(setup.count, kLeastTrial));
  const HeapTrial trial(setup, std::min(most, HeapTrial::kMostHeaps), std::move(stop));
  if (trial.cancelled()) return std::nullopt;
  return HeapForecast(setup, trial, earlier).prediction();
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

Prediction prediction_on(const MadeMachine& machine, std::string engine) {
  Prediction result;
  result.engine = std::move(engine);
  result.kernel = machine.kernels.name;
  result.threads = machine.executor->threads();
  result.memory_available = machine.memory;
  return result;
}

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
    Prediction result = forecast(setup, {}).value();
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
  if (needs_no_trial(setup)) return std::nullopt;
  return admitted(forecast(setup, stop), setup.request.force);
}

}  // namespace grundy
