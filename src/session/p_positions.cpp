/// @file
/// Lists of P-positions of games on positions: finds them, and proves them from the definition.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/compute.hpp>
#include <grundy/error.hpp>
#include <grundy/games.hpp>
#include <grundy/outcomes.hpp>

#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/spread.hpp"
#include "core/stopwatch.hpp"
#include "core/text.hpp"
#include "session/list_proof.hpp"
#include "session/machine.hpp"
#include "session/setup.hpp"
#include "session/stored_graph.hpp"
#include "session/walk_down.hpp"

namespace grundy {
namespace {

using Key = std::vector<std::uint64_t>;

/// The rows whose value is 0, as a table without values.
GraphTable zeros_of(const GraphTable& table, std::span<const Nimber> values) {
  GraphTable list;
  list.key_words = table.key_words;
  std::uint64_t row = 0;
  for (const GraphLayer& layer : table.layers) {
    const std::size_t before = list.values.size();
    for (; row < layer.end; ++row) {
      if (values[row] != 0) continue;
      const auto key = table.key(row);
      list.keys.insert(list.keys.end(), key.begin(), key.end());
      list.values.push_back(0);
    }
    if (list.values.size() > before) list.layers.push_back({layer.potential, list.values.size()});
  }
  list.moves.resize(list.values.size());
  return list;
}

/// A list in memory, and its game.
class ListProof {
 public:
  ListProof(const PPositions& file, const GraphGame& game) : file_(file), game_(game) {}

  /// What is wrong with a position, as a sentence; empty if it is right.
  [[nodiscard]] std::string fault(std::span<const std::uint64_t> key) const {
    const std::vector<Key> options = options_of(key);
    const bool reaches = std::ranges::any_of(options, [&](const Key& o) { return is_listed(o); });
    const bool is_won = reaches || (file_.misere && options.empty());
    return p_position_fault(is_listed(key), reaches, is_won, [&] { return game_.text(key); });
  }

  /// Says what is wrong with a row of the list or with an option of it; empty if nothing is.
  [[nodiscard]] std::string fault_around(std::uint64_t row) const {
    const auto key = file_.list.key(row);
    std::string wrong = fault(key);
    for (const Key& option : options_of(key)) {
      if (!wrong.empty()) break;
      wrong = fault(option);
    }
    return wrong;
  }

  [[nodiscard]] std::uint32_t potential_of(std::span<const std::uint64_t> key) const {
    std::uint32_t potential = 0;
    game_.potentials(key, {&potential, 1});
    return potential;
  }

  [[nodiscard]] std::vector<Key> options_of(std::span<const std::uint64_t> key) const {
    std::vector<std::uint64_t> positions;
    game_.moves(key, positions);
    std::vector<Key> options(positions.size() / key.size());
    for (std::size_t i = 0; i < options.size(); ++i) {
      game_.reduce(std::span(positions).subspan(i * key.size(), key.size()), options[i]);
    }
    return options;
  }

  [[nodiscard]] bool is_listed(std::span<const std::uint64_t> key) const {
    return file_.list.find(key, game_).has_value();
  }

