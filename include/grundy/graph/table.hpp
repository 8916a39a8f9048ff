/// @file
/// Every position of a game with its value.
///
/// The rows of a table stand in the order of (potential, key), so every option of a position comes
/// before it. Values and order depend on the game alone: not on threads, engines or memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/graph/graph_game.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The rows of one potential.
struct GraphLayer {
  std::uint32_t potential = 0;
  std::uint64_t end = 0;  ///< the row behind the last
  friend bool operator==(const GraphLayer&, const GraphLayer&) = default;
};

/// Counts and digest of a table.
struct GraphStats {
  std::uint64_t positions = 0;
  std::uint64_t terminal = 0;     ///< positions without an option
  std::uint64_t p_positions = 0;  ///< positions of value 0
  std::uint64_t moves = 0;        ///< of all positions
  Nimber max_value = 0;
  /// XXH3-128 of the words of all keys, then all values, then all misère values, as 32-bit
  /// little-endian integers (low half of a word first).
  Digest128 digest{};
  friend bool operator==(const GraphStats&, const GraphStats&) = default;
};

/// What the misère values of a table say: misère nim-values (grundy/misere.hpp).
struct MiserePlay {
  std::uint64_t p_positions = 0;  ///< positions of misère value 0
  Nimber root_value = 0;          ///< the misère value of the start position
  friend bool operator==(const MiserePlay&, const MiserePlay&) = default;
};

/// Every position reached from the start.
struct GraphTable {
  unsigned key_words = 1;
  std::vector<std::uint64_t> keys;  ///< key_words words a row
  std::vector<Nimber> values;
  std::vector<Nimber> misere;  ///< empty unless asked for
  /// The number of moves of each position. Moves to the same option count apart, if the game lists
  /// them apart.
  std::vector<std::uint32_t> moves;
  std::vector<GraphLayer> layers;    ///< by ascending potential
  std::vector<std::uint64_t> start;  ///< rows whose sum is the start position

  [[nodiscard]] std::uint64_t size() const noexcept { return values.size(); }
  [[nodiscard]] std::span<const std::uint64_t> key(std::uint64_t row) const noexcept {
    return std::span(keys).subspan(row * key_words, key_words);
  }
  /// The row of a position of known potential, if it is in the table. O(log n)
  [[nodiscard]] std::optional<std::uint64_t> find(std::span<const std::uint64_t> key,
                                                  std::uint32_t potential) const noexcept;
  /// The row of a position of `game`, if it is in the table. O(log n)
  [[nodiscard]] std::optional<std::uint64_t> find(std::span<const std::uint64_t> key,
                                                  const GraphGame& game) const;
  /// The potential of a row. O(log layers)
  [[nodiscard]] std::uint32_t potential(std::uint64_t row) const noexcept;
  /// The value of the start position.
  [[nodiscard]] Nimber root_value() const noexcept;
  [[nodiscard]] GraphStats stats() const;
  /// Nothing if the table has no misère values. O(n)
  [[nodiscard]] std::optional<MiserePlay> misere_play() const;
  friend bool operator==(const GraphTable&, const GraphTable&) = default;
};

/// The options of all positions, as rows, one for each move. Ends are exclusive; each list begins
/// where the one before ends.
struct GraphAdjacency {
  std::vector<std::uint64_t> position_end;  ///< row i has the options up to position_end[i]
  std::vector<std::uint64_t> option_end;    ///< option j has the targets up to option_end[j]
  std::vector<std::uint64_t> targets;       ///< rows; their sum is the option
  friend bool operator==(const GraphAdjacency&, const GraphAdjacency&) = default;
};

/// The options of every position of a table. O(moves log positions)
/// @param memory_limit bytes for them; unset: no limit
/// @throws Error(kFailure) at the limit of memory, Error(kMismatch) if an option is not in the
/// table
GraphAdjacency graph_adjacency(const GraphGame& game, const GraphTable& table,
                               std::optional<std::uint64_t> memory_limit = {});

}  // namespace grundy
