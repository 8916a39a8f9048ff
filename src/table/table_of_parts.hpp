/// @file
/// Tables in parts: a master file that opens as one table, and files with parts of its values.
///
/// Several processes or machines write one table: each writes a part, and one of them makes the
/// master when all parts are there. The master has everything that a table has, except values. In
/// their place it has a virtual dataset, which HDF5 programs read like values, and the seal of
/// every part. A part that is missing, was exchanged or belongs to another table is refused here;
/// the HDF5 library alone would read fill values in place of a missing part.
///
/// The order of the calls: for each part create_part_writer(), put, read_back() and finish(), as
/// with any writer; then make_table_of_parts().
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include <grundy/progress.hpp>
#include <grundy/table.hpp>

#include "table/table_part.hpp"
#include "table/table_writer.hpp"
#include "table/values_of_files.hpp"

namespace grundy {

/// The writer of one part of `table`. Makes the directory of the parts if it does not exist.
/// @throws Error(kUsage) as TableWriter::create() for the file of the part
std::unique_ptr<TableWriter> create_part_writer(const std::filesystem::path& table,
                                                const Layout& layout, const TablePart& part,
                                                Executor& executor, TableWriterOptions options);

/// The metadata of the finished file of a part; nothing if there is no such file. A file of this
/// name is always complete: it appears when it is finished and checked.
/// @throws Error(kCorrupt) if the file is damaged; Error(kUsage) if it is a part of another layout,
///   or holds other slabs
std::optional<TableInfo> find_part(const std::filesystem::path& table, const Layout& layout,
                                   const TablePart& part);

/// Refuses a place where the parts of `table` cannot come: a file, or a directory with anything but
/// parts of a table.
/// @throws Error(kUsage); also if there are parts, and they may not be replaced
void check_place_of_parts(const std::filesystem::path& table, bool overwrite);

/// Moves the directory of the parts of `from` to the place for those of `to`. Parts that are there
/// are removed, if they may be replaced.
/// @throws Error(kUsage) as check_place_of_parts(); nothing is removed then
void move_parts(const std::filesystem::path& from, const std::filesystem::path& to, bool overwrite);

/// How to write the file of a whole table.
struct WholeTableOptions {
  bool overwrite = false;     ///< replace an existing file (only at the final rename)
  bool reproducible = false;  ///< leave out everything that differs between equal runs
};

/// Makes the master of a table whose parts are all finished. Reads the metadata of the parts, and
/// only those values that are in sections (kDigestSection) which no part holds as a whole.
/// @param about texts, engine, kernel and provenance; layout and statistics come from the parts
/// @returns the metadata in the master
/// @throws Error(kUsage) if a part is missing, or `table` exists and may not be overwritten;
///   Error(kCorrupt) if a part is damaged, or the parts are not those of one table of the game that
///   `about` names; Error(kFailure) if writing fails. The target is then left untouched
TableInfo make_table_of_parts(const std::filesystem::path& table, const TableInfo& about,
                              const WholeTableOptions& options);

/// An opened and validated master, with its parts.
struct MasterFile {
  TableInfo info;
  ValueWidth width = ValueWidth::kU8;  ///< of the virtual dataset: the largest width of the parts
  std::vector<std::uint64_t> p_positions;
  ValuesOfFiles::Files parts;
};

/// @throws Error(kCorrupt) if the file is no master, or it or a part is damaged, missing, exchanged
///   or changed; Error(kUsage) if the master does not exist or cannot be opened
MasterFile open_master(const std::filesystem::path& path);

/// Whether the file is the master of a table in parts. @throws as kind_of()
bool is_table_of_parts(const std::filesystem::path& path);

/// The files of the parts, in their order. @throws as open_master()
std::vector<std::filesystem::path> files_of_parts(const std::filesystem::path& master);

/// Bytes of the file of a table, including the files of its parts. @throws as open_master()
std::uint64_t bytes_of_table(const std::filesystem::path& path);

/// Writes a table in parts as one ordinary table. The file is the same as if a TableWriter had made
/// it from the same entries in their order and the same metadata.
/// @param progress hears how far the writing is; may be null
/// @returns the metadata of the table; nothing if it was stopped, and then no file is left
/// @throws Error as open_master() and TableWriter; Error(kUsage) if `output` is among the parts
std::optional<TableInfo> merge_table(const std::filesystem::path& master,
                                     const std::filesystem::path& output, Executor& executor,
                                     const WholeTableOptions& options, const std::stop_token& stop,
                                     ProgressSink* progress);

}  // namespace grundy
