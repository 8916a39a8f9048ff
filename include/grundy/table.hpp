/// @file
/// A Grundy table on disk, as readers see it.
///
/// The format is specified in src/table/README.md. A reader trusts nothing: every chunk is compared
/// with its digest when it is decoded, and a damaged, foreign or incomplete file is an
/// Error(kCorrupt), never a wrong value.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/layout.hpp>
#include <grundy/period_report.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The most P-positions that a file of several heaps lists.
inline constexpr std::uint64_t kMostListedPPositions = std::uint64_t{1} << 24;

/// What was computed, how and by whom; written once, at the end.
struct TableInfo {
  std::string game;         ///< as the user typed it
  std::string title;        ///< catalogue title, or the canonical notation
  std::string canonical;    ///< canonical() of its rule; the identity of the game
  std::string description;  ///< the moves in words
  std::string reference;    ///< where the game is defined or treated; may be empty
  Layout layout;            ///< which entries there are
  TableStats stats;
  /// The table has more entries than a section, and its file has format 1: stats.digest is XXH3-128
  /// of all values in one piece instead of kDigestSection's.
  bool sequential_digest = false;
  PeriodReport period;  ///< of a heap game
  /// Heaps below this were computed by the engine; those from here on follow from the certified
  /// period. Equals stats.count if nothing was extended.
  HeapSize computed = 0;
  std::string engine, kernel;   ///< names of what computed the values
  std::string provenance_json;  ///< command line, versions, machine, times; one JSON object

  /// The player who cannot move wins; the rule tells it.
  [[nodiscard]] bool is_misere() const noexcept {
    return layout.is_lattice() && names_misere_play(canonical);
  }
  friend bool operator==(const TableInfo&, const TableInfo&) = default;
};

/// Read access to a finished table, in one file or in parts. Safe to use from several threads.
class TableReader {
 public:
  /// @throws Error(kCorrupt) if the file is foreign, damaged or of a newer format, or a part of it
  ///   is missing or not the one that belongs to it; Error(kUsage) if the file is of another kind,
  ///   does not exist or cannot be opened
  static std::unique_ptr<TableReader> open(const std::filesystem::path& path);
  virtual ~TableReader() = default;

  [[nodiscard]] virtual const TableInfo& info() const noexcept = 0;
  /// Width of the stored values.
  [[nodiscard]] virtual ValueWidth width() const noexcept = 0;
  /// Values per chunk, the unit of compression and of integrity; of the first part if there are
  /// several.
  [[nodiscard]] virtual std::uint64_t chunk_size() const noexcept = 0;

  /// Copies the values of entries begin .. begin + out.size() - 1; of a table of heaps, entry n is
  /// heap n.
  /// @throws Error(kCorrupt) if a chunk does not match its digest, Error(kUsage) past the end
  virtual void read(std::uint64_t begin, std::span<Nimber> out) const = 0;

  /// The value of entry n: stored, or of a table of heaps by the certified period for any n up to
  /// 2^64-1. A saltus leads beyond the 32 bits of stored values.
  /// @throws Error(kUsage) if n is past the end of a table without a certified period
  [[nodiscard]] std::uint64_t value(std::uint64_t n) const;
  /// The value of a position of a lattice table; the order of its heaps is free if the table is
  /// sorted.
  /// @param plane of a rule with a pass: 0, no pass is left; 1, it is left, as where play begins
  /// @throws Error(kUsage) if it is not in the table, or the table is of a heap game
  [[nodiscard]] Nimber value(const LatticePoint& p, unsigned plane = 0) const;
  /// The values of all positions p of a lattice table with first[i] <= p[i] < end[i] for each heap
  /// i, the last heap fastest. A sorted table takes them in any order of their heaps, one by one;
  /// others are read row by row. @throws Error as value(), and if `first` is not below `end` in
  /// each heap
  [[nodiscard]] std::vector<Nimber> slice(const LatticePoint& first, const LatticePoint& end,
                                          unsigned plane = 0) const;
};

}  // namespace grundy
