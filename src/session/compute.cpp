// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/compute.hpp>

#include "core/text.hpp"
#include "core/value_copy.hpp"
#include "session/lives.hpp"
#include "session/milestones.hpp"
#include "session/period_search.hpp"
#include "session/prediction.hpp"
#include "session/provenance.hpp"
#include "session/resumable.hpp"
#include "session/sealed_run.hpp"
#include "session/setup.hpp"
#include "table/table_writer.hpp"
#include "theory/periodic_extension.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Counts every value once and hands it to the caller, whose sink may end the run.
class Pipeline final : public BlockSink {
 public:
  Pipeline(const KernelSet& kernels, std::function<Flow(const Block&)> values,
           Milestones* milestones)
      : stats_(kernels), values_(std::move(values)), milestones_(milestones) {}

  Flow put(const Block& block) override {
    stats_.put(block);
    if (milestones_ != nullptr) milestones_->put(block);
    end_ = block.begin + block.values.size();
    if (values_ && values_(block) == Flow::kStop) refused_ = true;
    return refused_ ? Flow::kStop : Flow::kContinue;
  }

  /// Takes what the engine says beside its values.
  void note(const Block& block) {
    if (milestones_ != nullptr) milestones_->note_rare(block);
  }
  [[nodiscard]] TableStats stats() const { return stats_.stats(); }
  /// Heaps below have been counted.
  [[nodiscard]] HeapSize end() const noexcept { return end_; }
  [[nodiscard]] bool refused() const noexcept { return refused_; }

 private:
  StatsCollector stats_;
  std::function<Flow(const Block&)> values_;
  Milestones* milestones_;
  HeapSize end_ = 0;
  bool refused_ = false;
};

/// Passes blocks on until it is time to stop.
class Stoppable final : public BlockSink {
 public:
  Stoppable(BlockSink& next, const std::stop_token& stop) : next_(next), stop_(stop) {}
  Flow put(const Block& block) override {
    return stop_.stop_requested() ? Flow::kStop : next_.put(block);
  }

 private:
  BlockSink& next_;
  const std::stop_token& stop_;
};

/// What the engine sees: its blocks are searched for a period, sealed and counted. They end where
/// a period is certified, because the rest follows from it.
class Intake final : public BlockSink {
 public:
  Intake(const HeapSetup& setup, Pipeline& pipeline, PeriodSearch& search, SealedRun* run,
         std::unique_ptr<TableWriter>& table, std::stop_token stop)
      : setup_(setup),
        pipeline_(pipeline),
        search_(search),
        run_(run),
        table_(table),
        check_(setup.game.rule) {
    if (run_ == nullptr || run_->count() == 0) return;
    catching_up_ = std::async(std::launch::async, [this, stop = std::move(stop)] {
      Stoppable sink(pipeline_, stop);
      run_->replay(sink);
    });
  }

  Flow put(const Block& block) override {
    check_.sample(block);
    if (block.sparse != nullptr) facts_ = *block.sparse;
    Block seen = block;
    // How soon the sparse space proves a period depends on blocks and interruptions.
    if (setup_.request.output.reproducible) seen.sparse = nullptr;
    const bool ends = search_.observe(seen) && setup_.game.extend;
    HeapSize end = block.begin + block.values.size();
    if (ends) end = std::clamp(search_.report().verified_to, block.begin, end);
    const Block part{block.begin, block.values.subspan(0, end - block.begin), block.table};
    if (catching_up_.valid()) catching_up_.get();
    pipeline_.note(block);
    if (run_ != nullptr) {
      run_->scrub(check_, block.table);
      run_->put(part);
    }
    // Perhaps it was stopped while it caught up.
    if (pipeline_.refused() || pipeline_.end() < block.begin) return Flow::kStop;
    if (end > pipeline_.end()) {
      const HeapSize skip = pipeline_.end() - std::min(pipeline_.end(), block.begin);
      const Values fresh = part.values.subspan(skip, part.values.size() - skip);
      if (pipeline_.put({block.begin + skip, fresh, {}}) == Flow::kStop) return Flow::kStop;
      write({block.begin + skip, fresh, {}});
    }
    return ends ? Flow::kStop : Flow::kContinue;
  }

  /// What the engine `sparse` has said last.
  [[nodiscard]] const std::optional<SparseFacts>& facts() const noexcept { return facts_; }

 private:
  /// Into the table, unless that is built from the sealed values at the end.
  void write(const Block& block) {
    // To begin anew with a wider file would keep the engine, and whoever wants to stop it, waiting.
    if (table_ && width_for(largest_of(block.values)) > table_->width()) table_.reset();
    if (table_) table_->put(block);
  }

