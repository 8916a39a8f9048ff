// SPDX-License-Identifier: MIT
#include "export/exporter.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "export/lattice_export.hpp"
#include "export/npy.hpp"

namespace grundy {
namespace {

void append_lines(std::string& text, std::int64_t index, char separator,
                  std::span<const Nimber> values) {
  for (const Nimber value : values) {
    fmt::format_to(std::back_inserter(text), FMT_STRING("{}{}{}\n"), index++, separator, value);
  }
}

/// The number of values to write, once the request is known to make sense.
HeapSize checked_terms(const TableReader& table, ExportFormat format,
                       const ExportOptions& options) {
  const HeapSize count = table.info().stats.count;
  const HeapSize terms = options.terms.value_or(count);
  if (terms > count) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--terms {} is more than the {} values of the table", terms, count));
  }
  if (format == ExportFormat::kNpy && options.offset != 0) {
    throw Error(ErrorCode::kUsage,
                "--offset has no meaning for npy, which holds values without their index");
  }
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (options.offset > 0 && terms > static_cast<HeapSize>(kMax - options.offset)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--offset {} takes the index past 2^63-1", options.offset));
  }
  return terms;
}

}  // namespace

ExportFormat parse_export_format(std::string_view name) {
  if (name == "bfile") return ExportFormat::kBFile;
  if (name == "csv") return ExportFormat::kCsv;
  if (name == "npy") return ExportFormat::kNpy;
  throw Error(ErrorCode::kUsage,
              fmt::format("unknown format \"{}\"; the formats are bfile, csv and npy", name));
}

std::uint64_t export_table(const TableReader& table, ExportFormat format,
                           const ExportOptions& options, ByteOutput& out) {
  if (table.info().lattice) return export_lattice(table, format, options, out);
  if (options.value || options.differences) {
    throw Error(ErrorCode::kUsage, "--value and --differences are for tables of several heaps");
  }
  const HeapSize terms = checked_terms(table, format, options);
  if (format == ExportFormat::kCsv) out.write("n,grundy\n");
  if (format == ExportFormat::kNpy)
    out.write(npy_header(byte_count(table.width()), std::array{terms}));

  std::vector<Nimber> values(std::min(table.chunk_size(), terms));
  std::string bytes;
  for (HeapSize begin = 0; begin < terms && !out.closed(); begin += values.size()) {
    values.resize(std::min<HeapSize>(values.size(), terms - begin));
    table.read(begin, values);
    bytes.clear();
    if (format == ExportFormat::kNpy) {
      append_npy(bytes, byte_count(table.width()), values);
    } else {
      append_lines(bytes, static_cast<std::int64_t>(begin) + options.offset,
                   format == ExportFormat::kCsv ? ',' : ' ', values);
    }
    out.write(bytes);
  }
  return terms;
}

}  // namespace grundy
