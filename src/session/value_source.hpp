/// @file
/// Where the values of a game come from when a few heaps of it are asked about: a table file, or
/// a computation on the fly that ends as soon as a period is certified.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <grundy/games.hpp>
#include <grundy/hooks.hpp>
#include <grundy/table.hpp>

#include "theory/game_values.hpp"

namespace grundy {

/// Whether `text` is the path of a table rather than a game: an existing file that is not a rules
/// file, or a path that ends in `.h5`.
bool names_a_table(const std::string& text);

/// A table of one heap, or a file of statistics of one, which has the last values only.
/// @throws Error(kUsage) if it is a file of another kind, else as TableReader::open()
std::shared_ptr<const TableReader> open_heap_table(const std::filesystem::path& path);

/// A game as typed: a name, a notation, or the path of a table.
class ValueSource {
 public:
  /// The most heaps whose values are kept in memory. Values of larger heaps are read from the
  /// table, or follow from a certified period.
  static constexpr HeapSize kMostListed = HeapSize{1} << 24;
  /// If large heaps need a period, it is searched for in this number of heaps.
  static constexpr HeapSize kSearched = HeapSize{1} << 17;

  /// @throws Error(kUsage) for an unknown game, or a game that is not of one heap; Error(kCorrupt)
  ///   for a file that is no table
  static ValueSource open(const std::string& text);
  /// @throws Error(kUsage) if it is not a game of one heap
  explicit ValueSource(const AnyGame& game);
  /// @pre the table is of one heap
  explicit ValueSource(std::shared_ptr<const TableReader> table);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// The largest heap of the table; nothing for a game.
  [[nodiscard]] std::optional<HeapSize> last() const;

  /// What it takes to know the values of all heaps up to `largest`; nothing if it was stopped. Here
  /// and below, the hooks `stop` and `progress` count.
  /// @throws Error(kUsage) if they cannot be known
  [[nodiscard]] std::optional<GameValues> values(HeapSize largest, const Hooks& hooks = {}) const;

  /// Entry v: how many of the heaps first .. last have value v; nothing if it was stopped.
  /// @pre first <= last < 2^64 - 1
  /// @throws Error(kUsage) if that cannot be known
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> histogram(HeapSize first, HeapSize last,
                                                                    const Hooks& hooks = {}) const;

 private:
  [[nodiscard]] GameValues from_table(HeapSize largest) const;
  [[nodiscard]] std::optional<GameValues> computed(HeapSize largest, const Hooks& hooks) const;

  std::shared_ptr<const TableReader> table_;  ///< null for a game
  std::string name_;
  HeapRule rule_;
};

}  // namespace grundy
