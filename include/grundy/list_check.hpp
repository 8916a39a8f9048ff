/// @file
/// How a file is proved that lists what was found: P-positions (grundy/outcomes.hpp), misère play
/// of one heap (grundy/genera.hpp), a census (grundy/census.hpp), a family of games
/// (grundy/atlas.hpp). Each kind has its own proof. All take the same request, and what they report
/// begins alike. Tables of values are proved by verify() (grundy/verify.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <grundy/graph/graph_game.hpp>
#include <grundy/machine.hpp>
#include <grundy/part.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// What is to be proved of a file.
struct ListCheckRequest {
  std::filesystem::path file;
  /// The game of a list of P-positions, if the catalogue does not have it.
  std::shared_ptr<const GraphGame> game{};
  bool full = false;  ///< everything, however long that takes
  /// How much is drawn at random; each proof says what it draws. Unset: as much as fits into
  /// `seconds`. Misère play of one heap is proved from heap 0 on, and nothing of it is drawn.
  std::optional<std::uint64_t> samples{};
  /// Besides the time to read the file. If it is more than 0, a first batch is drawn however little
  /// it is.
  double seconds = 10;
  std::uint64_t seed = 1;
  /// Rows of a census, games of a family in the order of its file, or heaps from 0 on in misère
  /// play: prove all of them, however long that takes. Nothing is drawn then.
  std::optional<EntryRange> range{};
  Machine machine{};   ///< threads, back end, memory; what is found does not depend on them
  bool force = false;  ///< go on although memory is short; for statistics of several heaps
};

/// What was proved of a file.
struct ListCheck {
  std::string notation{};   ///< of the game or the family
  std::string unit{};       ///< what the numbers count: heaps, positions, rows or games
  std::uint64_t count = 0;  ///< of the file
  Digest128 digest{};       ///< of what it lists
  std::uint64_t proved = 0;
  /// Everything in it is proved: of a check that was stopped, the first part of what it was asked
  /// for. What was drawn has no numbers, so it counts only if it is the whole.
  std::optional<EntryRange> proved_range{};
  std::string statement{};  ///< what is proved of each, as a clause
  std::vector<std::string> methods{};
  bool complete = false;  ///< false: it was stopped
  std::string wrong{};    ///< a sentence about the first thing that is wrong; empty: nothing is
  double seconds = 0;

  /// Nothing is wrong, and the check was not stopped.
  [[nodiscard]] bool holds() const noexcept { return complete && wrong.empty(); }
};

}  // namespace grundy
