// SPDX-License-Identifier: MIT
#include "verify/lattice_verify.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/lattice/compute.hpp>
#include <grundy/lattice/engine.hpp>

#include "analysis/stats_collector.hpp"
#include "core/text.hpp"
#include "core/value_buffer.hpp"
#include "session/machine.hpp"
#include "verify/comparison.hpp"
#include "verify/content.hpp"
#include "verify/lattice_prover.hpp"
#include "verify/samples.hpp"

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

LatticeRule rule_of(const VerifyRequest& request, const TableInfo& info) {
  try {
    return LatticeRule::parse(info.canonical);
  } catch (const Error& error) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' holds a rule that cannot be read: {}",
                                                 request.table.string(), error.what()));
  }
}

class LatticeVerification {
 public:
  LatticeVerification(const VerifyRequest& request, const TableReader& table,
                      const std::stop_token& stop, ProgressSink* progress,
                      const std::function<void(const std::string&)>& narrate)
      : request_(request),
        table_(table),
        stop_(stop),
        progress_(progress),
        narrate_(narrate),
        layout_(*table.info().lattice),
        rule_(rule_of(request, table.info())),
        kernels_(select_kernels(request.kernel)),
        executor_(make_executor(request.threads, request.backend)) {
    report_.info = table.info();
    report_.periodic_from = count();
  }

  VerifyReport run() {
    if (rule_.heaps() != layout_.shape.heaps || rule_.planes() != layout_.planes ||
        (layout_.shape.sorted && !rule_.symmetric())) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}' is damaged: its layout is not one of its rule",
                              request_.table.string()));
    }
    check_request();
    if (!check_content()) return report_;
    switch (request_.proof) {
      case ProofKind::kSamples:
        by_samples();
        break;
      case ProofKind::kRange:
        by_range();
        break;
      case ProofKind::kFull:
        by_engine();
        break;
    }
    report_.complete = !stop_.stop_requested();
    return report_;
  }

 private:
  [[nodiscard]] HeapSize count() const noexcept { return table_.info().stats.count; }
  [[nodiscard]] bool keeps_values() const noexcept { return request_.proof != ProofKind::kFull; }
  [[nodiscard]] StoredValues stored() const noexcept {
    return {kept_.values(), table_.info().stats.max_value};
  }

  void check_request() const {
    const std::uint64_t room =
        request_.memory_limit != 0 ? request_.memory_limit : memory_available();
    const std::uint64_t needs = keeps_values() ? count() * byte_count(table_.width()) : 0;
    if (needs > room && !request_.force) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("this proof needs {} of memory, and {} are available; add --force "
                              "to try",
                              format_bytes(needs), format_bytes(room)));
    }
  }

  /// Reads all entries in order; the reader compares every chunk with its digest.
  bool check_content() {
    constexpr std::size_t kStep = std::size_t{1} << 20;
    if (keeps_values()) {
      if (table_.width() > kept_.width()) kept_.promote(table_.width());
      kept_.resize(count());
    }
    StatsCollector collector(kernels_);
    std::vector<Nimber> values;
    for (HeapSize begin = 0; begin < count(); begin += values.size()) {
      if (stop_.stop_requested()) return false;
      values.resize(std::min<HeapSize>(kStep, count() - begin));
      table_.read(begin, values);
      check_written(values, begin);
      collector.put({begin, std::span<const Nimber>(values), {}});
      if (keeps_values()) {
        kept_.values().visit([&]<class T>(std::span<const T>) {
          std::ranges::transform(values, kept_.data<T>() + begin,
                                 [](Nimber v) { return static_cast<T>(v); });
        });
      }
    }
    compare_statistics(request_.table.string(), table_.info().stats, collector.stats());
    return true;
  }

  void check_written(const std::vector<Nimber>& values, HeapSize begin) const {
    const auto at = std::ranges::find(values, reserved_value(table_.width()));
    if (at == values.end()) return;
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("'{}' is damaged: position {} was never written", request_.table.string(),
                    position_text(layout_, begin + (at - values.begin()))));
  }

  [[nodiscard]] WrongValue describe(const LatticeProver& prover, HeapSize entry) const {
    std::vector<std::uint8_t> seen;
    return {entry, fmt::format("position {} (entry {}) has value {}, but the mex of the values of "
                               "its options is {}",
                               position_text(layout_, entry), entry, kept_.values()[entry],
                               prover.mex(entry, seen))};
  }

  void by_samples() {
    const LatticeProver prover(rule_, layout_, stored());
    report_.method = "the definition, position by position";
    std::vector<HeapSize> entries = {0, count() - 1};
    for (const Record& record : table_.info().stats.records) entries.push_back(record.heap);
    const SampleResult result = prove_samples(
        request_, count(), entries,
        [&]() -> SampleCheck {
          return [&](HeapSize entry) { return !prover.first_wrong(entry, entry + 1); };
        },
        *executor_, stop_);
    report_.conspicuous = result.conspicuous;
    report_.random = result.random;
    if (!result.wrong) return;
    const RangeResult all = prove_range(prover, 0, *result.wrong + 1, *executor_, stop_, progress_);
    report_.wrong = describe(prover, all.wrong.value_or(*result.wrong));
  }

  void by_range() {
    const auto [first, last] = request_.range;
    const LatticeProver prover(rule_, layout_, stored());
    report_.method = prover.method();
    const RangeResult result = prove_range(prover, first, last + 1, *executor_, stop_, progress_);
    if (result.wrong) report_.wrong = describe(prover, *result.wrong);
    if (result.proved_to > first) report_.proved = {first, result.proved_to - 1};
  }

  void by_engine() {
    LatticeRequest again{.rule = rule_, .shape = layout_.shape};
    again.engine = request_.engine;
    for (const LatticeEngine* engine : lattice_engines()) {
      const bool other = request_.engine.empty() && engine->name() != table_.info().engine;
      if (other && engine->refusal(rule_, layout_.shape).empty()) again.engine = engine->name();
    }
    again.kernel = request_.kernel;
    again.backend = request_.backend;
    again.threads = request_.threads;
    again.memory_limit = request_.memory_limit;
    again.force = request_.force;
    Comparison comparison(table_);
    const ComputeReport report = compute(again, stop_, progress_, &comparison, narrate_);
    report_.method = fmt::format("engine {}, kernel {}", report.info.engine, report.info.kernel);
    if (const auto& wrong = comparison.difference()) {
      report_.wrong = {wrong->heap, fmt::format("position {} (entry {}) has value {} in the table "
                                                "and {} anew",
                                                position_text(layout_, wrong->heap), wrong->heap,
                                                wrong->stored, wrong->computed)};
    } else if (report.complete) {
      report_.proved = {0, count() - 1};
    }
  }

  const VerifyRequest& request_;
  const TableReader& table_;
  const std::stop_token& stop_;
  ProgressSink* progress_;
  const std::function<void(const std::string&)>& narrate_;
  LatticeLayout layout_;
  LatticeRule rule_;
  const KernelSet& kernels_;
  std::unique_ptr<Executor> executor_;
  ValueBuffer kept_;
  VerifyReport report_;
};

}  // namespace

VerifyReport verify_lattice(const VerifyRequest& request, const TableReader& table,
                            const std::stop_token& stop, ProgressSink* progress,
                            const std::function<void(const std::string&)>& narrate) {
  return LatticeVerification(request, table, stop, progress, narrate).run();
}

}  // namespace grundy
