// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/verify.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "session/build_info.hpp"
#include "session/machine.hpp"
#include "theory/stats_collector.hpp"
#include "verify/comparison.hpp"
#include "verify/content.hpp"
#include "verify/definition.hpp"
#include "verify/graph_verify.hpp"
#include "verify/lattice_verify.hpp"
#include "verify/period_check.hpp"
#include "verify/prover.hpp"
#include "verify/samples.hpp"
#include "verify/stored_table.hpp"

namespace grundy {
namespace {

using Narrate = std::function<void(const std::string&)>;

/// The fastest engine that computed nothing of the table; empty if there is none, or if several
/// took part, after which only slow ones would be left.
/// @param makers the engines that did, with commas between them
std::string other_engine(const HeapRule& rule, const std::string& makers) {
  std::string found;
  if (makers.find(',') != std::string::npos) return found;
  for (const HeapEngine* engine : heap_engines()) {
    if (engine->name() != makers && engine->refusal(rule).empty()) found = engine->name();
  }
  return found;
}

/// Options that one heap may have to be drawn at all: some ten seconds.
constexpr double kMostOptions = 2e10;

class HeapVerification {
 public:
  HeapVerification(const VerifyRequest& request, const StoredTable& table,
                   const std::stop_token& stop, ProgressSink* progress, const Narrate& narrate)
      : request_(request),
        table_(table),
        stop_(stop),
        progress_(progress),
        narrate_(narrate),
        kernels_(select_kernels(request.machine.kernel)),
        executor_(make_executor(request.machine.threads, request.machine.backend)),
        rule_(rule_of<HeapRule>(table)),
        room_(request.machine.memory ? *request.machine.memory : memory_available()) {
    report_.info = table.info();
    report_.periodic_from = std::min(periodic_from(rule_, table.info()), count());
  }

  VerifyReport run() {
    const HeapSize keep = heaps_to_keep();
    const auto counted = check_content(table_, *executor_, kernels_, keep, kept_, stop_, progress_);
    if (!counted) return std::move(report_);
    report_.info.stats = *counted;
    // How large values are, and with them the room that proofs need, may be known only now.
    if (table_.recorded() == nullptr && request_.proof != ProofKind::kSamples) check_room(keep);
    switch (request_.proof) {
      case ProofKind::kSamples:
        by_samples();
        break;
      case ProofKind::kRange:
        by_range(request_.range);
        break;
      case ProofKind::kFull:
        by_engine();
        break;
    }
    if (stop_.stop_requested()) return std::move(report_);
    if (!report_.wrong) by_period();
    report_.complete = true;
    return std::move(report_);
  }

 private:
  [[nodiscard]] HeapSize count() const noexcept { return report_.info.stats.count; }
  [[nodiscard]] StoredValues stored() const noexcept {
    return {kept_.values(), report_.info.stats.max_value};
  }

  /// How many values have to be in memory at a time.
  HeapSize heaps_to_keep() {
    switch (request_.proof) {
      case ProofKind::kFull:
        if (request_.machine.engine == "auto" && other_engine(rule_, report_.info.engine).empty()) {
          return check_room(report_.periodic_from);
        }
        return 0;
      case ProofKind::kRange:
        return check_room(std::min(request_.range.last + 1, report_.periodic_from));
      case ProofKind::kSamples:
        break;
    }
    const HeapSize fits = request_.force ? count() : room_ / 2 / byte_count(table_.width());
    if (fits < report_.periodic_from && narrate_) {
      narrate_(fmt::format("heaps from {} on are not drawn: their options do not fit in memory",
                           format_count(fits)));
    }
    return std::min(fits, report_.periodic_from);
  }

  HeapSize check_room(HeapSize heaps) const {
    const std::uint64_t needs = heaps * byte_count(table_.width()) +
                                prover_bytes(rule_, heaps, report_.info.stats.max_value);
    if (needs > room_ && !request_.force) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("this proof needs {} of memory, and {} are available; prove a range "
                              "that ends earlier or add --force",
                              format_bytes(needs), format_bytes(room_)));
    }
    return heaps;
  }

  void by_samples() {
    report_.method = "the definition, heap by heap";
    const TableInfo& info = report_.info;
    const auto conspicuous = conspicuous_heaps(info, table_.borders(), kept_.values());
    const auto make_check = [&]() -> SampleCheck {
      auto definition =
          std::make_shared<HeapDefinition>(rule_, kept_.values(), info.stats.max_value);
      return [this, definition](HeapSize n) -> std::optional<bool> {
        if (definition->options(n) > kMostOptions) return std::nullopt;
        return definition->mex(n) == kept_.values()[n];
      };
    };
    const SampleResult result =
        prove_samples(request_, kept_.size(), conspicuous, make_check, *executor_, stop_);
    report_.conspicuous = result.conspicuous;
    report_.random = result.random;
    if (result.wrong) report_.wrong = first_wrong_up_to(*result.wrong);
  }

  void by_range(HeapRange range) {
    const HeapSize end = range.last + 1;
    const HeapSize border = std::clamp(report_.periodic_from, range.first, end);
    RangeResult result{range.first, std::nullopt};
    if (border > range.first) {
      const auto prover = make_prover(rule_, stored(), kernels_, *executor_);
      report_.method = prover->method();
      result = prove_range(*prover, range.first, border, *executor_, stop_, progress_);
      if (result.wrong) report_.wrong = describe(*result.wrong);
    } else {
      report_.method = "the certified period";
    }
    if (result.proved_to == border && !report_.wrong) result.proved_to = end;
    if (result.proved_to > range.first) report_.proved = {range.first, result.proved_to - 1};
  }

