/// @file
/// The file of a census: a row for each game, in columns. atlas/README.md specifies the format.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "atlas/census_kind.hpp"
#include "core/digest.hpp"
#include "table/file_kind.hpp"
#include "table/h5_columns.hpp"

namespace grundy::atlas {

/// Consecutive rows.
class CensusRows {
 public:
  CensusRows() = default;
  CensusRows(const CensusKind& kind, std::uint64_t rows)
      : game_numbers_(kind.game_numbers()),
        fact_numbers_(kind.fact_numbers()),
        rows_(rows),
        games_(rows * game_numbers_),
        facts_(rows * fact_numbers_) {}

  [[nodiscard]] std::uint64_t count() const noexcept { return rows_; }
  /// The numbers of the first column in row i.
  [[nodiscard]] std::span<std::uint32_t> game(std::uint64_t i) noexcept {
    return std::span(games_).subspan(i * game_numbers_, game_numbers_);
  }
  [[nodiscard]] std::span<const std::uint32_t> game(std::uint64_t i) const noexcept {
    return std::span(games_).subspan(i * game_numbers_, game_numbers_);
  }
  /// The numbers of the other columns in row i, one column after another.
  [[nodiscard]] std::span<std::uint32_t> facts(std::uint64_t i) noexcept {
    return std::span(facts_).subspan(i * fact_numbers_, fact_numbers_);
  }
  [[nodiscard]] std::span<const std::uint32_t> facts(std::uint64_t i) const noexcept {
    return std::span(facts_).subspan(i * fact_numbers_, fact_numbers_);
  }
  /// The facts of all rows, row by row.
  [[nodiscard]] std::span<const std::uint32_t> facts() const noexcept { return facts_; }

 private:
  std::size_t game_numbers_ = 0, fact_numbers_ = 0;
  std::uint64_t rows_ = 0;
  std::vector<std::uint32_t> games_, facts_;
};

/// Counts rows in their order, as they pass by.
class CensusCounter {
 public:
  /// @param kind does the counting; must outlive the counter
  explicit CensusCounter(CensusKind& kind) : kind_(kind), set_(kind.sets().at(0)) {}

  void add(const CensusRows& rows);
  /// XXH3-128 of the facts of all rows so far, row by row, as 32-bit little-endian integers.
  [[nodiscard]] Digest128 digest() const noexcept { return digest_.value(); }

 private:
  CensusKind& kind_;
  MoveSet set_;  ///< the set of the next row
  SequentialDigest digest_;
};

/// A sink for rows, with which the writer fills the file.
using TakeRows = std::function<void(const CensusRows&)>;

/// Makes the file `path`. `fill` hands over all rows in their order and returns their digest; then
/// the attributes are written.
/// @throws Error(kFailure)
void write_census_file(const std::filesystem::path& path, const CensusKind& kind,
                       const std::function<Digest128(const TakeRows&)>& fill);

/// Reads the rows of a census file.
class CensusReader {
 public:
  /// @param root the root of the file. It and `kind`, which its attributes give, must outlive the
  /// reader
  /// @throws Error(kCorrupt) if the number of rows is not that of the sets
  CensusReader(h5::Object& root, const CensusKind& kind);

  /// Rows first .. first + count - 1, which must exist. @throws Error(kCorrupt)
  [[nodiscard]] CensusRows rows(std::uint64_t first, std::uint64_t count) const;

 private:
  h5::Object& root_;
  const CensusKind& kind_;
};

/// Counts all rows of a file and compares its attributes with the counts. @returns the digest of
/// the rows
/// @throws Error(kCorrupt)
Digest128 count_census_file(h5::Object& root, CensusKind& kind);

}  // namespace grundy::atlas
