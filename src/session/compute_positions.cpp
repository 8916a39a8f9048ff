// SPDX-License-Identifier: MIT
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>

#include "core/atomic_file.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "session/compute_kinds.hpp"
#include "session/own_engine.hpp"
#include "session/provenance.hpp"
#include "session/setup.hpp"

namespace grundy {
namespace {

/// The allowed memory that a table leaves free.
std::uint64_t left_of(std::uint64_t limit, const GraphTable& table) {
  const std::uint64_t bytes =
      table.size() * (8 * table.key_words + (table.misere.empty() ? 2 : 3) * sizeof(Nimber));
  return limit - std::min(limit, bytes);
}

GraphFileInfo describe(const PositionSetup& setup, const GraphTable& table, const Life& life) {
  const Request& request = setup.request;
  return {
      .game = request.about.game,
      .title = request.about.title.empty() ? request.about.game : request.about.title,
      .rules = request.about.rules,
      .reference = request.about.reference,
      .positions = request.about.positions,
      .reduction = setup.game.reduction(),
      .engine = std::string(setup.engine.name()),
      .kernel = std::string(setup.kernels.name),
      .stats = table.stats(),
      .root_value = table.root_value(),
      .provenance_json = provenance_json(request.output.command_line, request.output.reproducible,
                                         setup.executor->threads(), life)};
}

/// Writes the file and returns its bytes.
std::uint64_t write(const PositionSetup& setup, const Report& report) {
  const Output& output = setup.request.output;
  std::optional<GraphAdjacency> adjacency;
  if (output.adjacency) {
    adjacency = graph_adjacency(setup.game, report.rows, left_of(setup.memory, report.rows));
  }
  write_graph_file(output.path, report.positions, report.rows, adjacency ? &*adjacency : nullptr,
                   output.overwrite, output.reproducible);
  return std::filesystem::file_size(output.path);
}

}  // namespace

Report compute_positions(const Request& request, const Hooks& hooks) {
  const Life life;
  const PositionSetup setup(request);
  const Output& output = request.output;
  if (!output.path.empty()) check_target(output.path, output.overwrite);
  Report report;
  report.threads = setup.executor->threads();
  if (hooks.narrate) {
    hooks.narrate(fmt::format("{} engine, kernel {}, {} thread{}, up to {} of memory",
                              setup.engine.name(), setup.kernels.name, report.threads,
                              report.threads == 1 ? "" : "s", format_bytes(setup.memory)));
  }
  const Stopwatch engine_time;
  const PositionGame& game = position_game(request);
  const GraphTask task{.game = setup.game,
                       .kernels = setup.kernels,
                       .executor = *setup.executor,
                       .stop = hooks.stop,
                       .progress = hooks.progress,
                       .memory_limit = setup.memory,
                       .misere = game.misere};
  auto rows = game.engine != nullptr ? run_own(setup.engine, task) : setup.engine.run(task);
  report.engine_seconds = engine_time.seconds();
  if (rows) {
    report.rows = std::move(*rows);
    const Stretch values{
        .begin = 0, .values = std::span<const Nimber>(report.rows.values), .table = {}};
    report.complete = !hooks.values || hooks.values(values) == Flow::kContinue;
  }
  if (report.complete) {
    report.positions = describe(setup, report.rows, life);
    if (!output.path.empty()) report.file_bytes = write(setup, report);
  }
  report.seconds = life.time.seconds();
  return report;
}

}  // namespace grundy
