// SPDX-License-Identifier: MIT
#include "verify/graph/prover.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

namespace grundy {
namespace {

/// Written again, because the proof must not repeat a mistake of the engines.
Nimber mex(const std::vector<bool>& seen) {
  return static_cast<Nimber>(std::ranges::find(seen, false) - seen.begin());
}

}  // namespace

GraphProver::GraphProver(const GraphGame& game, const GraphFile& file)
    : game_(game), file_(file), reached_(file.table.size()) {
  const GraphTable& table = file.table;
  for (const std::uint64_t row : table.start) reached_[row] = 1;
  const std::uint64_t numbers = game.dense_size().value_or(0);
  constexpr std::uint64_t kMostForARow = 4;
  if (table.key_words != 1 || table.size() >= kNoRow || numbers / kMostForARow > table.size()) {
    return;
  }
  row_of_number_.resize(numbers, kNoRow);
  for (std::uint64_t row = 0; row < table.size(); ++row) {
    if (const std::uint64_t number = table.keys[row]; number < numbers) {
      row_of_number_[number] = static_cast<std::uint32_t>(row);
    }
  }
}

std::optional<HeapSize> GraphProver::first_wrong(HeapSize begin, HeapSize end) const {
  for (HeapSize row = begin; row < end; ++row) {
    if (!fault(row).empty()) return row;
  }
  return std::nullopt;
}

std::optional<Fault> GraphProver::fault_of_whole() const {
  const auto at = std::ranges::find(reached_, 0);
  if (at == reached_.end()) return std::nullopt;
  return Fault{static_cast<HeapSize>(at - reached_.begin()),
               "is not reached from the start position"};
}

std::string GraphProver::fault(std::uint64_t row) const {
  const GraphTable& table = file_.table;
  std::uint32_t potential = 0;
  game_.potentials(table.key(row), {&potential, 1});
  if (const std::uint32_t own = table.potential(row); potential != own) {
    return fmt::format("stands in layer {}, not {}", own, potential);
  }
  const auto options = options_of(row);
  if (!options) return "has an option that is not below it in the table";
  if (options->size() != table.moves[row]) {
    return fmt::format("has {} moves, where {} are recorded", options->size(), table.moves[row]);
  }
  if (std::string clause = fault_of_values(row, *options); !clause.empty()) return clause;
  if (file_.adjacency && !is_stored(row, *options)) {
    return "has other options than its adjacency records";
  }
  return {};
}

std::optional<std::uint64_t> GraphProver::row_of(std::span<const std::uint64_t> key,
                                                 std::uint64_t below) const {
  if (row_of_number_.empty()) {
    const auto row = file_.table.find(key, game_);
    return row && *row < below ? row : std::nullopt;
  }
  if (key[0] >= row_of_number_.size()) return std::nullopt;
  const std::uint32_t row = row_of_number_[key[0]];
  return row < below ? std::optional<std::uint64_t>(row) : std::nullopt;
}

std::optional<GraphProver::Options> GraphProver::options_of(std::uint64_t row) const {
  const GraphTable& table = file_.table;
  const std::size_t words = table.key_words;
  const auto layer = std::ranges::upper_bound(table.layers, row, {}, &GraphLayer::end);
  const std::uint64_t below = layer == table.layers.begin() ? 0 : std::prev(layer)->end;
  std::vector<std::uint64_t> positions, keys;
  game_.moves(table.key(row), positions);
  Options options;
  options.rows.reserve(positions.size() / words);
  options.end.reserve(positions.size() / words);
  for (std::size_t i = 0; i < positions.size(); i += words) {
    keys.clear();
    game_.reduce(std::span(positions).subspan(i, words), keys);
    for (std::size_t at = 0; at < keys.size(); at += words) {
      const auto target = row_of(std::span(keys).subspan(at, words), below);
      if (!target) return std::nullopt;
      options.rows.push_back(*target);
      const std::atomic_ref reached(reached_[*target]);
      if (reached.load(std::memory_order_relaxed) == 0) {
        reached.store(1, std::memory_order_relaxed);
      }
    }
    options.end.push_back(options.rows.size());
  }
  return options;
}

std::string GraphProver::fault_of_values(std::uint64_t row, const Options& options) const {
  const GraphTable& table = file_.table;
  // The mex of this many values is at most their number.
  std::vector<bool> seen(options.size() + 1, false), misere_seen(options.size() + 1, false);
  const auto mark = [](std::vector<bool>& set, Nimber value) {
    if (value < set.size()) set[value] = true;
  };
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto option = options[i];
    Nimber sum = 0;
    for (const std::uint64_t target : option) sum ^= table.values[target];
    mark(seen, sum);
    // Games with misère values do not split positions, so an option is one row.
    if (!table.misere.empty()) mark(misere_seen, table.misere[option.front()]);
  }
  if (const Nimber value = mex(seen); table.values[row] != value) {
    return value_fault(table.values[row], value);
  }
  if (const bool lost = table.values[row] == 0; file_.outcomes[row] != (lost ? 1 : 0)) {
    return fmt::format("has value {}, but is_p_position says {}", table.values[row],
                       file_.outcomes[row]);
  }
  const Nimber misere = options.size() == 0 ? 1 : mex(misere_seen);
  if (!table.misere.empty() && table.misere[row] != misere) {
    return fmt::format("has misère value {}, but {} follows from its options", table.misere[row],
                       misere);
  }
  return {};
}

bool GraphProver::is_stored(std::uint64_t row, const Options& listed) const {
  const GraphAdjacency& stored = *file_.adjacency;
  std::uint64_t option = row == 0 ? 0 : stored.position_end[row - 1];
  const std::uint64_t end = stored.position_end[row];
  using Rows = std::vector<std::uint64_t>;
  std::vector<Rows> options, recorded;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    options.emplace_back(listed[i].begin(), listed[i].end());
  }
  for (; option < end; ++option) {
    const std::uint64_t begin = option == 0 ? 0 : stored.option_end[option - 1];
    recorded.emplace_back(
        stored.targets.begin() + static_cast<std::ptrdiff_t>(begin),
        stored.targets.begin() + static_cast<std::ptrdiff_t>(stored.option_end[option]));
  }
  if (recorded == options) return true;
  // The order in which a game lists options and their parts is not part of the format.
  for (std::vector<Rows>* const all : {&recorded, &options}) {
    for (Rows& rows : *all) std::ranges::sort(rows);
    std::ranges::sort(*all);
  }
  return recorded == options;
}

}  // namespace grundy
