/// @file
/// A kind of census: the games of its rows, and the facts about each game.
///
/// The games of every census are sets of things, such as moves or vectors. Each thing has a number,
/// from 1 on. A kind says what the things are. The parallel computation, writing, reading and proof
/// of rows are the same for all kinds (census_run.hpp, census_file.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/census.hpp>

#include "table/file_kind.hpp"
#include "table/h5.hpp"

namespace grundy::atlas {

/// A column of the file.
struct CensusColumn {
  const char* name;
  unsigned bytes;              ///< bytes of a number in the file: 1, 2 or 4
  std::size_t numbers = 1;     ///< numbers in a row
  const char* axis = nullptr;  ///< the meaning of these numbers, if there are several
};

/// Whether the column is a digest: several bytes, which texts show in hexadecimal.
inline bool is_digest(const CensusColumn& column) noexcept {
  return column.bytes == 1 && column.numbers > 1;
}

/// Finds the facts of games, on one thread.
class RowSearch {
 public:
  virtual ~RowSearch() = default;
  /// Writes the facts of the game of a set.
  virtual void find(const MoveSet& set, std::span<std::uint32_t> facts) = 0;
};

/// Proves facts of games from the definition, on one thread.
class RowProof {
 public:
  virtual ~RowProof() = default;
  /// The fault of the facts about the game of a set, as the end of a sentence; empty if they are
  /// right.
  virtual std::string fault_of(const MoveSet& set, std::span<const std::uint32_t> facts) = 0;
};

class CensusKind {
 public:
  virtual ~CensusKind() = default;

  [[nodiscard]] virtual FileKind file_kind() const noexcept = 0;
  /// The sets, in the order of the rows.
  [[nodiscard]] virtual const SetFamily& sets() const noexcept = 0;
  /// The first column names the game of a row, the others are its facts.
  [[nodiscard]] virtual const std::vector<CensusColumn>& columns() const noexcept = 0;
  [[nodiscard]] virtual std::string family_text() const = 0;
  /// The name of the axis of rows, for formats with named axes.
  [[nodiscard]] virtual const char* row_name() const noexcept = 0;
  /// The least number of rows that are worth a task of their own.
  [[nodiscard]] virtual std::uint64_t rows_of_task() const noexcept = 0;
  /// Writes the first column of the row of a set.
  virtual void write_game(const MoveSet& set, std::span<std::uint32_t> game) const = 0;
  /// The game of a set in its notation.
  [[nodiscard]] virtual std::string notation(const MoveSet& set) const = 0;
  /// The text that identifies the game of a set within the family: the set, in its notation.
  [[nodiscard]] virtual std::string name(const MoveSet& set) const = 0;
  /// The set with a name. @throws Error(kUsage) if the name is not that of a set of this family
  [[nodiscard]] virtual MoveSet set_of(std::string_view name) const = 0;
  /// The facts about a game, as a clause.
  [[nodiscard]] virtual std::string words(std::span<const std::uint32_t> facts) const = 0;
  /// Makes a search or a proof for one task. May be called from several threads.
  [[nodiscard]] virtual std::unique_ptr<RowSearch> search() const = 0;
  [[nodiscard]] virtual std::unique_ptr<RowProof> proof() const = 0;
  /// What a proof of the row of a set costs, about, in a unit of the kind's own.
  [[nodiscard]] virtual std::uint64_t cost_of_proof(const MoveSet& set) const noexcept = 0;
  /// Counts one more row, in the order of rows.
  virtual void count(const MoveSet& set, std::span<const std::uint32_t> facts) = 0;
  /// Writes the attributes of the root, after all rows have been counted.
  virtual void write_attributes(h5::Object& root, const Digest128& digest) const = 0;
  /// Compares the attributes with the counts. @throws Error(kCorrupt)
  virtual void compare_attributes(h5::Object& root, const Digest128& digest) const = 0;

  /// The number of numbers in the first column of a row.
  [[nodiscard]] std::size_t game_numbers() const noexcept { return columns().front().numbers; }
  /// The number of numbers in the other columns of a row.
  [[nodiscard]] std::size_t fact_numbers() const noexcept {
    std::size_t numbers = 0;
    for (const CensusColumn& column : columns()) numbers += column.numbers;
    return numbers - game_numbers();
  }
};

}  // namespace grundy::atlas
