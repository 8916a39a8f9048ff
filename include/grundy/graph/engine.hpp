/// @file
/// The engines that find every position of a game with its value.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include <grundy/error.hpp>
#include <grundy/graph/graph_game.hpp>
#include <grundy/graph/table.hpp>
#include <grundy/machine.hpp>
#include <grundy/progress.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// What to compute and with what. References must outlive the run.
struct GraphTask {
  const GraphGame& game;
  const KernelSet& kernels;
  Executor& executor;
  std::stop_token stop{};
  ProgressSink* progress = nullptr;
  std::optional<std::uint64_t> memory_limit{};  ///< bytes; unset: no limit
  /// Also the misère values (terminal positions have value 1). They say who wins a position when
  /// the last move loses, and nothing about sums, so the game must not be split into components.
  bool misere = false;
};

/// An algorithm for tables of positions. Stateless.
class GraphEngine {
 public:
  virtual ~GraphEngine() = default;

  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  [[nodiscard]] virtual std::string_view summary() const noexcept = 0;
  /// Empty if this engine can compute the game, else the reason in one clause.
  [[nodiscard]] virtual std::string refusal(const GraphGame& game) const = 0;
  /// An upper bound of the memory in bytes for a table of `positions` positions.
  [[nodiscard]] virtual std::uint64_t memory_bytes(const GraphGame& game,
                                                   std::uint64_t positions) const = 0;
  /// The table of all positions; nothing if the run was stopped.
  ///
  /// compute() checks an engine of your own (PositionGame::engine): every row has a key, a value
  /// and a number of moves, rows and layers are in their order, and the start is that of the
  /// game. Otherwise it throws Error(kFailure). That no option is missing is checked only if the
  /// file is to have the options (Output::adjacency).
  /// @throws Error(kFailure) at the limit of memory, or for a game that breaks its contract
  [[nodiscard]] virtual std::optional<GraphTable> run(const GraphTask& task) const = 0;
};

/// Every engine, the reference first.
std::span<const GraphEngine* const> graph_engines() noexcept;

/// The engine called `name`; `auto` (or empty) picks the fastest that takes the game.
/// @throws Error(kUsage) if there is none of that name or it refuses the game
const GraphEngine& select_graph_engine(std::string_view name, const GraphGame& game);

/// The engine called `name` for the value of the start position alone; null for a search. `auto`
/// (or empty) is a table only if positions are numbered, which makes the table faster, and if it
/// fits in `memory_limit` bytes.
/// @throws Error(kUsage) as select_graph_engine()
const GraphEngine* select_root_engine(std::string_view name, const GraphGame& game,
                                      std::uint64_t memory_limit);

/// Values of single positions without a table of all of them.
///
/// A search that decides questions "has this component the value n?" instead of computing values
/// (Lemoine and Viennot, Nimbers are inevitable, 2012). One option of value n answers no, so most
/// options are never valued. The search keeps what it learns of a component, as far as there is
/// memory for it. What it forgets costs time and changes no value. Threads share what they learn,
/// and turn first to options that no other thread searches.
class GraphSearch {
 public:
  /// @param memory_limit bytes for what is learnt; unset: no limit. The table of the least size is
  ///   made even if it exceeds this
  /// @param executor runs the threads; null: the calling thread alone. It must outlive the search.
  /// @param kernels the inner loops; the value does not depend on them
  explicit GraphSearch(const GraphGame& game, std::optional<std::uint64_t> memory_limit = {},
                       Executor* executor = nullptr,
                       const KernelSet& kernels = select_kernels("auto"));
  ~GraphSearch();
  GraphSearch(GraphSearch&&) noexcept;
  GraphSearch& operator=(GraphSearch&&) = delete;

  /// The bytes of the tables with which a search begins.
  [[nodiscard]] static std::uint64_t least_bytes(
      const GraphGame& game, const KernelSet& kernels = select_kernels("auto")) noexcept;

  /// The value of the sum of the components `keys`; nothing if `stop` came first. What was learnt
  /// by then is kept.
  /// @throws Error(kFailure) if the potential exceeds 10000
  std::optional<Nimber> value(std::span<const std::uint64_t> keys,
                              const std::stop_token& stop = {});
  /// Hands over what was learnt from more than one position, in pieces of at most `most` entries:
  /// the words of a key, and one that says what is known of it. Another thread may search
  /// meanwhile.
  void hand_over(std::size_t most,
                 const std::function<void(std::span<const std::uint64_t>)>& take) const;
  /// Learns what a search for the same game has handed over. Returns false, perhaps after some of
  /// the entries, if one of them cannot be from such a search. @pre nothing is searched
  [[nodiscard]] bool take_over(std::span<const std::uint64_t> entries);
  /// Positions whose options were looked at. One that was forgotten, that was asked for another
  /// value, or that two threads searched counts again. Another thread may search meanwhile; then
  /// up to a thousand positions of each thread are missing.
  [[nodiscard]] std::uint64_t searched() const noexcept;
  /// Components about which something is known. Both numbers depend on the timing of threads.
  [[nodiscard]] std::uint64_t known() const noexcept;
  /// The bytes of the tables of what is known. Another thread may search meanwhile.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace grundy
