/// @file
/// The metadata of a table file: which attribute and which dataset holds what. The file holds a
/// whole table, or one of its parts, or is the master of a table in parts.
///
/// One traversal of the fields serves both directions (fields.hpp). The format is specified in
/// README.md beside this file.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <grundy/table.hpp>

#include "table/file_kind.hpp"
#include "table/h5_dataset.hpp"
#include "table/table_part.hpp"

namespace grundy {

class FieldWriter;

inline constexpr const char* kValuesName = "grundy";
inline constexpr const char* kLatticeName = "lattice";
inline constexpr const char* kWindowName = "window_certificate";
inline constexpr const char* kPPositionsName = "p_positions";
inline constexpr const char* kExtensionName = "extension";
inline constexpr const char* kPartName = "part";
inline constexpr const char* kPartsName = "parts";
/// The most values per chunk: at 4 bytes they make the 1 MiB that HDF5 readers cache by default.
inline constexpr HeapSize kLargestChunk = HeapSize{1} << 18;

/// Where a table in parts has its values.
struct PartsOfTable {
  std::string directory;                ///< directory of the parts, beside the master
  std::vector<std::uint64_t> end_slab;  ///< TablePart::end_slab of each part
  std::vector<std::uint64_t> seal;      ///< seal_of() the file of each part
};

/// Everything in a file besides the values.
struct Metadata {
  /// In a part `info.layout` is that of the table, and `info.stats` are those of the part: its
  /// first entry has the number 0.
  TableInfo info;
  std::string source;        ///< program and version
  std::string date_created;  ///< ISO 8601, UTC; empty in reproducible files
  std::string summary;       ///< one sentence for people
  std::string references;
  std::vector<std::uint64_t> chunk_digests;  ///< XXH3-64 of each decoded chunk, padding included
  /// Entries of value 0 of a lattice table, as numbered in the table; only the first of them, if
  /// not all are to be listed. They are written here, but read by read_p_positions() only, because
  /// the values tell them, too.
  std::vector<std::uint64_t> p_positions{};
  /// For a table of one heap: TableFile::extension_state(). It is written here, but read by
  /// read_extension_state() only.
  std::string extension_state{};
  std::optional<TablePart> part{};  ///< for a part
  /// For a part: digests of the sections of the table within it.
  std::vector<Digest128> sections{};
  std::optional<PartsOfTable> parts{};  ///< for a master, which has no chunk digests
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

/// The inverse, for a file of this kind: a table, a master or a part.
/// @throws Error(kCorrupt) if anything is missing, malformed or contradicts the rest
Metadata read_metadata(Frame& frame, FileKind kind);
/// The P-positions that a file of a lattice table lists. @throws Error(kCorrupt)
std::vector<std::uint64_t> read_p_positions(const h5::Object& root, const Layout& layout);
/// Writes the state that read_extension_state() reads.
void write_extension_state(FieldWriter& writer, h5::Object& root, const std::string& state);
/// The state from which an extension of the file goes on; empty if there is none.
/// @throws Error(kCorrupt)
std::string read_extension_state(const h5::Object& root);

/// Ends a file that is complete but for its seal. The seal covers everything behind
/// `end_of_values`.
void close_frame(h5::File& file, Frame& frame, const std::filesystem::path& path,
                 std::uint64_t end_of_values);

/// What contradicts itself in the `info` of a file with `entries` entries, as a clause; empty if
/// nothing does.
std::string contradiction(const TableInfo& info, std::uint64_t entries);
/// The same of a period that rests on the first `computed` values.
std::string contradiction(const PeriodReport& period, HeapSize computed);

}  // namespace grundy