 private:
  const PPositions& file_;
  const GraphGame& game_;
};

/// Positions that are proved at once.
constexpr std::uint64_t kBatch = 1024;

}  // namespace

std::optional<PPositions> compute_p_positions(const Request& request, const Hooks& hooks) {
  const PositionGame& positions = position_game(request);
  const Output& output = request.output;
  if (positions.game->splits()) {
    throw Error(ErrorCode::kUsage,
                "the outcomes of components do not tell that of their sum; reduce positions by "
                "symmetry, or not at all");
  }
  if (!output.path.empty()) check_target(output.path, output.overwrite);
  Request values = request;
  values.output.path.clear();
  Report report = compute(values, hooks);
  if (!report.complete) return std::nullopt;
  PPositions outcomes{.info = std::move(report.positions), .misere = positions.misere, .list = {}};
  const GraphTable& rows = report.rows;
  outcomes.list = zeros_of(rows, positions.misere ? rows.misere : rows.values);
  GraphFileInfo& info = outcomes.info;
  if (outcomes.misere) info.title = misere_title(std::move(info.title));
  info.stats.p_positions = outcomes.list.size();
  info.stats.max_value = 0;
  info.stats.digest = rows_digest(outcomes.list.keys, {}, {});
  Key start;
  positions.game->start(start);
  info.root_value = ListProof(outcomes, *positions.game).is_listed(start) ? 0 : 1;
  if (!output.path.empty()) {
    write_p_positions(output.path, outcomes, output.overwrite, output.reproducible);
  }
  return outcomes;
}

PPositionsCheck check_p_positions(const ListCheckRequest& request, const Hooks& hooks) {
  const Stopwatch time;
  const PPositions file =
      read_p_positions(request.file, request.machine.memory.value_or(memory_available()));
  const auto game =
      required_game(game_of(file, request.file, request.game), file.info, request.file);
  const auto executor = make_executor(request.machine.threads, request.machine.backend);
  check_keys(file.list, file.info.game, *game, *executor, request.file);
  PPositionsCheck check;
  check.info = file.info;
  check.notation = file.info.game;
  check.unit = "positions";
  check.count = file.info.stats.positions;
  check.digest = file.info.stats.digest;
  check.statement = p_positions_statement(file.misere);
  check.methods = {kPPositionsMethod};
  const ListProof proof(file, *game);
  const std::uint64_t size = file.list.size();
  for (std::uint64_t row = 0; row < size; ++row) {
    if (proof.potential_of(file.list.key(row)) == file.list.potential(row)) continue;
    check.wrong = fmt::format("row {} stands in another layer than its position has", row);
    check.seconds = time.seconds();
    return check;
  }
  Key start;
  game->start(start);
  const std::uint64_t most =
      request.full ? file.info.stats.positions : std::min(request.samples.value_or(size), size);
  const ProofBudget budget({}, seconds_of_samples(request), most, hooks.progress);
  if (request.full) {
    const WalkReport walk = walk_down(file, *game, *executor, hooks.stop,
                                      [&](std::uint64_t proved) { budget.report(proved); });
    check.proved = walk.proved;
    if (walk.wrong) check.wrong = proof.fault(*walk.wrong);
    if (!hooks.stop.stop_requested() && check.wrong.empty() &&
        (walk.listed != size || check.proved != file.info.stats.positions)) {
      check.wrong = fmt::format("{} positions are reached, {} of them listed, not {} and {}",
                                check.proved, walk.listed, file.info.stats.positions, size);
    }
  } else {
    check.wrong = proof.fault(start);
    const Spread order(request.seed, std::max<std::uint64_t>(size, 1));
    while (check.wrong.empty() && !hooks.stop.stop_requested() && budget.lasts(check.proved)) {
      const std::uint64_t batch = budget.next(kBatch, check.proved);
      const auto fault_of = [&](std::uint64_t i) {
        return proof.fault_around(order(check.proved + i));
      };
      const auto wrong = first_fault(*executor, batch, hooks.stop,
                                     [&](std::uint64_t i) { return !fault_of(i).empty(); });
      if (wrong) check.wrong = fault_of(*wrong);
      if (!hooks.stop.stop_requested()) check.proved += wrong.value_or(batch);
      budget.report(check.proved);
    }
  }
  if (check.wrong.empty() && (proof.is_listed(start) ? 0u : 1u) != file.info.root_value) {
    check.wrong = "the outcome of the start position is not the one that its file says";
  }
  check.complete = !hooks.stop.stop_requested();
  if (request.full && check.holds()) check.proved_range = {0, check.count - 1};
  check.seconds = time.seconds();
  return check;
}

}  // namespace grundy
