// SPDX-License-Identifier: MIT
#include "table/exporter.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "table/lattice_export.hpp"
#include "table/npy.hpp"

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
  if (format == ExportFormat::kHistogram && (options.offset != 0 || options.terms)) {
    throw Error(ErrorCode::kUsage, "--offset and --terms have no meaning for a histogram");
  }
  if (!options.anumber.empty() && format != ExportFormat::kBFile) {
    throw Error(ErrorCode::kUsage, "--anumber is for b-files");
  }
  return terms;
}

/// The comment lines of a b-file. OEIS wants ASCII, and the rule and theorem texts are.
std::string comments(const TableInfo& info, const ExportOptions& options, HeapSize terms) {
  const std::string& a = options.anumber;
  if (a.size() != 7 || a[0] != 'A' || a.find_first_not_of("0123456789", 1) != std::string::npos) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--anumber: {} is not of the form A002186", in_quotes(a)));
  }
  std::string text = fmt::format(
      "# {}: Grundy values of {}\n"
      "# Table of n, a(n), where a(n) is the value of a heap of n{} tokens: heaps 0..{}\n",
      a, info.canonical,
      options.offset == 0 ? std::string() : fmt::format(" - ({})", options.offset), terms - 1);
  const PeriodReport& period = info.period;
  if (period.status != PeriodStatus::kNone) {
    text += fmt::format(
        "# {} period {} from heap {} on{}\n",
        period.status == PeriodStatus::kCertified ? "Proved:" : "Observed only:", period.period,
        period.preperiod,
        period.saltus == 0 ? std::string() : fmt::format(", saltus {}", period.saltus));
  }
  if (!period.theorem.empty()) text += fmt::format("# {}\n", period.theorem);
  return text + fmt::format("# Largest value {}, first at heap {}\n", info.stats.max_value,
                            info.stats.argmax);
}

/// The histogram without heap 0, whose value is 0. Returns the number of lines.
std::uint64_t export_histogram(const TableStats& stats, ByteOutput& out) {
  std::uint64_t lines = 0;
  for (Nimber value = 0; value < stats.histogram.size(); ++value) {
    const std::uint64_t heaps = stats.histogram[value] - (value == 0 ? 1 : 0);
    if (heaps == 0) continue;
    out.write(fmt::format("{} {}\n", value, heaps));
    ++lines;
  }
  return lines;
}

}  // namespace

ExportFormat parse_export_format(std::string_view name) {
  if (name == "bfile") return ExportFormat::kBFile;
  if (name == "csv") return ExportFormat::kCsv;
  if (name == "npy") return ExportFormat::kNpy;
  if (name == "histogram") return ExportFormat::kHistogram;
  throw Error(
      ErrorCode::kUsage,
      fmt::format("unknown format \"{}\"; the formats are bfile, csv, npy and histogram", name));
}

std::uint64_t export_table(const TableReader& table, ExportFormat format,
                           const ExportOptions& options, ByteOutput& out) {
  if (table.info().layout.is_lattice() &&
      (format == ExportFormat::kHistogram || !options.anumber.empty())) {
    throw Error(ErrorCode::kUsage, "histograms and --anumber are for tables of one heap");
  }
  if (table.info().layout.is_lattice()) return export_lattice(table, format, options, out);
  if (options.value || options.differences) {
    throw Error(ErrorCode::kUsage, "--value and --differences are for tables of several heaps");
  }
  const HeapSize terms = checked_terms(table, format, options);
  if (format == ExportFormat::kHistogram) return export_histogram(table.info().stats, out);
  if (!options.anumber.empty()) out.write(comments(table.info(), options, terms));
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
