/// @file
/// A census of subtraction sets: one row for each set of a family, with the period of its values.
///
/// A family is all sets of `size` moves that are at most `largest`. Its sets stand in
/// colexicographic order: by their largest move, then by the second largest, and so on. So the row
/// of a set does not depend on `largest`, and a smaller family is a prefix of a larger one.
///
/// A period is proved. If the largest move has L tokens, each value of a finite subtraction set
/// follows from the L values before it. The file names a period only where L consecutive values
/// came again (Golomb, J. Combin. Theory 1, 1966; `src/theory/README.md`, window).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/hooks.hpp>
#include <grundy/list_check.hpp>
#include <grundy/machine.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The moves of a subtraction set, ascending: how many tokens may be taken.
using MoveSet = std::vector<HeapSize>;

/// All sets of `size` moves from 1 to `largest`.
struct SetFamily {
  HeapSize largest = 0;  ///< at most 65535
  HeapSize size = 0;     ///< 1 to 8, at most `largest`

  /// Reads `S{max<=512,size=3}`, the bounds in either order. @throws Error(kUsage)
  static SetFamily parse(std::string_view text);
  /// The inverse of parse().
  [[nodiscard]] std::string text() const;
  /// Empty if this is a family of at most 2^40 sets, else the reason in one clause.
  [[nodiscard]] std::string refusal() const;
  /// The number of sets: `largest` over `size`. @throws Error(kUsage) if refusal() has a reason
  [[nodiscard]] std::uint64_t sets() const;
  /// The set in row `row`. O(size log largest). @pre row < sets()
  [[nodiscard]] MoveSet at(std::uint64_t row) const;
  /// The row of a set, the inverse of at(). O(size). @pre its moves are ascending, distinct and
  /// from 1 to `largest`, and there are `size` of them
  [[nodiscard]] std::uint64_t row_of(const MoveSet& set) const noexcept;
  /// Turns a set into the set of the next row. After the last row comes the first set of a larger
  /// family.
  static void advance(MoveSet& set) noexcept;

  friend bool operator==(const SetFamily&, const SetFamily&) = default;
};

/// What recurs in the values of a set. All are 0 where no period was found.
struct SetPeriod {
  std::uint32_t preperiod = 0;  ///< the least e with G(n + period) = G(n) for all n >= e
  std::uint32_t period = 0;     ///< the least one
  std::uint32_t zeros = 0;      ///< heaps of value 0 among `period` consecutive ones from e on
  std::uint8_t max_value = 0;   ///< of all heaps

  friend bool operator==(const SetPeriod&, const SetPeriod&) = default;
};

struct CensusRequest {
  SetFamily family{};
  /// The heaps that are computed of each set, at most; up to 2^31. A set whose period needs more
  /// heaps has no period in the file.
  HeapSize last = HeapSize{1} << 24;
  std::filesystem::path output{};  ///< HDF5 file; empty: none
  Machine machine{};               ///< threads and back end
  bool overwrite = false;          ///< replace an existing file
};

/// A set and what recurs in its values.
struct SetRow {
  MoveSet moves;
  SetPeriod found{};
};

/// What the sets with one largest move, or all sets, have in common.
struct CensusCounts {
  std::uint64_t sets = 0;
  std::uint64_t open = 0;             ///< no period was found
  std::uint64_t purely_periodic = 0;  ///< the preperiod is 0
  std::uint64_t additive = 0;         ///< the largest move is the sum of the others
  std::uint64_t additive_purely = 0;  ///< additive sets with preperiod 0
  /// Not additive, and the period divides the sum of two different moves.
  std::uint64_t sums = 0;
  SetRow longest{};   ///< the first set of the longest period
  SetRow farthest{};  ///< the first set of the longest preperiod

  /// Adds one more set. @pre in the order of the family it comes after all sets added before
  void add(const MoveSet& moves, const SetPeriod& found);
};

struct CensusReport {
  SetFamily family{};
  HeapSize last = 0;
  bool complete = false;  ///< false: it was stopped, and nothing was written
  CensusCounts all{};
  /// Entry i: the sets whose largest move is family.size + i.
  std::vector<CensusCounts> by_largest{};
  /// XXH3-128 of preperiod, period, zeros and largest value of every row, as 32-bit little-endian
  /// integers.
  Digest128 digest{};
  double seconds = 0;
  std::uint64_t file_bytes = 0;

  /// A table of by_largest, as CSV with a head.
  [[nodiscard]] std::string csv() const;
};

/// Computes every set of a family. Memory is constant. A set of preperiod e and period p takes a
/// few heaps more than e + 3p. If its least move is 56 or more, a step computes 56 heaps. It uses
/// the hooks `stop` and `progress`.
/// @throws Error(kUsage) if `family` is no family; kFailure if the file cannot be written
CensusReport compute_census(const CensusRequest& request, const Hooks& hooks = {});

/// What a census says, counted from its rows anew. @throws Error(kCorrupt)
CensusReport read_census(const std::filesystem::path& path);

/// Proves rows of a census, of sets or of rules (grundy/rule_census.hpp), from the definition:
/// values are computed one by one, each as the mex of the values of its options. For a set, three
/// things are checked value by value: as many values recur as the largest move has tokens; no
/// proper divisor of the period is a period; the heap before the preperiod is an exception. Nothing
/// of compute_census() is used. `samples` is of rows, spread about evenly; unset: as many as fit
/// the time, and at most 4096 of each 65536 rows. The digest is that of the report.
/// @throws Error(kCorrupt) for a damaged file
ListCheck check_census(const ListCheckRequest& request, const Hooks& hooks = {});

}  // namespace grundy
