// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>

#include "session/lives.hpp"
#include "session/prediction.hpp"
#include "session/product_check.hpp"
#include "session/provenance.hpp"
#include "session/resumable.hpp"
#include "session/sealed_tiles.hpp"
#include "session/setup.hpp"
#include "table/lattice_array.hpp"
#include "table/lattice_writer.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Looks at all entries in their order: statistics, the P-positions, and whoever wants the values.
class Census final : public BlockSink {
 public:
  Census(const KernelSet& kernels, const Hooks& hooks) : stats_(kernels), hooks_(hooks) {}

  Flow put(const Block& block) override {
    stats_.put(block);
    block.values.visit([&](auto values) { list_zeros(block.begin, values); });
    if (hooks_.values && hooks_.values(block) == Flow::kStop) return Flow::kStop;
    return hooks_.stop.stop_requested() ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] TableStats stats() const { return stats_.stats(); }
  [[nodiscard]] const std::vector<std::uint64_t>& p_positions() const noexcept { return zeros_; }

 private:
  template <class T>
  void list_zeros(std::uint64_t begin, std::span<const T> values) {
    constexpr std::size_t kStrip = 256;
    for (std::size_t at = 0; at < values.size(); at += kStrip) {
      const auto strip = values.subspan(at, std::min(kStrip, values.size() - at));
      // Most strips hold no zero; a plain loop that says so is one that compilers vectorise.
      T any = 0;
      for (const T value : strip) any |= static_cast<T>(value == 0);
      if (any == 0) continue;
      for (std::size_t i = 0; i < strip.size(); ++i) {
        if (strip[i] == 0 && zeros_.size() < kMostListedPPositions)
          zeros_.push_back(begin + at + i);
      }
    }
  }

  StatsCollector stats_;
  const Hooks& hooks_;
  std::vector<std::uint64_t> zeros_;
};

TableInfo describe(const LatticeSetup& setup, const SealedTiles* run) {
  const About& about = setup.request.about;
  TableInfo info;
  info.game = about.game;
  info.canonical = setup.game.rule.canonical();
  info.title = about.title.empty() ? info.canonical : about.title;
  info.description = setup.game.rule.describe();
  if (!about.rules.empty()) info.description = about.rules + " " + info.description;
  info.reference = about.reference;
  info.lattice = setup.stored;
  info.engine = setup.engine.name();
  info.kernel = setup.kernels.name;
  const bool resumed = run != nullptr && run->frontier() > 0;
  if (resumed) info.engine = run->directory().makers(&SegmentHeader::engine, info.engine);
  if (setup.request.output.reproducible) {
    info.kernel = setup.request.machine.kernel;  // which one was chosen depends on the machine
  } else if (resumed) {
    info.kernel = run->directory().makers(&SegmentHeader::kernel, info.kernel);
  }
  return info;
}

/// An earlier process has written the table and died before it could remove the run directory.
Report report_of_finished(const std::filesystem::path& file, SealedTiles& run, const Life& life) {
  run.finish();
  Report report;
  report.complete = true;
  report.info = TableReader::open(file)->info();
  report.file_bytes = std::filesystem::file_size(file);
  report.seconds = life.seconds();
  return report;
}

/// Values that took longer than this are sealed before they are counted.
constexpr std::chrono::minutes kWorthSealing{1};

/// One life of a computation.
Report run_life(const Request& request, const Hooks& hooks) {
  const std::filesystem::path& file = request.output.path;
  Life life;
  const LatticeSetup setup(request);
  std::optional<SealedTiles> run;
  std::unique_ptr<LatticeWriter> writer;
  if (!file.empty()) {
    if (!setup.tile_order().empty()) {
      run.emplace(setup, hooks.control, hooks.narrate);
      if (run->finished()) return report_of_finished(file, *run, life);
      life.resumed_at = run->frontier();
      if (life.resumed_at > 0) life.begun = run->directory().record()->created;
    } else if (hooks.narrate) {
      hooks.narrate(
          fmt::format("the engine '{}' cannot take up a run: nothing is sealed before the end",
                      setup.engine.name()));
    }
    writer = LatticeWriter::create(
        file, setup.stored, *setup.executor,
        {.sorted_tiles = setup.computed.sorted,
         .overwrite = request.output.overwrite || request.force,
         .reproducible = request.output.reproducible,
         .workplace = run ? run->directory().path() : std::filesystem::path()});
  }
  if (!request.force) {
    const auto needs = admit(setup, hooks.stop);
    if (needs && hooks.narrate) hooks.narrate(prediction_sentence(*needs));
  }
  std::unique_ptr<LatticeArray> array;
  if (writer == nullptr) {
    array = std::make_unique<LatticeArray>(setup.stored, setup.computed.sorted);
  }

  Report report;
  report.threads = setup.executor->threads();
  report.info = describe(setup, run ? &*run : nullptr);
  TileSink& table = writer != nullptr ? static_cast<TileSink&>(*writer) : *array;
  if (run) run->set_next(table);
  TileSink& next = run ? *run : table;
  std::optional<ProductCheck> check;
  if (writer != nullptr) check.emplace(setup.stored, setup.computed.sorted, next);
  const auto engine_start = Clock::now();
  const RunStatus status = setup.run(setup.computed, check ? *check : next, hooks,
                                     run && run->frontier() > 0 ? &*run : nullptr);
  report.engine_seconds = seconds_since(engine_start);
  if (run && run->log().unsealed_time() > kWorthSealing) run->log().seal();
  if (status == RunStatus::kComplete) {
    Census census(setup.kernels, hooks);
    Flow flow = Flow::kContinue;
    if (check) {
      ProductCheck::Reader reader(*check, census);
      flow = writer->read_back(reader);
      if (flow == Flow::kContinue) check->compare(file);
    } else {
      flow = census.put({.begin = 0, .values = array->values(), .table = {}});
    }
    report.complete = flow == Flow::kContinue;
    report.info.stats = census.stats();
    report.info.computed = report.info.stats.count;
    report.info.provenance_json = provenance_json(
        request.output.command_line, request.output.reproducible, report.threads, life);
    if (report.complete && writer != nullptr) {
      writer->finish(report.info, census.p_positions());
      report.file_bytes = std::filesystem::file_size(file);
      if (run) run->finish();
    }
  }
  if (!report.complete && run) {
    run->log().seal();
    report.sealed = run->directory().frontier();
    report.run_directory = run->directory().path();
  }
  report.seconds = life.seconds();
  return report;
}

}  // namespace

Report compute_lattice(const Request& request, const Hooks& hooks) {
  return run_resumable(
      request.output.path, hooks,
      [](const std::string& count) { return fmt::format("{} values are sealed", count); },
      [&](const Hooks& used) { return run_life(request, used); });
}

}  // namespace grundy
