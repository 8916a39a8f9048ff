// SPDX-License-Identifier: MIT
#include "verify/graph_verify.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/catalogue.hpp>
#include <grundy/graph/file.hpp>

#include "core/text.hpp"
#include "kernels/kernels.hpp"
#include "schedule/executor.hpp"
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

/// The game of a file. It may have come from a file of its own, which may have changed.
std::unique_ptr<GraphGame> game_of(const GraphFile& file, const std::string& path) {
  auto resolved = resolve_graph_game(file.info.game, file.info.reduction);
  if (!resolved || resolved->game->key_words() != file.table.key_words) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' is no table of {}", path, in_quotes(file.info.game)));
  }
  return std::move(resolved->game);
}

/// Proves rows from the stored values of others.
class GraphProver final : public Prover {
 public:
  GraphProver(const GraphGame& game, const GraphFile& file) : game_(game), file_(file) {}

  [[nodiscard]] std::string method() const override { return "every option of every position"; }
  [[nodiscard]] HeapSize group() const noexcept override { return 64; }

  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override {
    for (HeapSize row = begin; row < end; ++row) {
      if (!fault(row).empty()) return row;
    }
    return std::nullopt;
  }

  /// What is wrong with a row, in one clause; empty if nothing is.
  [[nodiscard]] std::string fault(std::uint64_t row) const {
    const GraphTable& table = file_.table;
    const std::size_t words = table.key_words;
    const std::uint32_t own = table.potential(row);
    std::uint32_t potential = 0;
    game_.potentials(table.key(row), {&potential, 1});
    if (potential != own) return fmt::format("stands in layer {}, not {}", own, potential);

    std::vector<std::uint64_t> options, keys;
    game_.moves(table.key(row), options);
    const std::size_t count = options.size() / words;
    if (count != table.options[row]) {
      return fmt::format("has {} options, where {} are recorded", count, table.options[row]);
    }
    // The mex of so many values is no larger than their number.
    std::vector<bool> seen(count + 1, false), misere_seen(count + 1, false);
    const auto mark = [](std::vector<bool>& set, Nimber value) {
      if (value < set.size()) set[value] = true;
    };
    for (std::size_t i = 0; i < count; ++i) {
      keys.clear();
      game_.reduce(std::span(options).subspan(i * words, words), keys);
      Nimber sum = 0, misere = 0;
      for (std::size_t at = 0; at < keys.size(); at += words) {
        const auto key = std::span(keys).subspan(at, words);
        game_.potentials(key, {&potential, 1});
        const auto target = potential < own ? table.find(key, potential) : std::nullopt;
        if (!target) return "has an option that is not below it in the table";
        sum ^= table.values[*target];
        if (!table.misere.empty()) misere = table.misere[*target];
      }
      mark(seen, sum);
      mark(misere_seen, misere);
    }
    if (const Nimber value = mex(seen); table.values[row] != value) {
      return fmt::format("has value {}, but the mex of the values of its options is {}",
                         table.values[row], value);
    }
    const Nimber misere = count == 0 ? 1 : mex(misere_seen);
    if (!table.misere.empty() && table.misere[row] != misere) {
      return fmt::format("has misère value {}, but {} follows from its options", table.misere[row],
                         misere);
    }
    return {};
  }

 private:
  static Nimber mex(const std::vector<bool>& seen) {
    return static_cast<Nimber>(std::ranges::find(seen, false) - seen.begin());
  }

  const GraphGame& game_;
  const GraphFile& file_;
};

/// Compares what is recorded with what the rows say. @throws Error(kCorrupt)
void check_content(const GraphFile& file, const GraphGame& game, const std::string& path) {
  const auto refuse = [&path](const char* what) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is damaged: {}", path, what));
  };
  if (file.table.stats() != file.info.stats) refuse("its counts are not those of its rows");
  if (file.table.root_value() != file.info.root_value) {
    refuse("the value of its start position is not that of its rows");
  }
  std::vector<std::uint64_t> keys, stored;
  game.start(keys);
  for (const std::uint64_t row : file.table.start) {
    const auto key = file.table.key(row);
    stored.insert(stored.end(), key.begin(), key.end());
  }
  if (keys != stored) refuse("its start position is not that of its game");
}

}  // namespace

VerifyReport verify_graph(const VerifyRequest& request, const std::stop_token& stop,
                          ProgressSink* progress,
                          const std::function<void(const std::string&)>& narrate) {
  const std::string path = request.table.string();
  const GraphFile file = read_graph_file(request.table);
  const auto game = game_of(file, path);
  check_content(file, *game, path);
  const HeapSize count = file.table.size();
  if (request.proof == ProofKind::kRange) {
    check_range(request.range.first, request.range.last, count, "positions");
  }
  const auto executor = make_executor(request.threads, request.backend);
  const GraphProver prover(*game, file);
  VerifyReport report;
  report.info = describe(file.info);
  report.unit = "positions";
  report.method = prover.method();
  report.periodic_from = count;
  const auto describe_wrong = [&](HeapSize row) {
    report.wrong = {
        row, fmt::format("position {} (row {}) {}", in_quotes(game->text(file.table.key(row))), row,
                         prover.fault(row))};
  };
  const auto prove = [&](HeapSize begin, HeapSize end) {
    const RangeResult result = prove_range(prover, begin, end, *executor, stop, progress);
    if (result.wrong) describe_wrong(*result.wrong);
    return result;
  };
  if (request.proof == ProofKind::kSamples) {
    std::vector<HeapSize> conspicuous = file.table.start;
    for (const GraphLayer& layer : file.table.layers) conspicuous.push_back(layer.end - 1);
    std::ranges::sort(conspicuous);
    const SampleResult result = prove_samples(
        request, count, conspicuous,
        [&]() -> SampleCheck { return [&](HeapSize row) { return prover.fault(row).empty(); }; },
        *executor, stop);
    report.conspicuous = result.conspicuous;
    report.random = result.random;
    if (result.wrong) {
      if (narrate) narrate(fmt::format("row {} is wrong; looking for the first", *result.wrong));
      if (!prove(0, *result.wrong + 1).wrong) describe_wrong(*result.wrong);
    }
  } else {
    const bool all = request.proof == ProofKind::kFull;
    const HeapSize first = all ? 0 : request.range.first;
    const RangeResult result = prove(first, all ? count : request.range.last + 1);
    if (result.proved_to > first) report.proved = {first, result.proved_to - 1};
  }
  report.complete = !stop.stop_requested();
  return report;
}

TableInfo graph_table_info(const std::filesystem::path& path) {
  return describe(read_graph_file(path).info);
}

}  // namespace grundy
