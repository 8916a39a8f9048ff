// SPDX-License-Identifier: MIT
#include "verify/run_verify.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "analysis/stats_collector.hpp"
#include "core/text.hpp"
#include "core/value_buffer.hpp"
#include "kernels/kernels.hpp"
#include "run/run_directory.hpp"
#include "session/machine.hpp"
#include "verify/definition.hpp"
#include "verify/prover.hpp"
#include "verify/samples.hpp"

namespace grundy {
namespace {

/// Counts all values and keeps the first of them in memory.
class Kept final : public BlockSink {
 public:
  Kept(const KernelSet& kernels, HeapSize keep, const std::stop_token& stop)
      : collector_(kernels), keep_(keep), stop_(stop) {}

  Flow put(const Block& block) override {
    if (stop_.stop_requested()) return Flow::kStop;
    collector_.put(block);
    if (block.begin >= keep_) return Flow::kContinue;
    const Values values =
        block.values.subspan(0, std::min<HeapSize>(block.values.size(), keep_ - block.begin));
    buffer_.append(values);
    return Flow::kContinue;
  }

  [[nodiscard]] TableStats stats() const { return collector_.stats(); }
  [[nodiscard]] Values values() const noexcept { return buffer_.values(); }

 private:
  StatsCollector collector_;
  HeapSize keep_;
  const std::stop_token& stop_;
  ValueBuffer buffer_;
};

/// The rule and the chain of a directory that holds a run.
RunContents contents_of(const VerifyRequest& request) {
  if (request.proof != ProofKind::kSamples) {
    throw Error(ErrorCode::kUsage,
                "ranges and other engines are for finished tables; a run "
                "directory is verified by its digests and single heaps");
  }
  RunContents contents = read_run(request.table);
  if (!contents.record) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is no run directory, or nothing is sealed in it",
                            request.table.string()));
  }
  return contents;
}

}  // namespace

VerifyReport verify_run(const VerifyRequest& request, const std::stop_token& stop,
                        const std::function<void(const std::string&)>& narrate) {
  const RunContents run = contents_of(request);
  const HeapRule rule = HeapRule::parse(run.record->rule);
  const HeapSize sealed = run.segments.empty() ? 0 : run.segments.back().header.end();
  const auto executor = make_executor(request.threads, request.backend);
  const KernelSet& kernels = select_kernels(request.kernel);

  VerifyReport report;
  TableInfo& info = report.info;
  info.game = run.record->game;
  info.title = run.record->title.empty() ? run.record->rule : run.record->title;
  info.canonical = run.record->rule;
  info.description = rule.describe();
  info.computed = sealed;
  report.periodic_from = sealed;
  report.method = "the definition, heap by heap";

  const std::uint64_t room = request.memory_limit != 0 ? request.memory_limit : memory_available();
  const HeapSize fits = request.force ? sealed : room / 2 / sizeof(Nimber);
  if (fits < sealed && narrate) {
    narrate(fmt::format("heaps from {} on are not drawn: their options do not fit in memory",
                        format_count(fits)));
  }
  Kept kept(kernels, std::min(fits, sealed), stop);
  if (replay(run.segments, 0, sealed, kept) == Flow::kStop) return report;
  info.stats = kept.stats();

  const Values values = kept.values();
  std::vector<HeapSize> heaps = conspicuous_heaps(info, sealed + 1, values, values.size());
  for (const Segment& segment : run.segments) {
    for (HeapSize n = segment.header.begin; n < segment.header.begin + 2; ++n) {
      if (n < values.size()) heaps.push_back(n);
      if (n > 2 && n - 2 < values.size()) heaps.push_back(n - 2);
    }
  }
  std::ranges::sort(heaps);
  heaps.erase(std::unique(heaps.begin(), heaps.end()), heaps.end());
  const auto make_check = [&]() -> SampleCheck {
    auto definition = std::make_shared<HeapDefinition>(rule, values, info.stats.max_value);
    return [definition, values](HeapSize n) -> std::optional<bool> {
      return definition->mex(n) == values[n];
    };
  };
  const SampleResult result =
      prove_samples(request, values.size(), heaps, make_check, *executor, stop);
  report.conspicuous = result.conspicuous;
  report.random = result.random;
  report.complete = !stop.stop_requested();
  if (!result.wrong) return report;
  const auto prover = make_prover(rule, {values, info.stats.max_value}, kernels, *executor);
  const RangeResult first = prove_range(*prover, 0, *result.wrong + 1, *executor, stop, nullptr);
  const HeapSize heap = first.wrong.value_or(*result.wrong);
  HeapDefinition definition(rule, values, info.stats.max_value);
  report.wrong = {heap,
                  fmt::format("heap {} has value {}, but the mex of the values of its options is "
                              "{}",
                              heap, values[heap], definition.mex(heap))};
  return report;
}

}  // namespace grundy
