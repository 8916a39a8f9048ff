// SPDX-License-Identifier: MIT
#include "session/prediction.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "core/value_collector.hpp"
#include "core/value_copy.hpp"
#include "session/machine.hpp"
#include "session/period_search.hpp"
#include "table/chunk_codec.hpp"
#include "table/lattice_array.hpp"
#include "table/table_writer.hpp"
#include "theory/periodic_extension.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

/// Heaps of a trial, and entries of one of several heaps, at most.
constexpr HeapSize kTrialHeaps = 1u << 16;
constexpr std::uint64_t kTrialEntries = 1u << 18;
/// What part of the whole a trial may be.
constexpr std::uint64_t kTrialShare = 16;
/// Values a second at which a certified period fills a table, about.
constexpr double kExtensionRate = 2e8;
/// Bytes of a file besides its chunks, and of a chunk besides its values (index and digests).
constexpr std::uint64_t kFileOverhead = 1u << 16;
constexpr std::uint64_t kChunkOverhead = 64;
/// Bytes that a search for the period takes for each value of the table.
constexpr std::uint64_t kSearchBytes = 8;

/// What all predictions say of the machine.
Prediction prediction_on(const MadeMachine& machine, std::string engine) {
  Prediction result;
  result.engine = std::move(engine);
  result.kernel = machine.kernels.name;
  result.threads = machine.executor->threads();
  result.memory_available = machine.memory;
  return result;
}

/// What the trial run hands its blocks to.
class TrialSink final : public ValueSink {
 public:
  TrialSink(const HeapSetup& setup, HeapSize heaps)
      : search(setup.game.rule, heaps),
        stats_(setup.kernels),
        extend_(setup.game.extend),
        quarter_(heaps / 4) {}

  Flow put(const Stretch& block) override {
    stats_.put(block);
    sample.put(block);
    seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    computed = block.begin + block.values.size();
    if (seconds_at_first_ == 0 && computed >= quarter_) {
      first_ = computed;
      seconds_at_first_ = seconds;
    }
    return search.observe(block) && extend_ ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] TableStats stats() const { return stats_.stats(); }
  /// e such that the time for n heaps grows like n^e, between a linear and a quadratic engine.
  [[nodiscard]] double time_exponent() const {
    if (first_ >= computed || seconds_at_first_ <= 0) return 2;
    return std::clamp(std::log(seconds / seconds_at_first_) /
                          std::log(static_cast<double>(computed) / static_cast<double>(first_)),
                      1.0, 2.0);
  }

  PeriodSearch search;
  ValueCollector sample;
  HeapSize computed = 0;
  double seconds = 0;

 private:
  StatsCollector stats_;
  bool extend_;
  HeapSize quarter_;
  HeapSize first_ = 0;
  double seconds_at_first_ = 0;
  Clock::time_point start_ = Clock::now();
};

double growth(HeapSize from, HeapSize to, double exponent) {
  return std::pow(static_cast<double>(to) / static_cast<double>(from), exponent);
}

/// The largest value of `count` heaps if it goes on growing as over the last four octaves; in a
/// purely periodic game the trial has seen it.
Nimber extrapolated_maximum(const TableStats& stats, const PeriodReport& period, HeapSize count) {
  const bool bounded = period.status == PeriodStatus::kCertified && period.saltus == 0;
  if (bounded || stats.max_value == 0 || stats.count >= count) return stats.max_value;
  Nimber early = 1;
  for (const Record& record : stats.records) {
    if (record.heap < stats.count / 16) early = std::max(early, record.value);
  }
  const double exponent = std::min(1.0, std::log2(double{1} * stats.max_value / early) / 4);
  const double maximum = stats.max_value * growth(stats.count, count, exponent);
  return static_cast<Nimber>(
      std::min({maximum, static_cast<double>(count), double{largest_value(ValueWidth::kU32)}}));
}

/// Bytes of the histogram and of the records of a table of `count` values, about. Both are
/// compressed: of a number little more is stored than the bytes in which it differs from those
/// beside it.
std::uint64_t statistics_bytes(Nimber maximum, HeapSize count) {
  constexpr std::uint64_t kRecordBytes = 3;
  const std::uint64_t values = std::uint64_t{maximum} + 1;
  const std::uint64_t count_bytes = (std::bit_width(count / values) + 7) / 8;
  return count_bytes * std::min<std::uint64_t>(values, TableStats::kHistogramLimit) +
         kRecordBytes * std::min<std::uint64_t>(values, TableStats::kRecordLimit);
}

