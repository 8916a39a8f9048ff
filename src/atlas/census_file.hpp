/// @file
/// The file of a census: a row for each set, in columns. atlas/README.md is the format.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include <grundy/census.hpp>

#include "core/digest.hpp"
#include "table/file_kind.hpp"
#include "table/h5_columns.hpp"

namespace grundy::atlas {

/// Consecutive rows in columns.
struct CensusRows {
  std::size_t size = 0;              ///< moves of a set
  std::vector<std::uint16_t> moves;  ///< `size` a row
  std::vector<std::uint32_t> preperiod, period, zeros;
  std::vector<std::uint8_t> max_value;

  void resize(std::size_t rows, std::size_t moves_of_a_set);
  [[nodiscard]] std::size_t count() const noexcept { return period.size(); }
  [[nodiscard]] SetRow at(std::size_t i) const;
  void set(std::size_t i, const MoveSet& set, const SetPeriod& found) noexcept;
};

/// Counts rows as they pass, in the order of the family.
class CensusCounter {
 public:
  explicit CensusCounter(const SetFamily& family);

  void add(const CensusRows& rows);
  /// Writes what was counted into a report of the family.
  void finish(CensusReport& report) const;

 private:
  SetFamily family_;
  CensusCounts all_;
  std::vector<CensusCounts> by_largest_;
  SequentialDigest digest_;
  std::vector<Nimber> words_;
};

/// Takes rows as they come: a sink that the writer fills the file from.
using TakeRows = std::function<void(const CensusRows&)>;

/// Makes the file `path`: `fill` hands over all rows in their order; then come the attributes, by
/// the report that it returns. @throws Error(kFailure)
void write_census_file(const std::filesystem::path& path, const SetFamily& family,
                       const std::function<const CensusReport&(const TakeRows&)>& fill);

/// A census that was written.
class CensusReader {
 public:
  /// @throws Error(kCorrupt), or kUsage if there is no such file
  explicit CensusReader(const std::filesystem::path& path);

  [[nodiscard]] const SetFamily& family() const noexcept { return stored_.family; }
  [[nodiscard]] HeapSize last() const noexcept { return stored_.last; }
  /// Rows first .. first + count - 1, no more than there are. @throws Error(kCorrupt)
  [[nodiscard]] CensusRows rows(std::uint64_t first, std::uint64_t count) const;
  /// Compares the attributes with what was counted. @throws Error(kCorrupt)
  void compare(const CensusReport& counted) const;

 private:
  SealedFile file_;
  CensusReport stored_;  ///< family and last
};

}  // namespace grundy::atlas
