// SPDX-License-Identifier: MIT
#include "verify/graph/subject.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <grundy/graph/engine.hpp>

#include "core/text.hpp"
#include "session/machine.hpp"
#include "session/stored_graph.hpp"

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
  table.provenance_json = info.provenance_json;
  return table;
}

/// The first row in which two tables differ. If one table only ends earlier, its last row.
HeapSize first_difference(const GraphTable& a, const GraphTable& b) {
  const auto is_equal = [&](HeapSize row) {
    return std::ranges::equal(a.key(row), b.key(row)) && a.values[row] == b.values[row] &&
           a.moves[row] == b.moves[row] && (b.misere.empty() || a.misere[row] == b.misere[row]);
  };
  HeapSize row = 0;
  while (row + 1 < b.size() && row < a.size() && is_equal(row)) ++row;
  return row;
}

}  // namespace

GraphSubject::GraphSubject(const Work& work)
    : work_(work),
      file_(read_stored_graph(work.request.table, work.memory)),
      game_(required_game(game_of(file_, work.request.table, work.request.game), file_.info,
                          work.request.table)),
      prover_(*game_, file_) {
  info_ = describe(file_.info);
}

std::string GraphSubject::name(HeapSize row) const {
  return fmt::format("position {} (row {})", in_quotes(game_->text(file_.table.key(row))), row);
}

bool GraphSubject::load(HeapSize /*keep*/) {
  check_keys(file_.table, file_.info.game, *game_, *work_.executor, work_.request.table);
  return true;
}

std::vector<HeapSize> GraphSubject::conspicuous() const {
  std::vector<HeapSize> rows = file_.table.start;
  for (const GraphLayer& layer : file_.table.layers) rows.push_back(layer.end - 1);
  std::ranges::sort(rows);
  return rows;
}

EntryCheck GraphSubject::entry_check(double /*seconds*/) const {
  return [this](HeapSize row) { return prover_.fault(row).empty(); };
}

std::string GraphSubject::fault(HeapSize row) const {
  return prover_.fault(row);
}

SecondComputation GraphSubject::compute_again(const std::string& name) const {
  const GraphEngine& engine = select_graph_engine(name, *game_);
  const GraphTable& table = file_.table;
  std::optional<std::uint64_t> memory = work_.memory;
  if (work_.request.machine.memory && memory) {  // what the table leaves of the memory limit
    const std::uint64_t taken =
        table.size() * (8 * table.key_words + 3 * sizeof(Nimber) + 2) + prover_.bytes();
    *memory -= std::min(*memory, taken);
  }
  const auto anew = engine.run({.game = *game_,
                                .kernels = work_.kernels,
                                .executor = *work_.executor,
                                .stop = work_.hooks.stop,
                                .progress = work_.hooks.progress,
                                .memory_limit = memory,
                                .misere = !table.misere.empty()});
  SecondComputation result{
      .complete = anew.has_value(),
      .method = fmt::format("engine {}, kernel {}", engine.name(), work_.kernels.name)};
  if (anew && *anew != table) {
    result.difference = {first_difference(*anew, table),
                         fmt::format("is not what the engine {} finds there", engine.name())};
  }
  return result;
}

TableInfo graph_table_info(const std::filesystem::path& path) {
  return describe(read_stored_graph(path, memory_available()).info);
}

}  // namespace grundy