/// Bytes of a file of `count` values none of which exceeds `maximum`, besides the values.
std::uint64_t metadata_bytes(Nimber maximum, HeapSize count, HeapSize chunk) noexcept {
  return kFileOverhead + statistics_bytes(maximum, count) + (count / chunk + 1) * kChunkOverhead;
}

/// Bytes of a file of `count` values that are as compressible as `sample`.
std::uint64_t file_bytes(const std::vector<Nimber>& sample, Nimber maximum, HeapSize count,
                         HeapSize chunk) {
  const ValueWidth width = width_for(maximum);
  Bytes raw(sample.size() * byte_count(width));
  copy_to_width(std::span<const Nimber>(sample), width, raw.data());
  const std::size_t compressed = ChunkCodec(width).encode(raw).size();
  const double share = static_cast<double>(count) / static_cast<double>(sample.size());
  return metadata_bytes(maximum, count, chunk) +
         static_cast<std::uint64_t>(share * static_cast<double>(compressed));
}

Prediction predict_for(const HeapSetup& setup, std::stop_token stop, HeapSize sealed) {
  const Request& request = setup.request;
  const HeapSize chunk = request.output.chunk;
  const HeapSize heaps = std::min(kTrialHeaps, setup.count);
  TrialSink trial(setup, heaps);
  std::string engine(setup.engine.name());
  setup.run(heaps, trial, {.stop = std::move(stop)}, nullptr,
            [&](const EngineChoice& choice) { engine = choice.engine; });
  const PeriodSearch& search = trial.search;
  const bool extends = search.certified() && setup.game.extend;
  const HeapSize computed = extends ? trial.computed : setup.count;

  const TableStats stats = trial.stats();
  const Nimber maximum = extrapolated_maximum(stats, search.report(), setup.count);
  std::vector<Nimber>& sample = trial.sample.values;
  if (search.certified()) {
    const HeapSize begin = search.report().preperiod + search.report().period;
    sample.clear();
    extend_periodically(search.report(), search.pattern(), begin, begin + chunk, trial.sample);
  } else if (sample.size() > chunk) {
    sample.erase(sample.begin(), sample.end() - static_cast<std::ptrdiff_t>(chunk));
  }

  Prediction result = prediction_on(setup, engine);
  const HeapEngine& at_work = named_heap_engine(engine);
  const HeapSize kept = setup.game.stats_only ? at_work.kept_heaps(computed) : computed;
  result.memory_bytes = at_work.memory_bytes(setup.game.rule, kept, maximum) +
                        kSearchBytes * std::min(computed, PeriodSearch::kLastSearchLimit);
  if (!request.output.path.empty() && !sample.empty()) {
    result.disk_bytes = file_bytes(sample, maximum, setup.count, chunk) +
                        (computed - std::min(computed, sealed)) * byte_count(width_for(maximum));
    result.disk_available = disk_available(request.output.path);
  }
  result.seconds = extends ? trial.seconds + static_cast<double>(setup.count) / kExtensionRate
                           : trial.seconds * (growth(heaps, setup.count, trial.time_exponent()) -
                                              growth(heaps, sealed, trial.time_exponent()));
  result.max_value = maximum;
  result.period = search.report();
  return result;
}

struct Trial {
  double seconds = 0;
  std::uint64_t entries = 0;
  std::uint64_t p_positions = 0;
  Nimber maximum = 0;
};

/// The shape with every heap cut to one in `factor`.
LatticeShape reduced(LatticeShape shape, std::uint32_t factor) {
  for (unsigned i = 0; i < shape.heaps; ++i) {
    shape.extent[i] = std::max(1u, shape.extent[i] / factor);
  }
  return shape;
}

Trial run_trial(const LatticeSetup& setup, const LatticeShape& shape, std::stop_token stop) {
  LatticeArray array(Layout::of(shape, setup.stored.planes), shape.sorted);
  const auto start = std::chrono::steady_clock::now();
  if (setup.run(shape, array, {.stop = std::move(stop)}) != RunStatus::kComplete) return {};
  Trial trial;
  trial.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  trial.entries = array.layout().entries();
  array.values().visit([&](auto values) {
    trial.p_positions = static_cast<std::uint64_t>(std::ranges::count(values, 0));
    trial.maximum = *std::ranges::max_element(values);
  });
  return trial;
}

/// No value exceeds the length of the longest game, and every move takes a token or the pass.
std::uint64_t largest_possible(const LatticeSetup& setup) {
  std::uint64_t tokens = setup.stored.planes - 1;
  for (unsigned i = 0; i < setup.computed.heaps; ++i) tokens += setup.computed.extent[i] - 1;
  return std::min<std::uint64_t>(tokens, largest_value(ValueWidth::kU32));
}

