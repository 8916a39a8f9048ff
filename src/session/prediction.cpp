// SPDX-License-Identifier: MIT
#include "session/prediction.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "theory/periodic_extension.hpp"
#include "theory/stats_collector.hpp"
#include "core/text.hpp"
#include "core/value_collector.hpp"
#include "core/value_copy.hpp"
#include "session/machine.hpp"
#include "session/period_search.hpp"
#include "table/chunk_codec.hpp"

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

/// Heaps of a trial, at most; and what part of the whole they may be.
constexpr HeapSize kTrialLimit = 1u << 16;
constexpr HeapSize kTrialShare = 16;
/// Values a second at which a certified period fills a table, about.
constexpr double kExtensionRate = 2e8;
/// Of a file, besides its chunks; and besides the values of each chunk (index and digests).
constexpr std::uint64_t kFileOverhead = 1u << 16;
constexpr std::uint64_t kChunkOverhead = 64;
/// Of a search for the period, for each value of the table.
constexpr std::uint64_t kSearchBytes = 8;

/// What the trial run hands its blocks to.
class TrialSink final : public BlockSink {
 public:
  TrialSink(const Setup& setup, HeapSize heaps)
      : search(setup.request.rule, heaps),
        stats_(setup.kernels),
        extend_(setup.request.extend),
        quarter_(heaps / 4) {}

  Flow put(const Block& block) override {
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

/// Bytes of the histogram and of the records of a table, at most.
std::uint64_t statistics_bytes(Nimber maximum) {
  const std::uint64_t values = std::uint64_t{maximum} + 1;
  return sizeof(std::uint64_t) * std::min<std::uint64_t>(values, TableStats::kHistogramLimit) +
         sizeof(Record) * std::min<std::uint64_t>(values, TableStats::kRecordLimit);
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

Prediction predict_for(const Setup& setup, std::stop_token stop, HeapSize sealed) {
  const ComputeRequest& request = setup.request;
  const HeapSize heaps = std::min(kTrialLimit, setup.count);
  TrialSink trial(setup, heaps);
  std::string engine(setup.engine.name());
  setup.run(heaps, trial, std::move(stop), nullptr, nullptr,
            [&](const EngineChoice& choice) { engine = choice.engine; });
  const PeriodSearch& search = trial.search;
  const bool extends = search.certified() && request.extend;
  const HeapSize computed = extends ? trial.computed : setup.count;

  const TableStats stats = trial.stats();
  const Nimber maximum = extrapolated_maximum(stats, search.report(), setup.count);
  std::vector<Nimber>& sample = trial.sample.values;
  if (search.certified()) {
    const HeapSize begin = search.report().preperiod + search.report().period;
    sample.clear();
    extend_periodically(search.report(), search.pattern(), begin, begin + request.chunk,
                        trial.sample);
  } else if (sample.size() > request.chunk) {
    sample.erase(sample.begin(), sample.end() - static_cast<std::ptrdiff_t>(request.chunk));
  }

  Prediction result;
  result.engine = engine;
  result.kernel = setup.kernels.name;
  result.threads = setup.executor->threads();
  const HeapEngine& at_work = named_heap_engine(engine);
  const HeapSize kept = request.stats_only ? at_work.kept_heaps(computed) : computed;
  result.memory_bytes = at_work.memory_bytes(request.rule, kept, maximum) +
                        kSearchBytes * std::min(computed, PeriodSearch::kLastSearchLimit);
  result.memory_available = request.memory_limit != 0 ? request.memory_limit : memory_available();
  if (!request.output.empty() && !sample.empty()) {
    result.disk_bytes = file_bytes(sample, maximum, setup.count, request.chunk) +
                        (computed - std::min(computed, sealed)) * byte_count(width_for(maximum));
    result.disk_available = disk_available(request.output);
  }
  result.seconds = extends ? trial.seconds + static_cast<double>(setup.count) / kExtensionRate
                           : trial.seconds * (growth(heaps, setup.count, trial.time_exponent()) -
                                              growth(heaps, sealed, trial.time_exponent()));
  result.max_value = maximum;
  result.period = search.report();
  return result;
}

[[noreturn]] void refuse(const char* what, std::uint64_t needed, const char* advice,
                         std::uint64_t available) {
  constexpr double kMiB = 1 << 20;
  throw Error(ErrorCode::kFailure,
              fmt::format("this needs about {:.0f} MiB of {}, and {:.0f} MiB are available; {}",
                          static_cast<double>(needed) / kMiB, what,
                          static_cast<double>(available) / kMiB, advice));
}

}  // namespace

std::uint64_t metadata_bytes(Nimber maximum, HeapSize count, HeapSize chunk) noexcept {
  return kFileOverhead + statistics_bytes(maximum) + (count / chunk + 1) * kChunkOverhead;
}

void require_space(const Prediction& needs) {
  if (needs.memory_bytes > needs.memory_available) {
    refuse("memory", needs.memory_bytes, "compute a smaller table or add --force",
           needs.memory_available);
  }
  if (needs.disk_bytes > needs.disk_available) {
    refuse("disk", needs.disk_bytes, "choose another place for the output or add --force",
           needs.disk_available);
  }
}

std::string prediction_sentence(const Prediction& needs) {
  return fmt::format("{} engine, kernel {}, {} thread{}: about {}, at most {} of memory",
                     needs.engine, needs.kernel, needs.threads, needs.threads == 1 ? "" : "s",
                     format_duration(std::chrono::duration<double>(needs.seconds)),
                     format_bytes(needs.memory_bytes));
}

Prediction predict(const ComputeRequest& request) {
  return predict_for(Setup(request), {}, 0);
}

std::optional<Prediction> admit(const Setup& setup, std::stop_token stop, HeapSize sealed) {
  const bool small = setup.count / kTrialShare < kTrialLimit;
  if (small && setup.request.memory_limit == 0) return std::nullopt;
  Prediction needs = predict_for(setup, std::move(stop), sealed);
  require_space(needs);
  return needs;
}

}  // namespace grundy
