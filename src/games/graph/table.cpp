// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/table.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"

namespace grundy {

std::optional<std::uint64_t> GraphTable::find(std::span<const std::uint64_t> wanted,
                                              std::uint32_t potential) const noexcept {
  const auto layer = std::ranges::lower_bound(layers, potential, {}, &GraphLayer::potential);
  if (layer == layers.end() || layer->potential != potential) return std::nullopt;
  std::uint64_t low = layer == layers.begin() ? 0 : std::prev(layer)->end;
  std::uint64_t high = layer->end;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (std::ranges::lexicographical_compare(key(middle), wanted)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == layer->end || !std::ranges::equal(key(low), wanted)) return std::nullopt;
  return low;
}

std::optional<std::uint64_t> GraphTable::find(std::span<const std::uint64_t> wanted,
                                              const GraphGame& game) const {
  std::uint32_t potential = 0;
  game.potentials(wanted, {&potential, 1});
  return find(wanted, potential);
}

std::uint32_t GraphTable::potential(std::uint64_t row) const noexcept {
  return std::ranges::upper_bound(layers, row, {}, &GraphLayer::end)->potential;
}

Nimber GraphTable::root_value() const noexcept {
  Nimber sum = 0;
  for (const std::uint64_t row : start) sum ^= values[row];
  return sum;
}

GraphStats GraphTable::stats() const {
  GraphStats stats{.positions = size()};
  for (std::size_t row = 0; row < size(); ++row) {
    stats.terminal += moves[row] == 0 ? 1 : 0;
    stats.p_positions += values[row] == 0 ? 1 : 0;
    stats.moves += moves[row];
    stats.max_value = std::max(stats.max_value, values[row]);
  }
  stats.digest = rows_digest(keys, values, misere);
  return stats;
}

std::optional<MiserePlay> GraphTable::misere_play() const {
  if (misere.empty()) return std::nullopt;
  // Positions with misère values are whole ones, so the start is one row.
  return MiserePlay{.p_positions = static_cast<std::uint64_t>(std::ranges::count(misere, 0u)),
                    .root_value = misere[start.front()]};
}

GraphAdjacency graph_adjacency(const GraphGame& game, const GraphTable& table,
                               std::optional<std::uint64_t> memory_limit) {
  GraphAdjacency adjacency;
  const std::size_t words = table.key_words;
  const std::uint64_t moves =
      std::accumulate(table.moves.begin(), table.moves.end(), std::uint64_t{0});
  const auto make_room = [&](std::uint64_t targets) {
    // Two copies of the targets are in memory while they are moved.
    const std::uint64_t bytes = 8 * (table.size() + moves + targets + adjacency.targets.capacity());
    if (memory_limit && bytes > *memory_limit) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("the options of {} positions need {} of memory, and {} are allowed",
                              format_count(table.size()), format_bytes(bytes),
                              format_bytes(*memory_limit)));
    }
    adjacency.targets.reserve(targets);
  };
  make_room(moves);
  adjacency.position_end.reserve(table.size());
  adjacency.option_end.reserve(moves);
  ExpandedOptions expansion;
  for (std::uint64_t row = 0; row < table.size(); ++row) {
    expansion.clear();
    game.expand(table.key(row), expansion);
    const std::uint64_t before = adjacency.targets.size();
    if (const std::uint64_t needed = before + expansion.keys().size() / words;
        needed > adjacency.targets.capacity()) {
      make_room(needed + needed / 2);
    }
    for (std::size_t i = 0; i < expansion.keys().size(); i += words) {
      const auto key = expansion.keys().subspan(i, words);
      const auto target = table.find(key, game);
      if (!target) {
        throw Error(ErrorCode::kMismatch,
                    fmt::format("the table is not one of this game: it lacks {}, an option of row "
                                "{}",
                                in_quotes(game.text(key)), row));
      }
      adjacency.targets.push_back(*target);
    }
    for (std::uint32_t i = 0; i < expansion.position_end()[0]; ++i) {
      adjacency.option_end.push_back(before + (game.splits() ? expansion.option_end()[i] : i + 1));
    }
    adjacency.position_end.push_back(adjacency.option_end.size());
  }
  return adjacency;
}

}  // namespace grundy
