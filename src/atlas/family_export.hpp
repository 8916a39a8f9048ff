/// @file
/// Families of games and censuses in the formats that other programs read.
///
// clang-format off
///     format     of                        what it is
///     ---------  ------------------------  --------------------------------------------------------
///     csv        a census                  a line for each row, with its columns in their order. Of
///                                          a column of several numbers these are `move_1`, `move_2`;
///                                          of one of bytes, a digest, hexadecimal digits
///                a family                  a line for each game: its class, why it is there, its own
///                                          period, the values that are kept; of the class, what
///                                          proves its period and what the literature says
///     bfile      a census of sets          `n a(n)`: the period of set n, in the order of the rows,
///                                          after a comment line that says so
// clang-format on
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "session/export_file.hpp"
#include "table/byte_output.hpp"
#include "table/export.hpp"

namespace grundy::atlas {

/// Writes what such a file holds to `out`, without committing it. Rows stream; of a family the
/// values of one class are in memory. Ends early if `out` is closed. Where all rows of a census are
/// written, its counts and its digest are compared with them.
/// @param options terms: so many rows or games from the first on; offset: of a b-file
/// @throws Error(kUsage) for a format or options that mean nothing for the file, or for a b-file of
///   a census where sets have no period; Error(kCorrupt), Error(kFailure) from reading and writing
Exported export_family(const std::filesystem::path& path, ExportFormat format,
                       const ExportOptions& options, ByteOutput& out);

}  // namespace grundy::atlas
