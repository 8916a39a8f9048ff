// SPDX-License-Identifier: MIT
#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/session.hpp>

#include "analysis/periodic_extension.hpp"
#include "analysis/stats_collector.hpp"
#include "core/text.hpp"
#include "session/milestones.hpp"
#include "session/period_search.hpp"
#include "session/prediction.hpp"
#include "session/provenance.hpp"
#include "session/setup.hpp"
#include "store/table_writer.hpp"

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Hands every block to all that want it. The caller's sink may end the run.
class Pipeline final : public BlockSink {
 public:
  Pipeline(const KernelSet& kernels, BlockSink* writer, BlockSink* values, BlockSink* milestones)
      : stats_(kernels), writer_(writer), values_(values), milestones_(milestones) {}

  Flow put(const Block& block) override {
    stats_.put(block);
    if (milestones_ != nullptr) milestones_->put(block);
    if (writer_ != nullptr) writer_->put(block);
    if (values_ != nullptr && values_->put(block) == Flow::kStop) refused_ = true;
    return refused_ ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] TableStats stats() const { return stats_.stats(); }
  [[nodiscard]] bool refused() const noexcept { return refused_; }

 private:
  StatsCollector stats_;
  BlockSink* writer_;
  BlockSink* values_;
  BlockSink* milestones_;
  bool refused_ = false;
};

/// What the engine sees: the pipeline, watched for a period.
class Watched final : public BlockSink {
 public:
  Watched(Pipeline& next, PeriodSearch& search, bool stop_when_certified)
      : next_(next), search_(search), stop_when_certified_(stop_when_certified) {}

  Flow put(const Block& block) override {
    const bool certified = search_.observe(block);
    if (block.sparse != nullptr) facts_ = *block.sparse;
    if (next_.put(block) == Flow::kStop) return Flow::kStop;
    computed_ = block.begin + block.values.size();
    return certified && stop_when_certified_ ? Flow::kStop : Flow::kContinue;
  }

  /// Heaps that have come from the engine.
  [[nodiscard]] HeapSize computed() const noexcept { return computed_; }
  [[nodiscard]] const std::optional<SparseFacts>& facts() const noexcept { return facts_; }

 private:
  Pipeline& next_;
  PeriodSearch& search_;
  std::optional<SparseFacts> facts_;
  bool stop_when_certified_;
  HeapSize computed_ = 0;
};

/// What the periodic extension sees: the pipeline, with progress and a way to stop.
class Extension final : public BlockSink {
 public:
  Extension(Pipeline& next, HeapSize count, std::stop_token stop, ProgressSink* progress)
      : next_(next), count_(count), stop_(std::move(stop)), progress_(progress) {}

  Flow put(const Block& block) override {
    if (stop_.stop_requested() || next_.put(block) == Flow::kStop) return Flow::kStop;
    const HeapSize done = block.begin + block.values.size();
    if (progress_ != nullptr) {
      progress_->report({done, count_, static_cast<double>(done) / static_cast<double>(count_)});
    }
    return Flow::kContinue;
  }

 private:
  Pipeline& next_;
  HeapSize count_;
  std::stop_token stop_;
  ProgressSink* progress_;
};

std::string period_sentence(const PeriodReport& period, HeapSize computed) {
  return fmt::format(
      "period {} from heap {} on is certified after {} heaps; the rest follows from it",
      period.period, period.preperiod, computed);
}

}  // namespace

ComputeReport compute(const ComputeRequest& request, std::stop_token stop, ProgressSink* progress,
                      BlockSink* values, const std::function<void(const std::string&)>& narrate) {
  const auto start = Clock::now();
  const std::string started = utc_now();
  const Setup setup(request);
  std::unique_ptr<TableWriter> writer;
  if (!request.output.empty()) {
    writer = TableWriter::create(request.output, *setup.executor,
                                 {.chunk_size = request.chunk,
                                  .overwrite = request.force,
                                  .reproducible = request.reproducible});
  }
  if (!request.force) {
    const auto needs = admit(setup, stop);
    if (needs && narrate) narrate(prediction_sentence(*needs));
  }

  Milestones milestones(setup.kernels, kMilestoneZeros);
  Pipeline pipeline(setup.kernels, writer.get(), values,
                    request.stats_only ? &milestones : nullptr);
  PeriodSearch search(request.rule, setup.count);
  Watched watched(pipeline, search, request.extend);
  ComputeReport report;
  report.threads = setup.executor->threads();
  const auto engine_start = Clock::now();
  const RunStatus status = setup.run(setup.count, watched, stop, progress);
  report.engine_seconds = seconds_since(engine_start);

  report.sparse = watched.facts();
  report.complete = watched.computed() == setup.count;
  if (status == RunStatus::kStoppedBySink && search.certified() && !pipeline.refused()) {
    if (narrate && !report.complete) narrate(period_sentence(search.report(), watched.computed()));
    Extension extension(pipeline, setup.count, stop, progress);
    report.complete = extend_periodically(search.report(), search.pattern(), watched.computed(),
                                          setup.count, extension) == Flow::kContinue;
  }

  report.milestones = milestones.take_milestones();
  report.zeros = milestones.take_zeros();
  TableInfo& info = report.info;
  info.game = request.game;
  info.canonical = request.rule.canonical();
  info.title = request.title.empty() ? info.canonical : request.title;
  info.description = request.rule.describe();
  info.stats = pipeline.stats();
  info.period = search.report();
  info.computed = watched.computed();
  info.engine = setup.engine.name();
  info.kernel = setup.kernels.name;
  info.provenance_json = provenance_json(request.command_line, request.reproducible,
                                         report.threads, started, seconds_since(start));
  if (report.complete && writer != nullptr) {
    writer->finish(info);
    report.file_bytes = std::filesystem::file_size(request.output);
  }
  report.seconds = seconds_since(start);
  return report;
}

}  // namespace grundy