Prediction predict_for(const LatticeSetup& setup, std::stop_token stop) {
  const std::filesystem::path& file = setup.request.output.path;
  std::uint32_t factor = 1;
  const auto entries_of = [&](const LatticeShape& shape) {
    return Layout::of(shape, setup.stored.planes).entries();
  };
  while (entries_of(reduced(setup.computed, factor)) > kTrialEntries) factor *= 2;
  const Trial half = run_trial(setup, reduced(setup.computed, 2 * factor), stop);
  const Trial trial = run_trial(setup, reduced(setup.computed, factor), stop);

  // When heaps double, the time grows at least like the number of positions. It grows at most by
  // two powers more: in a game of rays a position has twice as many options and twice the value.
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
  const std::uint64_t memory =
      setup.engine.memory_bytes(setup.game.rule, setup.computed, setup.tile) +
      p_positions * (row + sizeof(std::uint64_t));
  if (file.empty()) {
    result.memory_bytes = memory + entries * byte_count(width_for(maximum));
    return result;
  }
  result.memory_bytes = memory + TableWriter::memory_bytes(setup.stored, setup.computed.sorted,
                                                           maximum, result.threads);
  const auto bits = static_cast<std::uint64_t>(std::bit_width(maximum | 1u));
  const ChunkGrid grid = grid_of(setup.stored);
  const std::uint64_t stored = grid.chunk_count() * grid.chunk_size();
  const Layout sealed = Layout::of(setup.computed, setup.stored.planes);
  const bool seals = !setup.tile_order().empty();
  result.disk_bytes = (seals ? sealed.entries() * byte_count(width_for(maximum)) : 0) +
                      stored / 8 * bits + p_positions * row +
                      metadata_bytes(maximum, stored, grid.chunk_size());
  result.disk_available = disk_available(file);
  return result;
}

/// The largest number of positions whose memory is within the limit.
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

[[noreturn]] void refuse(const char* what, std::uint64_t needed, const char* advice,
                         std::uint64_t available) {
  throw Error(ErrorCode::kFailure,
              fmt::format("this needs about {} of {}, and {} are available; {}",
                          format_bytes(needed), what, format_bytes(available), advice));
}

/// @throws Error(kFailure) with the figures if there is less than what is needed
void require_space(const Prediction& needs) {
  if (needs.memory_bytes && *needs.memory_bytes > needs.memory_available) {
    refuse("memory", *needs.memory_bytes, "compute a smaller table or add --force",
           needs.memory_available);
  }
  if (needs.disk_bytes && *needs.disk_bytes > needs.disk_available) {
    refuse("disk", *needs.disk_bytes, "choose another place for the output or add --force",
           needs.disk_available);
  }
}

Prediction predict_for(const PositionSetup& setup) {
  Prediction result = prediction_on(setup, std::string(setup.engine.name()));
  if (const std::uint64_t size = setup.game.dense_size(); size > 0) {
    result.positions = size;
    result.memory_bytes = setup.engine.memory_bytes(setup.game, size);
  }
  result.positions_in_memory = positions_within(setup.engine, setup.game, setup.memory);
  return result;
}

}  // namespace

std::string prediction_sentence(const Prediction& needs) {
  return fmt::format("{} engine, kernel {}, {} thread{}: about {}, at most {} of memory",
                     needs.engine, needs.kernel, needs.threads, needs.threads == 1 ? "" : "s",
                     format_duration(std::chrono::duration<double>(needs.seconds.value_or(0))),
                     format_bytes(needs.memory_bytes.value_or(0)));
}

Prediction predict(const Request& request) {
  if (std::holds_alternative<HeapGame>(request.game)) {
    return predict_for(HeapSetup(request), {}, 0);
  }
  if (std::holds_alternative<LatticeGame>(request.game)) {
    return predict_for(LatticeSetup(request), {});
  }
  return predict_for(PositionSetup(request));
}

std::optional<Prediction> admit(const HeapSetup& setup, std::stop_token stop, HeapSize sealed) {
  const bool small = setup.count / kTrialShare < kTrialHeaps;
  if (small && !setup.request.machine.memory) return std::nullopt;
  Prediction needs = predict_for(setup, std::move(stop), sealed);
  require_space(needs);
  return needs;
}

std::optional<Prediction> admit(const LatticeSetup& setup, std::stop_token stop) {
  const bool small = setup.stored.entries() / kTrialShare < kTrialEntries;
  if (small && !setup.request.machine.memory) return std::nullopt;
  Prediction needs = predict_for(setup, std::move(stop));
  require_space(needs);
  return needs;
}

}  // namespace grundy
