/// @file
/// Computes a census of any kind, or counts it from its file.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include <grundy/census.hpp>
#include <grundy/hooks.hpp>
#include <grundy/machine.hpp>

#include "atlas/census_kind.hpp"

namespace grundy::atlas {

/// The results of a census besides its counts.
struct CensusTotals {
  bool complete = false;  ///< false if it was stopped; then nothing was written
  Digest128 digest{};     ///< CensusCounter::digest()
  double seconds = 0;
  std::uint64_t file_bytes = 0;
};

/// Computes all rows, in parallel, in constant memory, and counts them.
/// @param output empty: no file @throws Error(kFailure) if the file cannot be written
CensusTotals run_census(CensusKind& kind, const std::filesystem::path& output, bool overwrite,
                        const Machine& machine, const Hooks& hooks);

/// Counts the rows of the file whose root group is `root`. @throws Error(kCorrupt)
CensusTotals recount_census(h5::Object& root, CensusKind& kind, const std::filesystem::path& path);

/// Copies the totals into the report of a kind.
template <class Report>
void take_totals(const CensusTotals& totals, Report& report) {
  report.complete = totals.complete;
  report.digest = totals.digest;
  report.seconds = totals.seconds;
  report.file_bytes = totals.file_bytes;
}

}  // namespace grundy::atlas
