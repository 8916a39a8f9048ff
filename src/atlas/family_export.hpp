/// @file
/// Families of games and censuses in the formats that other programs read.
///
// clang-format off
///     format     of                        contents
///     ---------  ------------------------  ------------------------------------------------------
///     csv        a census                  a line for each row, with its columns in order. A
///                                          column of several numbers becomes `move_1`, `move_2`
///                                          and so on; a digest becomes hexadecimal digits
///                a family                  a line for each game: its class, why it is in this
///                                          class, its own period and the values that are kept;
///                                          for the class, what proves its period and what the
///                                          literature says
///     bfile      a census of sets          `n a(n)`: the period of set n, in the order of the
///                                          rows, after a comment line that says so
// clang-format on
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "session/export_file.hpp"
#include "table/byte_output.hpp"
#include "table/export.hpp"

namespace grundy::atlas {

/// Writes the contents of such a file to `out`, without committing it. Rows are streamed; for a
/// family the values of one class are in memory. Ends early if `out` is closed. If all rows of a
/// census are written, its counts and its digest are compared with them.
/// @param options terms: number of rows or games, from the first on; offset: of a b-file
/// @throws Error(kUsage) for a format or options that mean nothing for the file, or for a b-file of
///   a census where sets have no period; Error(kCorrupt), Error(kFailure) from reading and writing
Exported export_family(const std::filesystem::path& path, ExportFormat format,
                       const ExportOptions& options, ByteOutput& out);

}  // namespace grundy::atlas
