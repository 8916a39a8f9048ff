// SPDX-License-Identifier: MIT
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/catalogue.hpp>
#include <grundy/graph/compute.hpp>

#include "core/text.hpp"
#include "kernels/kernels.hpp"
#include "parallel/executor.hpp"
#include "session/machine.hpp"
#include "session/provenance.hpp"

namespace grundy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

ResolvedGraphGame resolve(const GraphRequest& request) {
  auto resolved = resolve_graph_game(request.game, request.reduction);
  if (!resolved) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is no game on positions; `grundy games` lists them",
                            in_quotes(request.game)));
  }
  return std::move(*resolved);
}

/// A request, checked and bound to the parts that carry it out.
struct GraphSetup {
  explicit GraphSetup(const GraphRequest& request)
      : resolved(resolve(request)),
        engine(select_graph_engine(request.engine, *resolved.game)),
        kernels(select_kernels(request.kernel)),
        executor(make_executor(request.threads, request.backend)),
        memory_limit(request.memory_limit != 0 ? request.memory_limit : memory_available()) {}

  ResolvedGraphGame resolved;
  const GraphEngine& engine;
  const KernelSet& kernels;
  std::unique_ptr<Executor> executor;
  std::uint64_t memory_limit;
};

/// What a table leaves of the memory that is allowed; at least a byte, because 0 is no limit.
std::uint64_t left_of(std::uint64_t limit, const GraphTable& table) {
  const std::uint64_t bytes =
      table.size() * (8 * table.key_words + (table.misere.empty() ? 2 : 3) * sizeof(Nimber));
  return limit > bytes ? limit - bytes : 1;
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

}  // namespace

GraphPrediction predict(const GraphRequest& request) {
  const GraphSetup setup(request);
  const GraphGame& game = *setup.resolved.game;
  GraphPrediction prediction{.engine = std::string(setup.engine.name()),
                             .kernel = std::string(setup.kernels.name),
                             .threads = setup.executor->threads(),
                             .memory_limit = setup.memory_limit};
  if (const std::uint64_t size = game.dense_size(); size > 0) {
    prediction.positions = size;
    prediction.memory_bytes = setup.engine.memory_bytes(game, size);
  }
  prediction.positions_in_memory = positions_within(setup.engine, game, setup.memory_limit);
  return prediction;
}

GraphReport compute(const GraphRequest& request, std::stop_token stop, ProgressSink* progress,
                    const std::function<void(const std::string&)>& narrate) {
  const Life life;
  const GraphSetup setup(request);
  if (!request.output.empty() && !request.force && std::filesystem::exists(request.output)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' exists; --force replaces it", request.output.string()));
  }
  if (narrate) {
    narrate(fmt::format("{} engine, kernel {}, {} thread{}, up to {} of memory",
                        setup.engine.name(), setup.kernels.name, setup.executor->threads(),
                        setup.executor->threads() == 1 ? "" : "s",
                        format_bytes(setup.memory_limit)));
  }
  GraphReport report;
  report.threads = setup.executor->threads();
  const auto engine_start = Clock::now();
  const auto table = setup.engine.run({.game = *setup.resolved.game,
                                       .kernels = setup.kernels,
                                       .executor = *setup.executor,
                                       .stop = std::move(stop),
                                       .progress = progress,
                                       .memory_limit = setup.memory_limit,
                                       .misere = request.misere});
  report.engine_seconds = seconds_since(engine_start);
  if (table) {
    report.complete = true;
    const NamedGraphGame& named = *setup.resolved.named;
    report.info = {.game = request.game,
                   .title = std::string(named.title),
                   .rules = std::string(named.rules),
                   .reference = std::string(named.reference),
                   .positions = std::string(named.positions),
                   .reduction = setup.resolved.game->reduction(),
                   .engine = std::string(setup.engine.name()),
                   .kernel = std::string(setup.kernels.name),
                   .stats = table->stats(),
                   .root_value = table->root_value(),
                   .provenance_json = provenance_json(request.command_line, request.reproducible,
                                                      report.threads, life)};
    if (!request.output.empty()) {
      std::optional<GraphAdjacency> adjacency;
      if (request.adjacency) {
        adjacency =
            graph_adjacency(*setup.resolved.game, *table, left_of(setup.memory_limit, *table));
      }
      write_graph_file(request.output, report.info, *table, adjacency ? &*adjacency : nullptr,
                       request.force, request.reproducible);
      report.file_bytes = std::filesystem::file_size(request.output);
    }
  }
  report.seconds = life.seconds();
  return report;
}

std::optional<RootReport> compute_root(const GraphRequest& request, std::stop_token stop) {
  const auto start = Clock::now();
  const ResolvedGraphGame resolved = resolve(request);
  GraphSearch search(*resolved.game,
                     request.memory_limit != 0 ? request.memory_limit : memory_available(),
                     std::move(stop));
  std::vector<std::uint64_t> keys;
  resolved.game->start(keys);
  const auto value = search.value(keys);
  if (!value) return std::nullopt;
  return RootReport{*value, search.known(), seconds_since(start)};
}

}  // namespace grundy