  void by_engine() {
    const TableInfo& info = report_.info;
    if (count() == 0) {
      report_.method = "the table is empty";
      return;
    }
    Request again{.game = HeapGame{.rule = rule_, .last = count() - 1},
                  .machine = request_.machine,
                  .force = request_.force};
    if (again.machine.engine == "auto") again.machine.engine = other_engine(rule_, info.engine);
    if (again.machine.engine.empty()) {
      if (narrate_)
        narrate_("no other engine is left for this rule; every heap is proved by itself");
      return by_range({0, count() - 1});
    }
    Comparison comparison(table_);
    const Report report =
        compute(again, {.stop = stop_,
                        .progress = progress_,
                        .values = [&comparison](const Block& b) { return comparison.put(b); },
                        .narrate = narrate_});
    report_.method = fmt::format("engine {}, kernel {}", report.info.engine, report.info.kernel);
    if (const auto& wrong = comparison.difference()) {
      report_.wrong = {wrong->heap, fmt::format("heap {} has value {} in the table and {} anew",
                                                wrong->heap, wrong->stored, wrong->computed)};
    }
    if (report.complete) report_.proved = {0, count() - 1};
  }

  void by_period() {
    const auto wrong = check_period(table_, rule_, *executor_);
    if (!wrong) return;
    report_.proved.reset();
    report_.wrong = first_wrong_up_to(std::min(wrong->heap, count() - 1));
    if (!report_.wrong) report_.wrong = wrong;
  }

  /// The first wrong heap, given that a heap up to `heap` seems to be; nothing if all of them that
  /// are in memory are right.
  std::optional<WrongValue> first_wrong_up_to(HeapSize heap) {
    const HeapSize end = std::min<HeapSize>(heap + 1, kept_.size());
    if (end == 0) return std::nullopt;
    if (narrate_) {
      narrate_(fmt::format("something is wrong at or before heap {}; looking for the first", heap));
    }
    const auto prover = make_prover(rule_, stored(), kernels_, *executor_);
    const RangeResult result = prove_range(*prover, 0, end, *executor_, stop_, progress_);
    if (result.wrong) return describe(*result.wrong);
    // The search was stopped: the heap that was found first has to do.
    if (result.proved_to < end && heap < kept_.size()) return describe(heap);
    return std::nullopt;
  }

  WrongValue describe(HeapSize heap) const {
    HeapDefinition definition(rule_, kept_.values(), report_.info.stats.max_value);
    return {heap,
            fmt::format("heap {} has value {}, but the mex of the values of its options is {}",
                        heap, kept_.values()[heap], definition.mex(heap))};
  }

  const VerifyRequest& request_;
  const StoredTable& table_;
  const std::stop_token& stop_;
  ProgressSink* progress_;
  const Narrate& narrate_;
  const KernelSet& kernels_;
  std::unique_ptr<Executor> executor_;
  HeapRule rule_;
  std::uint64_t room_;  ///< bytes of memory that may be used
  ValueBuffer kept_;
  VerifyReport report_;
};

}  // namespace

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_run(const std::filesystem::path& path) {
  return std::filesystem::is_directory(path);
}

VerifyReport verify_stored(const VerifyRequest& request, const std::stop_token& stop,
                           ProgressSink* progress, const Narrate& narrate) {
  const auto table =
      is_run(request.table) ? open_run_table(request.table) : open_file_table(request.table);
  const bool of_heaps = table->order() == nullptr;
  if (request.proof == ProofKind::kRange) {
    check_range(request.range.first, request.range.last, table->info().stats.count, table->unit());
  }
  return of_heaps ? HeapVerification(request, *table, stop, progress, narrate).run()
                  : verify_lattice(request, *table, stop, progress, narrate);
}

}  // namespace

VerifyReport verify(const VerifyRequest& request, std::stop_token stop, ProgressSink* progress,
                    const Narrate& narrate) {
  const auto start = std::chrono::steady_clock::now();
  const bool of_positions = !is_run(request.table) && is_graph_file(request.table);
  VerifyReport report = of_positions ? verify_graph(request, stop, progress, narrate)
                                     : verify_stored(request, stop, progress, narrate);
  report.seconds = seconds_since(start);
  return report;
}

TableInfo stored_info(const std::filesystem::path& path) {
  if (!is_run(path)) {
    return is_graph_file(path) ? graph_table_info(path) : TableReader::open(path)->info();
  }
  const auto table = open_run_table(path);
  const auto executor = make_executor(1, "threads");
  StatsCollector collector(select_kernels("auto"));
  table->scan(*executor, collector);
  TableInfo info = table->info();
  info.stats = collector.stats();
  return info;
}

Certificate certificate_of(const VerifyReport& report) {
  Certificate certificate;
  certificate.rule = report.info.canonical;
  certificate.unit = report.unit;
  certificate.count = report.info.stats.count;
  certificate.table_digest = to_hex(report.info.stats.digest);
  certificate.period = report.info.period;
  certificate.period.theorem.clear();
  certificate.period.sparse.reset();
  certificate.periodic_from = report.periodic_from;
  if (report.proved) certificate.proved.push_back(*report.proved);
  certificate.methods.push_back(report.method);
  certificate.programs.push_back(fmt::format("grundy {}", build_info::kVersion));
  return certificate;
}

}  // namespace grundy
