// SPDX-License-Identifier: MIT
#include "verify/graph_verify.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/graph/engine.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/machine.hpp>

#include "core/text.hpp"
#include "kernels/kernels.hpp"
#include "session/machine.hpp"
#include "session/stored_graph.hpp"
#include "verify/graph_prover.hpp"
#include "verify/prover.hpp"
#include "verify/samples.hpp"

namespace grundy {
namespace {

TableInfo describe(const GraphFileInfo& info) {
  TableInfo table;
  table.game = info.game;
  table.title = info.title;
  table.canonical = fmt::format("{} ({})", info.game, to_string(info.reduction));
  table.description = info.rules;
  table.reference = info.reference;
  table.stats.count = table.computed = info.stats.positions;
  table.stats.max_value = info.stats.max_value;
  table.stats.digest = info.stats.digest;
  table.engine = info.engine;
  table.kernel = info.kernel;
  return table;
}

class GraphVerification {
 public:
  using Narrate = std::function<void(const std::string&)>;

  GraphVerification(const VerifyRequest& request, const std::stop_token& stop,
                    ProgressSink* progress, const Narrate& narrate)
      : request_(request),
        stop_(stop),
        progress_(progress),
        narrate_(narrate),
        kernels_(select_kernels(request.machine.kernel)),
        executor_(make_executor(request.machine.threads, request.machine.backend)),
        file_(read_stored_graph(request.table, room())),
        game_(std::move(game_of(file_, request.table).game)),
        prover_(*game_, file_) {
    check_keys(file_, *game_, *executor_, request.table);
    report_.info = describe(file_.info);
    report_.unit = "positions";
    report_.method = prover_.method();
    report_.periodic_from = count();
  }

  VerifyReport run() {
    switch (request_.proof) {
      case ProofKind::kSamples:
        by_samples();
        break;
      case ProofKind::kRange:
        check_range(request_.range.first, request_.range.last, count(), "positions");
        by_range(request_.range.first, request_.range.last + 1);
        break;
      case ProofKind::kFull:
        by_range(0, count());
        if (request_.machine.engine != "auto" && !report_.wrong) by_engine();
    }
    report_.complete = !stop_.stop_requested();
    return std::move(report_);
  }

 private:
  [[nodiscard]] HeapSize count() const noexcept { return file_.table.size(); }

  /// Bytes of memory that may be used; 0: no limit.
  [[nodiscard]] std::uint64_t room() const {
    if (request_.force) return 0;
    return request_.machine.memory ? *request_.machine.memory : memory_available();
  }

  /// What the table leaves of it; at least a byte, because 0 is no limit.
  [[nodiscard]] std::uint64_t room_for_engine() const {
    if (request_.force || !request_.machine.memory) return room();
    const std::uint64_t bytes = count() * (8 * file_.table.key_words + 3 * sizeof(Nimber) + 2);
    return std::max(*request_.machine.memory, bytes + 1) - bytes;
  }

  void describe_wrong(HeapSize row, const std::string& clause) {
    report_.wrong = {row, fmt::format("position {} (row {}) {}",
                                      in_quotes(game_->text(file_.table.key(row))), row, clause)};
  }

  void by_samples() {
    std::vector<HeapSize> conspicuous = file_.table.start;
    for (const GraphLayer& layer : file_.table.layers) conspicuous.push_back(layer.end - 1);
    std::ranges::sort(conspicuous);
    const SampleResult result = prove_samples(
        request_, count(), conspicuous,
        [this]() -> SampleCheck {
          return [this](HeapSize row) { return prover_.fault(row).empty(); };
        },
        *executor_, stop_);
    report_.conspicuous = result.conspicuous;
    report_.random = result.random;
    if (!result.wrong) return;
    if (narrate_) narrate_(fmt::format("row {} is wrong; looking for the first", *result.wrong));
    const RangeResult all =
        prove_range(prover_, 0, *result.wrong + 1, *executor_, stop_, progress_);
    const HeapSize row = all.wrong.value_or(*result.wrong);
    describe_wrong(row, prover_.fault(row));
  }

  void by_range(HeapSize begin, HeapSize end) {
    const RangeResult result = prove_range(prover_, begin, end, *executor_, stop_, progress_);
    if (result.wrong) describe_wrong(*result.wrong, prover_.fault(*result.wrong));
    if (result.proved_to > begin) report_.proved = {begin, result.proved_to - 1};
    const bool all = begin == 0 && end == count() && result.proved_to == end;
    if (const auto row = all ? prover_.unreached() : std::nullopt) {
      describe_wrong(*row, "is not reached from the start position");
      report_.proved.reset();
    }
  }

  /// Computes the table anew and compares it.
  void by_engine() {
    const GraphEngine& engine = select_graph_engine(request_.machine.engine, *game_);
    const auto anew = engine.run({.game = *game_,
                                  .kernels = kernels_,
                                  .executor = *executor_,
                                  .stop = stop_,
                                  .progress = progress_,
                                  .memory_limit = room_for_engine(),
                                  .misere = !file_.table.misere.empty()});
    report_.method += fmt::format("; engine {}, kernel {}", engine.name(), kernels_.name);
    if (!anew) return report_.proved.reset();
    const GraphTable& table = file_.table;
    if (*anew == table) return;
    const auto is_equal = [&](HeapSize row) {
      return std::ranges::equal(anew->key(row), table.key(row)) &&
             anew->values[row] == table.values[row] && anew->options[row] == table.options[row] &&
             (table.misere.empty() || anew->misere[row] == table.misere[row]);
    };
    HeapSize row = 0;
    while (row + 1 < count() && row < anew->size() && is_equal(row)) ++row;
    describe_wrong(row, fmt::format("is not what the engine {} finds there", engine.name()));
    report_.proved.reset();
  }

  const VerifyRequest& request_;
  const std::stop_token& stop_;
  ProgressSink* progress_;
  const Narrate& narrate_;
  const KernelSet& kernels_;
  std::unique_ptr<Executor> executor_;
  GraphFile file_;
  std::unique_ptr<GraphGame> game_;
  GraphProver prover_;
  VerifyReport report_;
};

}  // namespace

VerifyReport verify_graph(const VerifyRequest& request, const std::stop_token& stop,
                          ProgressSink* progress,
                          const std::function<void(const std::string&)>& narrate) {
  return GraphVerification(request, stop, progress, narrate).run();
}

TableInfo graph_table_info(const std::filesystem::path& path) {
  return describe(read_stored_graph(path, memory_available()).info);
}

}  // namespace grundy
