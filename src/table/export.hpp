/// @file
/// Tables in the formats that other programs read, for every kind of game.
///
// clang-format off
///     format     of tables of        what it is
///     ---------  ------------------  ---------------------------------------------------------------
///     bfile      one heap            the OEIS grammar to the letter: `n a(n)` on each line, one space,
///                                    LF also after the last line, ASCII, consecutive n
///                                    (oeis.org/wiki/B-files). With an A-number, comment lines that
///                                    start with `#` come first: the game, what is known of its period
///     histogram  one heap            `value number` on a line for each value that occurs, of heaps
///                                    from 1 on, as github.com/rogalski-wmii-uni-lodz-pl/octal has it
///     csv        one heap            the header `n,grundy`, and a line for each heap
///                several heaps       the header `heap_1,heap_2,grundy`, and a line for each position
///                positions           a line for each position: key, position, value, outcome,
///                                    options, layer, and the misère value if there is one; without
///                                    `position` if the game is not in the catalogue
///     npy        one, several heaps  NumPy format 1.0 (NEP 1): `|u1`, `<u2` or `<u4`, whichever width
///                                    the table has, in the shape of the table. The header is padded
///                                    to a multiple of 64 bytes, so the values can be mapped
///     json       positions           as csv, with the options of each position as lists of rows
///     dot        positions           the graph for Graphviz: P-positions red, N-positions green, each
///                                    with its value, layers from the top. An option that is a sum of
///                                    several positions is a small `+` with an edge to each of them;
///                                    an option that is nothing at all is an edge to `0`
// clang-format on
///
/// The positions of one value can be listed instead. Of a table of several heaps: `csv` lines
/// `heap_1,heap_2` or an `npy` array of `<u4` with one row each. Of one heap: `csv` lines `n`, or a
/// b-file `n h`, where h is the n-th heap of that value; the offset is the first n.
///
/// Values stream through a few chunks of memory, for tables of any size.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/graph/file.hpp>
#include <grundy/table.hpp>

#include "table/byte_output.hpp"

namespace grundy {

enum class ExportFormat { kBFile, kHistogram, kCsv, kNpy, kJson, kDot };

/// The names in the table above.
std::vector<std::string> export_format_names();

/// The format of a name. @throws Error(kUsage) for anything else
ExportFormat parse_export_format(std::string_view name);

struct ExportOptions {
  std::int64_t offset = 0;          ///< added to the heap to give the printed index; not for npy
  std::optional<HeapSize> terms{};  ///< how many values from the first entry on; nothing: all
  std::optional<Nimber> value{};    ///< list the heaps or positions of this value
  std::string anumber{};            ///< of a b-file, such as `A002186`: comment lines come first
  /// Also list the differences of consecutive heaps.
  bool differences = false;

  friend bool operator==(const ExportOptions&, const ExportOptions&) = default;
};

/// @throws Error(kUsage) if indices from `offset` on leave the range of 63 bits
void check_offset(std::int64_t offset, std::uint64_t terms);

/// Writes a table of one or several heaps to `out`, without committing it, and returns the number
/// of lines or values. Ends early if `out` is closed.
/// @throws Error(kUsage) for options that the table or the format cannot meet, Error(kCorrupt) or
///   Error(kFailure) from reading and writing
std::uint64_t export_table(const TableReader& table, ExportFormat format,
                           const ExportOptions& options, ByteOutput& out);

/// A picture of more positions is refused.
inline constexpr std::uint64_t kMostDrawn = 5000;

/// Writes a table of positions to `out`, without committing it.
/// @param game may be null: positions are known by their keys alone then
/// @param adjacency needed for json and dot; may be null for csv
/// @throws Error(kUsage) for another format, or if a picture would have more than kMostDrawn
/// positions
void export_graph(const GraphFile& file, const GraphGame* game, const GraphAdjacency* adjacency,
                  ExportFormat format, ByteOutput& out);

}  // namespace grundy
