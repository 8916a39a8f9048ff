/// @file
/// Tables in the formats that other programs read.
///
/// - `bfile`: the OEIS grammar to the letter: one `n a(n)` a line, one space, LF also after the
/// last
///   line, ASCII, consecutive n (oeis.org/wiki/B-files).
///   With an A-number comment lines that start with `#` come first: the game, and what is known of
///   its period.
/// - `histogram`: one line `value number` for each value that occurs, of heaps from 1 on, as the
///   lists of github.com/rogalski-wmii-uni-lodz-pl/octal have it.
/// - `csv`: the header `n,grundy` and one line a heap; of a lattice table `heap_1,heap_2,grundy`
///   and one line a position.
/// - `npy`: NumPy format 1.0 (NEP 1): `|u1`, `<u2` or `<u4`, whichever width the table has, in the
///   shape of the table; the header is padded to a multiple of 64 bytes, so the values can be
///   mapped.
///
/// Of a lattice table the positions of one value can be listed instead: `csv` lines `heap_1,heap_2`
/// or an `npy` array of `<u4` with one row each.
///
/// Values stream through a few chunks of memory, whatever the size of the table.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <grundy/table.hpp>

#include "table/byte_output.hpp"

namespace grundy {

enum class ExportFormat { kBFile, kCsv, kNpy, kHistogram };

/// `bfile`, `csv`, `npy` or `histogram`. @throws Error(kUsage) for anything else
ExportFormat parse_export_format(std::string_view name);

struct ExportOptions {
  std::int64_t offset = 0;          ///< added to the heap to give the printed index; not for npy
  std::optional<HeapSize> terms{};  ///< how many values from heap 0 on; nothing: all
  std::optional<Nimber> value{};    ///< of a lattice table: list the positions of this value
  std::string anumber{};            ///< of a b-file, such as `A002186`: comment lines come first
  /// Of that list: the differences of consecutive heaps as well.
  bool differences = false;
};

/// Writes the table to `out`, without committing it, and returns how many lines or values there
/// are. Ends early if `out` is closed.
/// @throws Error(kUsage) for options that the table or the format cannot meet, Error(kCorrupt) or
///   Error(kFailure) from reading and writing
std::uint64_t export_table(const TableReader& table, ExportFormat format,
                           const ExportOptions& options, ByteOutput& out);

}  // namespace grundy
