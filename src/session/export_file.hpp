/// @file
/// The exporter: writes what a file of any kind holds in the formats that other programs read.
///
/// table/export.hpp lists the formats of tables. Lists of P-positions have these:
///
// clang-format off
///     format     of lists of         what it is
///     ---------  ------------------  ---------------------------------------------------------------
///     csv        heaps               the header `n` or `heap_1,heap_2`, and a line for each P-position
///                positions           the header `position,layer`, and a line for each P-position;
///                                    `key,layer` if the game is not in the catalogue
///     bfile      one heap            `n h`: the n-th P-position is a heap of h tokens
///                several heaps       `n a(n)`: a(n) P-positions have n tokens in their largest heap,
///                                    after a comment line that says so. Indices end where the shape
///                                    no longer has all of these positions
///                positions           `n a(n)`: a(n) P-positions are in layer n, likewise
// clang-format on
///
/// Tables of misère play of one heap (grundy/genera.hpp) have these:
///
// clang-format off
///     format     what it is
///     ---------  ---------------------------------------------------------------------------------
///     csv        the header `n,grundy,misere,genus,kind,misere_outcome`, and a line for each heap,
///                with its genus as *Winning Ways* writes it, `"4^{146}"`
///     bfile      `n a(n)`: a(n) is the misère nim-value of a heap of n tokens
// clang-format on
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "table/byte_output.hpp"
#include "table/export.hpp"

namespace grundy {

/// The number of lines or values that were written, and their name, such as `values`.
struct Exported {
  std::uint64_t count = 0;
  std::string_view what;
};

/// Writes what `file` holds to `out`, without committing it. Ends early if `out` is closed. Tables
/// of heaps and lists of heaps stream; files of games on positions are read as a whole.
/// @throws Error(kUsage) for options that the file or the format cannot meet, Error(kCorrupt) or
///   Error(kFailure) from reading and writing
Exported export_file(const std::filesystem::path& file, ExportFormat format,
                     const ExportOptions& options, ByteOutput& out);

}  // namespace grundy
