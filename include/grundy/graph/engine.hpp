/// @file
/// Every position of a game with its value, and the engines that find them.
///
/// The rows of a table stand in the order of (potential, key), so every option of a position comes
/// before it. Values and order depend on the game alone: not on threads, engines or memory.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/graph/graph_game.hpp>
#include <grundy/machine.hpp>
#include <grundy/progress.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// What to compute and with what. References must outlive the run.
struct GraphTask {
  const GraphGame& game;
  const KernelSet& kernels;
  Executor& executor;
  std::stop_token stop{};
  ProgressSink* progress = nullptr;
  std::uint64_t memory_limit = 0;  ///< bytes; 0: no limit
  /// Also the misère values (terminal positions have value 1). They say who wins a position when
  /// the last move loses, and nothing about sums, so the game must not be split into components.
  bool misere = false;
};

/// The rows of one potential.
struct GraphLayer {
  std::uint32_t potential = 0;
  std::uint64_t end = 0;  ///< the row behind the last
  friend bool operator==(const GraphLayer&, const GraphLayer&) = default;
};

/// Counts and digest of a table.
struct GraphStats {
  std::uint64_t positions = 0;
  std::uint64_t terminal = 0;     ///< positions without a move
  std::uint64_t p_positions = 0;  ///< positions of value 0
  std::uint64_t moves = 0;        ///< options of all positions
  Nimber max_value = 0;
  /// XXH3-128 of the words of all keys, then all values, then all misère values, as 32-bit
  /// little-endian integers (low half of a word first).
  Digest128 digest{};
  friend bool operator==(const GraphStats&, const GraphStats&) = default;
};

/// Every position reached from the start.
struct GraphTable {
  unsigned key_words = 1;
  std::vector<std::uint64_t> keys;  ///< key_words words a row
  std::vector<Nimber> values;
  std::vector<Nimber> misere;          ///< empty unless asked for
  std::vector<std::uint32_t> options;  ///< moves of each position
  std::vector<GraphLayer> layers;      ///< by ascending potential
  std::vector<std::uint64_t> start;    ///< rows whose sum is the start position

  [[nodiscard]] std::uint64_t size() const noexcept { return values.size(); }
  [[nodiscard]] std::span<const std::uint64_t> key(std::uint64_t row) const noexcept {
    return std::span(keys).subspan(row * key_words, key_words);
  }
  /// The row of a position of known potential, if it is in the table. O(log n)
  [[nodiscard]] std::optional<std::uint64_t> find(std::span<const std::uint64_t> key,
                                                  std::uint32_t potential) const noexcept;
  /// The potential of a row. O(log layers)
  [[nodiscard]] std::uint32_t potential(std::uint64_t row) const noexcept;
  /// The value of the start position.
  [[nodiscard]] Nimber root_value() const noexcept;
  [[nodiscard]] GraphStats stats() const;
  friend bool operator==(const GraphTable&, const GraphTable&) = default;
};

/// The options of all positions, as rows. Ends are exclusive; each run begins at the end of the one
/// before.
struct GraphAdjacency {
  std::vector<std::uint64_t> position_end;  ///< row i has the options up to position_end[i]
  std::vector<std::uint64_t> option_end;    ///< option j has the targets up to option_end[j]
  std::vector<std::uint64_t> targets;       ///< rows; their sum is the option
  friend bool operator==(const GraphAdjacency&, const GraphAdjacency&) = default;
};

/// An algorithm for tables of positions. Stateless.
class GraphEngine {
 public:
  virtual ~GraphEngine() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  [[nodiscard]] virtual std::string_view summary() const noexcept = 0;
  /// Empty if this engine can compute the game, else the reason in one clause.
  [[nodiscard]] virtual std::string refusal(const GraphGame& game) const = 0;
  /// Bytes of memory for a table of `positions` positions, at most.
  [[nodiscard]] virtual std::uint64_t memory_bytes(const GraphGame& game,
                                                   std::uint64_t positions) const = 0;
  /// The table of all positions; nothing if the run was stopped.
  /// @throws Error(kFailure) at the limit of memory, or for a game that breaks its contract
  [[nodiscard]] virtual std::optional<GraphTable> run(const GraphTask& task) const = 0;
};

/// Every engine, the reference first.
std::span<const GraphEngine* const> graph_engines() noexcept;

/// The engine called `name`; `auto` picks the fastest that takes the game.
/// @throws Error(kUsage) if there is none of that name or it refuses the game
const GraphEngine& select_graph_engine(std::string_view name, const GraphGame& game);

/// The options of every position of a table. O(moves log positions)
/// @param memory_limit bytes for them; 0: no limit
/// @throws Error(kFailure) at the limit of memory, Error(kMismatch) if an option is not in the
/// table
GraphAdjacency graph_adjacency(const GraphGame& game, const GraphTable& table,
                               std::uint64_t memory_limit = 0);

/// Values of single positions without a table of all of them.
///
/// A search that decides questions "has this component the value n?" instead of computing values
/// (Lemoine and Viennot, Nimbers are inevitable, 2012): an option with value n answers no, and most
/// options are never valued. What is learnt of a component is kept. One thread.
class GraphSearch {
 public:
  /// @param memory_limit bytes for what is learnt; 0: no limit
  GraphSearch(const GraphGame& game, std::uint64_t memory_limit, std::stop_token stop = {});
  ~GraphSearch();
  GraphSearch(GraphSearch&&) noexcept;
  GraphSearch& operator=(GraphSearch&&) = delete;

  /// The value of the sum of the components `keys`; nothing if it was stopped.
  /// @throws Error(kFailure) at the limit of memory, or if the potential exceeds 10000
  std::optional<Nimber> value(std::span<const std::uint64_t> keys);
  /// Components about which something was learnt.
  [[nodiscard]] std::uint64_t known() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grundy