  const HeapSetup& setup_;
  Pipeline& pipeline_;
  PeriodSearch& search_;
  std::optional<SparseFacts> facts_;
  SealedRun* run_;
  std::unique_ptr<TableWriter>& table_;
  SelfCheck check_;
  /// Counts the values of earlier lives while the engine takes them up; it reads the segments, to
  /// which run_->put() adds.
  std::future<void> catching_up_;
};

/// What follows a computation, with progress and a way to stop: to the table, and, if it is new, to
/// the pipeline.
class Outlet final : public BlockSink {
 public:
  Outlet(Pipeline& pipeline, TableWriter* writer, HeapSize count, const Hooks& hooks)
      : pipeline_(pipeline), writer_(writer), count_(count), hooks_(hooks) {}

  Flow put(const Block& block) override {
    if (hooks_.stop.stop_requested()) return Flow::kStop;
    const HeapSize done = block.begin + block.values.size();
    const bool counted = done <= pipeline_.end();
    if (!counted && pipeline_.put(block) == Flow::kStop) return Flow::kStop;
    if (writer_ != nullptr) writer_->put(block);
    if (hooks_.progress != nullptr) {
      hooks_.progress->report(
          {done, count_, static_cast<double>(done) / static_cast<double>(count_)});
    }
    return Flow::kContinue;
  }

 private:
  Pipeline& pipeline_;
  TableWriter* writer_;
  HeapSize count_;
  const Hooks& hooks_;
};

std::string period_sentence(const PeriodReport& period, HeapSize computed) {
  return fmt::format(
      "period {} from heap {} on is certified after {} heaps; the rest follows from it",
      period.period, period.preperiod, computed);
}

/// Values that took longer than this to compute are sealed before the table is built from them.
constexpr std::chrono::seconds kWorthSealing{1};

/// One life of a computation.
class Computation {
 public:
  Computation(const Request& request, const Hooks& hooks)
      : setup_(request),
        hooks_(hooks),
        milestones_(setup_.kernels),
        pipeline_(setup_.kernels, hooks.values, setup_.game.stats_only ? &milestones_ : nullptr) {
    if (!request.output.path.empty()) run_.emplace(setup_, hooks.control, hooks.narrate);
  }

  Report run() {
    if (run_ && run_->finished()) return report_of_finished();
    if (!setup_.request.force && !(run_ && run_->frontier() == setup_.count)) {
      const auto needs = admit(setup_, hooks_.stop, run_ ? run_->frontier() : 0);
      if (needs) say(prediction_sentence(*needs));
      // Compression finds time beside the engine; a short table or a later life has no use for it.
      if (needs && run_ && run_->frontier() == 0) writer_ = make_writer(needs->max_value);
    }
    const HeapSize searched = run_ && setup_.game.extend ? run_->frontier() : 0;
    PeriodSearch search(setup_.game.rule, setup_.count, searched);
    report_.threads = setup_.executor->threads();
    const auto engine_start = std::chrono::steady_clock::now();
    compute_values(search);
    report_.engine_seconds = seconds_since(engine_start);

    const HeapSize computed = pipeline_.end();
    const bool extends = search.certified() && setup_.game.extend && computed < setup_.count;
    const bool all = !pipeline_.refused() && (extends || computed == setup_.count);
    if (extends && all) say(period_sentence(search.report(), computed));
    report_.complete = all && finish(search, computed);
    if (!report_.complete && run_) {
      run_->log().seal();
      report_.sealed = run_->directory().frontier();
    }
    if (run_) report_.run_directory = run_->path();
    report_.milestones = milestones_.take_milestones();
    report_.zeros = milestones_.take_zeros();
    report_.rare_heaps = milestones_.take_rare();
    report_.tail = milestones_.take_tail();
    if (report_.info.canonical.empty()) describe(search, computed);
    report_.seconds = life_.seconds();
    return std::move(report_);
  }

 private:
  void say(const std::string& sentence) const {
    if (hooks_.narrate) hooks_.narrate(sentence);
  }

  void compute_values(PeriodSearch& search) {
    const bool resumes = run_ && run_->frontier() > 0;
    if (resumes) {
      life_.resumed_at = run_->frontier();
      life_.begun = run_->directory().record()->created;
    }
    Intake intake(setup_, pipeline_, search, run_ ? &*run_ : nullptr, writer_, hooks_.stop);
    const auto chosen = [this](const EngineChoice& choice) {
      if (run_) run_->log().set_engine(choice.engine);
      if (setup_.chooses()) {
        say(fmt::format("engine {} from heap {} on: {}", choice.engine, format_count(choice.from),
                        choice.reason));
      }
      report_.engines.push_back(choice);
    };
    setup_.run(setup_.count, intake, hooks_, resumes ? &*run_ : nullptr, chosen);
    report_.sparse = intake.facts();
  }

