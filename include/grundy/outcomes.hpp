/// @file
/// Files of outcomes: the P-positions of a game of one heap or several, without any values.
///
/// compute_outcomes() (grundy/compute.hpp) writes them. Every position of the layout that is not in
/// the file is an N-position. src/table/README.md is the format.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/hooks.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/layout.hpp>
#include <grundy/list_check.hpp>
#include <grundy/machine.hpp>
#include <grundy/stats.hpp>

namespace grundy {

/// What a file of outcomes says besides its list.
struct OutcomesInfo {
  std::string title{};
  std::string canonical{};    ///< the rule, as HeapRule or LatticeRule reads it
  std::string description{};  ///< the moves in words
  bool misere = false;        ///< the player who cannot move wins
  Layout layout{};
  std::uint64_t p_positions = 0;
  /// XXH3-128 of the list, as 32-bit little-endian integers.
  Digest128 digest{};
  std::string provenance_json{};

  friend bool operator==(const OutcomesInfo&, const OutcomesInfo&) = default;
};

/// A file of outcomes, open for reading. One thread at a time.
class OutcomesReader {
 public:
  /// @throws Error(kCorrupt) if the file is damaged, Error(kUsage) if there is none
  explicit OutcomesReader(const std::filesystem::path& path);
  ~OutcomesReader();
  OutcomesReader(OutcomesReader&&) noexcept;
  OutcomesReader& operator=(OutcomesReader&&) noexcept;

  [[nodiscard]] const OutcomesInfo& info() const noexcept;
  /// P-positions first .. first + count - 1 of the list, as entries of the layout, which ascend.
  /// @pre the list has these. @throws Error(kCorrupt) if one is no entry, or out of order
  [[nodiscard]] std::vector<std::uint64_t> entries(std::uint64_t first, std::uint64_t count) const;
  /// Whether an entry of the layout is a P-position. O(log P-positions) reads of a chunk, fewer if
  /// it is near the last one that was asked for. @throws Error(kCorrupt)
  [[nodiscard]] bool is_p_position(std::uint64_t entry) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What was proved of the positions of a list.
struct OutcomesCheck : ListCheck {
  OutcomesInfo info{};
};

/// Proves positions by the definition from the list alone: a P-position has no option in it, an
/// N-position has one. If that holds for all positions, induction proves the file. Every second
/// sample is a P-position, until all of these were. The list is kept in memory, 8 bytes each.
/// @throws Error(kCorrupt) for a damaged file
OutcomesCheck check_outcomes(const ListCheckRequest& request, const Hooks& hooks = {});

/// What was proved about a list of P-positions of a game on positions.
struct PPositionsCheck : ListCheck {
  GraphFileInfo info{};
};

/// Proves listed positions by the definition from the list alone: no option of a listed position is
/// listed, and each of these options has a listed option. If this holds for all listed positions,
/// induction on the potential proves that they are P-positions. `full` also finds all positions of
/// the game again, and proves that the others are N-positions: each has a listed option.
/// @throws Error(kCorrupt) for a damaged file, or one that is not of its game
PPositionsCheck check_p_positions(const ListCheckRequest& request, const Hooks& hooks = {});

}  // namespace grundy
