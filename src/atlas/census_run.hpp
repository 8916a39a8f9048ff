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

/// The report of a kind whose rows were counted.
template <class Kind>
auto report_with(const CensusTotals& totals, const Kind& kind) {
  auto report = kind.report();
  report.complete = totals.complete;
  report.digest = totals.digest;
  report.seconds = totals.seconds;
  report.file_bytes = totals.file_bytes;
  return report;
}

/// The report of a census in a file, counted from its rows anew. @throws Error(kCorrupt)
template <class Kind>
auto read_report(const std::filesystem::path& path, FileKind file_kind) {
  SealedFile file = open_sealed(path, file_kind);
  Kind kind(file.root);
  const CensusTotals totals = recount_census(file.root, kind, path);
  return report_with(totals, kind);
}

}  // namespace grundy::atlas