  [[nodiscard]] std::unique_ptr<TableWriter> make_writer(Nimber largest) const {
    const Output& output = setup_.request.output;
    return TableWriter::create(output.path, *setup_.executor,
                               {.width = width_for(largest),
                                .chunk_size = output.chunk,
                                .overwrite = output.overwrite || setup_.request.force,
                                .reproducible = output.reproducible,
                                .workplace = run_->path()});
  }

  /// Completes the table, or builds it from what was computed; false if it was stopped.
  bool finish(const PeriodSearch& search, HeapSize computed) {
    const std::filesystem::path& file = setup_.request.output.path;
    const Nimber largest = pipeline_.stats().max_value;
    // The file must not be wider than its values are.
    if (writer_ && writer_->width() != width_for(largest)) writer_.reset();
    const bool whole = writer_ != nullptr;
    if (run_) {
      if (run_->log().unsealed_time() > kWorthSealing) run_->log().seal();
      if (life_.seconds() > kWorthSealing.count()) {
        say(whole ? fmt::format("completing '{}'", file.string())
                  : fmt::format("writing '{}' from the sealed values", file.string()));
      }
      if (!whole) writer_ = make_writer(largest);
    }
    Outlet outlet(pipeline_, writer_.get(), setup_.count, hooks_);
    if (run_ && !whole && run_->log().replay(computed, outlet) == Flow::kStop) return false;
    if (computed < setup_.count && extend_periodically(search.report(), search.pattern(), computed,
                                                       setup_.count, outlet) == Flow::kStop) {
      return false;
    }
    describe(search, computed);
    if (run_) {
      writer_->finish(report_.info);
      report_.file_bytes = std::filesystem::file_size(file);
      run_->finish();
    }
    return true;
  }

  void describe(const PeriodSearch& search, HeapSize computed) {
    const Request& request = setup_.request;
    TableInfo& info = report_.info;
    info.game = request.about.game;
    info.canonical = setup_.game.rule.canonical();
    info.title = request.about.title.empty() ? info.canonical : request.about.title;
    info.description = setup_.game.rule.describe();
    info.stats = pipeline_.stats();
    info.period = search.report();
    info.computed = computed;
    // A period may be found somewhat later than it could be proved, which depends on blocks.
    if (search.certified() && setup_.game.extend) {
      info.computed = std::min(computed, info.period.verified_to);
    }
    info.engine = engines_at_work();
    info.kernel = setup_.kernels.name;
    if (request.output.reproducible) {
      // What was chosen depends on the machine, and nothing in the values on what was chosen; and
      // whether an engine was changed depends on interruptions.
      info.engine = report_.engines.front().engine;
      info.kernel = request.machine.kernel;
    } else if (life_.resumed_at > 0) {
      info.engine = run_->directory().makers(&SegmentHeader::engine, report_.engines.back().engine);
      info.kernel = run_->directory().makers(&SegmentHeader::kernel, setup_.kernels.name);
    }
    info.provenance_json = provenance_json(request.output.command_line, request.output.reproducible,
                                           report_.threads, life_, report_.engines);
  }

  /// Their names, each once.
  [[nodiscard]] std::string engines_at_work() const {
    std::vector<std::string> names;
    for (const EngineChoice& choice : report_.engines) {
      if (std::ranges::find(names, choice.engine) == names.end()) names.push_back(choice.engine);
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  Report report_of_finished() {
    report_.info = TableReader::open(setup_.request.output.path)->info();
    report_.file_bytes = std::filesystem::file_size(setup_.request.output.path);
    run_->finish();
    report_.complete = true;
    report_.threads = setup_.executor->threads();
    report_.seconds = life_.seconds();
    return std::move(report_);
  }

  Life life_;
  HeapSetup setup_;
  const Hooks& hooks_;
  Milestones milestones_;
  Pipeline pipeline_;
  std::optional<SealedRun> run_;
  std::unique_ptr<TableWriter> writer_;  ///< of the table; in the directory of run_
  Report report_;
};

}  // namespace

Report compute_heaps(const Request& request, const Hooks& hooks) {
  return run_resumable(
      request.output.path, hooks,
      [](const std::string& count) { return fmt::format("heaps below {} are sealed", count); },
      [&](const Hooks& used) { return Computation(request, used).run(); });
}

Report compute(const Request& request, const Hooks& hooks) {
  if (std::holds_alternative<HeapGame>(request.game)) return compute_heaps(request, hooks);
  if (std::holds_alternative<LatticeGame>(request.game)) return compute_lattice(request, hooks);
  return compute_positions(request, hooks);
}

}  // namespace grundy
