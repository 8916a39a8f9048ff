/// @file
/// The metadata of a table file: which attribute and which dataset holds what.
///
/// One traversal of the fields serves both directions (fields.hpp). The format is specified in
/// README.md beside this file.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <grundy/table.hpp>

#include "table/h5_dataset.hpp"

namespace grundy {

inline constexpr const char* kValuesName = "grundy";
inline constexpr const char* kLatticeName = "lattice";
inline constexpr const char* kWindowName = "window_certificate";
inline constexpr const char* kPPositionsName = "p_positions";
/// Upper limit of values per chunk: at 4 bytes the 1 MiB that HDF5 readers cache by default.
inline constexpr HeapSize kLargestChunk = HeapSize{1} << 18;

/// All there is in a file besides the values.
struct Metadata {
  TableInfo info;
  std::string source;        ///< program and version
  std::string date_created;  ///< ISO 8601, UTC; empty in reproducible files
  std::string summary;       ///< one sentence for people
  std::string references;
  std::vector<std::uint64_t> chunk_digests;  ///< XXH3-64 of each decoded chunk, padding included
  /// Entries of value 0 of a lattice table: the first of them if not all are to be listed. Written,
  /// and not read here: the values tell them too.
  std::vector<std::uint64_t> p_positions{};
};

/// Metadata around `info`, with the texts that this version of the program writes.
Metadata describe(const TableInfo& info, std::vector<std::uint64_t> chunk_digests,
                  bool reproducible);

/// The objects of a file that exist before its metadata do.
struct Frame {
  h5::Object root;
  h5::Object integrity;
  h5::Dataset values;
};

/// Writes everything but the values and the seal, and marks the file as complete.
void write_metadata(Frame& frame, const Metadata& metadata);

/// The inverse. @throws Error(kCorrupt) if anything is missing, malformed or contradicts the rest
Metadata read_metadata(Frame& frame);

/// What in `info` contradicts itself, as a clause; empty if nothing does.
std::string contradiction(const TableInfo& info);

}  // namespace grundy
