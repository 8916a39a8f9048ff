// SPDX-License-Identifier: MIT
#include "verify/graph/prover.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include <fmt/format.h>

namespace grundy {
namespace {

Nimber mex(const std::vector<bool>& seen) {
  return static_cast<Nimber>(std::ranges::find(seen, false) - seen.begin());
}

}  // namespace

GraphProver::GraphProver(const GraphGame& game, const GraphFile& file)
    : game_(game), file_(file), reached_(file.table.size()) {
  for (const std::uint64_t row : file.table.start) reached_[row] = 1;
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
  if (options->size() != table.options[row]) {
    return fmt::format("has {} options, where {} are recorded", options->size(),
                       table.options[row]);
  }
  if (std::string clause = fault_of_values(row, *options); !clause.empty()) return clause;
  if (file_.adjacency && !is_stored(row, *options)) {
    return "has other options than its adjacency records";
  }
  return {};
}

std::optional<std::vector<GraphProver::Rows>> GraphProver::options_of(std::uint64_t row) const {
  const GraphTable& table = file_.table;
  const std::size_t words = table.key_words;
  const std::uint32_t own = table.potential(row);
  std::vector<std::uint64_t> positions, keys;
  game_.moves(table.key(row), positions);
  std::vector<Rows> options(positions.size() / words);
  for (std::size_t i = 0; i < options.size(); ++i) {
    keys.clear();
    game_.reduce(std::span(positions).subspan(i * words, words), keys);
    for (std::size_t at = 0; at < keys.size(); at += words) {
      const auto key = std::span(keys).subspan(at, words);
      std::uint32_t potential = 0;
      game_.potentials(key, {&potential, 1});
      const auto target = potential < own ? table.find(key, potential) : std::nullopt;
      if (!target) return std::nullopt;
      options[i].push_back(*target);
      const std::atomic_ref reached(reached_[*target]);
      if (reached.load(std::memory_order_relaxed) == 0) {
        reached.store(1, std::memory_order_relaxed);
      }
    }
  }
  return options;
}

std::string GraphProver::fault_of_values(std::uint64_t row,
                                         const std::vector<Rows>& options) const {
  const GraphTable& table = file_.table;
  // The mex of this many values is at most their number.
  std::vector<bool> seen(options.size() + 1, false), misere_seen(options.size() + 1, false);
  const auto mark = [](std::vector<bool>& set, Nimber value) {
    if (value < set.size()) set[value] = true;
  };
  for (const Rows& option : options) {
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
  const Nimber misere = options.empty() ? 1 : mex(misere_seen);
  if (!table.misere.empty() && table.misere[row] != misere) {
    return fmt::format("has misère value {}, but {} follows from its options", table.misere[row],
                       misere);
  }
  return {};
}

bool GraphProver::is_stored(std::uint64_t row, std::vector<Rows> options) const {
  const GraphAdjacency& stored = *file_.adjacency;
  std::uint64_t option = row == 0 ? 0 : stored.position_end[row - 1];
  const std::uint64_t end = stored.position_end[row];
  std::vector<Rows> recorded;
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
