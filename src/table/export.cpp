// SPDX-License-Identifier: MIT
#include "table/export.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/names.hpp"
#include "core/text.hpp"
#include "table/chunk_grid.hpp"
#include "table/layout_text.hpp"

namespace grundy {
namespace {

constexpr std::array<std::pair<std::string_view, ExportFormat>, 6> kExportFormats = {
    {{"bfile", ExportFormat::kBFile},
     {"csv", ExportFormat::kCsv},
     {"npy", ExportFormat::kNpy},
     {"histogram", ExportFormat::kHistogram},
     {"json", ExportFormat::kJson},
     {"dot", ExportFormat::kDot}}};

/// Everything before the numbers of a file of NumPy (NEP 1, format 1.0): unsigned integers of
/// `width` bytes.
std::string npy_header(std::size_t width, std::span<const std::uint64_t> shape) {
  constexpr std::string_view kMagic{"\x93NUMPY\x01\x00", 8};
  constexpr std::size_t kAlignment = 64;
  std::string text = fmt::format("{{'descr': '{}u{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 width == 1 ? '|' : '<', width, fmt::join(shape, ", "),
                                 shape.size() == 1 ? "," : "");
  const std::size_t prefix = kMagic.size() + 2;
  const std::size_t unpadded = prefix + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string header(kMagic);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

/// Appends numbers of `width` bytes.
void append_npy(std::string& bytes, std::size_t width, std::span<const std::uint32_t> numbers) {
  for (const std::uint32_t number : numbers) {
    for (std::size_t i = 0; i < width; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
  }
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorCode::kUsage, why);
}

void check_of_any(ExportFormat format, const ExportOptions& options) {
  if (format == ExportFormat::kJson || format == ExportFormat::kDot) {
    refuse(
        "json and dot are for tables of positions; there are csv and npy, and bfile and histogram "
        "of one heap");
  }
  if (!options.anumber.empty() && format != ExportFormat::kBFile) {
    refuse("an A-number is for b-files");
  }
}

/// Checks `terms` and returns the number of values to export.
HeapSize check_terms(HeapSize count, const ExportOptions& options) {
  const HeapSize terms = options.terms.value_or(count);
  if (terms > count) {
    refuse(fmt::format("{} terms are more than the {} values of the table", terms, count));
  }
  return terms;
}

/// @param count of the table
void check_of_heaps_of_value(HeapSize count, ExportFormat format, const ExportOptions& options) {
  const bool indexed = format == ExportFormat::kBFile;
  if (!indexed && format != ExportFormat::kCsv) {
    refuse("the heaps of one value are listed as csv or bfile");
  }
  if (options.terms || !options.anumber.empty()) {
    refuse("terms and an A-number are for the values of a table, not for the heaps of one value");
  }
  if (!indexed && options.offset != 0) {
    refuse("of the heaps of one value, the offset is the first index of a b-file");
  }
  check_offset(options.offset, count);
}

void check_of_heaps(HeapSize count, ExportFormat format, const ExportOptions& options) {
  if (options.differences) refuse("differences are for tables of several heaps");
  if (options.value) return check_of_heaps_of_value(count, format, options);
  const HeapSize terms = check_terms(count, options);
  if (format == ExportFormat::kNpy && options.offset != 0) {
    refuse("an offset has no meaning for npy, which holds values without their index");
  }
  check_offset(options.offset, terms);
  if (format == ExportFormat::kHistogram && (options.offset != 0 || options.terms)) {
    refuse("offset and terms have no meaning for a histogram");
  }
}

void check_of_lattice(HeapSize count, ExportFormat format, const ExportOptions& options) {
  if (format == ExportFormat::kHistogram || !options.anumber.empty()) {
    refuse("histograms and A-numbers are for tables of one heap");
  }
  if (format == ExportFormat::kBFile) {
    refuse("a b-file lists a sequence; use csv or npy for several heaps");
  }
  if (options.offset != 0) refuse("an offset is for tables of one heap");
  if (options.terms && (options.value || format != ExportFormat::kCsv)) {
    refuse("terms are for tables of one heap, and of several heaps for csv of all values");
  }
  check_terms(count, options);
  if (options.differences && (!options.value || format != ExportFormat::kCsv)) {
    refuse("differences are for the positions of one value, listed as csv");
  }
}

/// The comment lines of a b-file. OEIS wants ASCII, which the texts of rules and theorems are.
std::string comments(const TableInfo& info, const ExportOptions& options, HeapSize terms) {
  const std::string& a = options.anumber;
  if (a.size() != 7 || a[0] != 'A' || a.find_first_not_of("0123456789", 1) != std::string::npos) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the A-number {} is not of the form A002186", in_quotes(a)));
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

/// Calls `visit` with the first `count` entries in order, in blocks.
void for_each_block(
    const TableReader& table, std::uint64_t count, const ByteOutput& out,
    const std::function<void(std::uint64_t begin, std::span<const Nimber> values)>& visit) {
  constexpr std::uint64_t kStep = 1u << 16;
  std::vector<Nimber> values(std::min(kStep, count));
  for (std::uint64_t begin = 0; begin < count && !out.closed(); begin += values.size()) {
    values.resize(std::min<std::uint64_t>(values.size(), count - begin));
    table.read(begin, values);
    visit(begin, values);
  }
}

/// Writes a line for each value.
class Lines {
 public:
  /// @param separator stands between an index and its value
  Lines(const Layout& layout, std::int64_t offset, char separator)
      : layout_(layout), index_(offset), separator_(separator) {}

  void append(std::string& text, std::span<const Nimber> values) {
    if (layout_.is_lattice()) return append_positions(text, values);
    for (const Nimber value : values) {
      fmt::format_to(std::back_inserter(text), FMT_STRING("{}{}{}\n"), index_++, separator_, value);
    }
  }

 private:
  /// Steps from one position to the next, which is faster than entry_text().
  void append_positions(std::string& text, std::span<const Nimber> values) {
    for (const Nimber value : values) {
      for (unsigned i = 0; i < layout_.heaps; ++i) {
        fmt::format_to(std::back_inserter(text), FMT_STRING("{},"), p_[i]);
      }
      if (layout_.planes > 1) fmt::format_to(std::back_inserter(text), FMT_STRING("{},"), plane_);
      fmt::format_to(std::back_inserter(text), FMT_STRING("{}\n"), value);
      if (++plane_ < layout_.planes) continue;
      plane_ = 0;
      layout_.step(p_);
    }
  }

  const Layout& layout_;
  std::int64_t index_;
  char separator_;
  LatticePoint p_{};
  unsigned plane_ = 0;
};

std::uint64_t export_values(const TableReader& table, ExportFormat format,
                            const ExportOptions& options, ByteOutput& out) {
  const Layout& layout = table.info().layout;
  const std::uint64_t terms = options.terms.value_or(layout.entries());
  if (!options.anumber.empty()) out.write(comments(table.info(), options, terms));
  if (format == ExportFormat::kCsv) out.write(entry_header(layout) + ",grundy\n");
  if (format == ExportFormat::kNpy) {
    std::vector<std::uint64_t> shape = array_extent(layout);
    if (options.terms) shape = {terms};
    out.write(npy_header(byte_count(table.width()), shape));
  }
  Lines lines(layout, options.offset, format == ExportFormat::kCsv ? ',' : ' ');
  std::string bytes;
  for_each_block(table, terms, out, [&](std::uint64_t, std::span<const Nimber> values) {
    bytes.clear();
    if (format == ExportFormat::kNpy) {
      append_npy(bytes, byte_count(table.width()), values);
    } else {
      lines.append(bytes, values);
    }
    out.write(bytes);
  });
  return terms;
}

/// The number of entries with a value.
std::uint64_t occurrences(const TableReader& table, Nimber value, const ByteOutput& out) {
  const TableStats& stats = table.info().stats;
  if (value > stats.max_value) return 0;
  if (value < stats.histogram.size()) return stats.histogram[value];
  std::uint64_t count = 0;  // the histogram does not count values as large as this
  for_each_block(table, stats.count, out, [&](std::uint64_t, std::span<const Nimber> values) {
    count += static_cast<std::uint64_t>(std::ranges::count(values, value));
  });
  return count;
}

/// The heaps of one value, a line each; with a number before it in a b-file.
std::uint64_t export_heaps(const TableReader& table, ExportFormat format,
                           const ExportOptions& options, ByteOutput& out) {
  const Layout& layout = table.info().layout;
  const bool indexed = format == ExportFormat::kBFile;
  if (!indexed) out.write(entry_header(layout) + '\n');
  std::uint64_t listed = 0;
  std::int64_t index = options.offset;
  std::string bytes;
  for_each_block(table, layout.entries(), out,
                 [&](std::uint64_t begin, std::span<const Nimber> values) {
                   bytes.clear();
                   for (std::size_t i = 0; i < values.size(); ++i) {
                     if (values[i] != *options.value) continue;
                     if (indexed) bytes += fmt::format("{} ", index++);
                     bytes += fmt::format("{}\n", begin + i);
                     ++listed;
                   }
                   out.write(bytes);
                 });
  return listed;
}

std::uint64_t export_positions(const TableReader& table, ExportFormat format,
                               const ExportOptions& options, ByteOutput& out) {
  const Layout& layout = table.info().layout;
  const unsigned heaps = layout.heaps;
  const std::uint64_t all = layout.entries();
  const std::uint64_t count = occurrences(table, *options.value, out);
  const std::uint64_t columns = heaps + (layout.planes > 1 ? 1 : 0);
  if (format == ExportFormat::kNpy) {
    out.write(npy_header(sizeof(std::uint32_t), std::array{count, columns}));
  } else {
    std::string header = entry_header(layout);
    for (unsigned i = 2; options.differences && i <= heaps; ++i) {
      header += fmt::format(",heap_{}-heap_{}", i, i - 1);
    }
    out.write(header + '\n');
  }
  std::vector<std::uint32_t> row;
  std::string bytes;
  for_each_block(table, all, out, [&](std::uint64_t begin, std::span<const Nimber> values) {
    bytes.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != *options.value) continue;
      const LatticePoint p = layout.position_at(begin + i);
      if (format == ExportFormat::kNpy) {
        row.assign(p.begin(), p.begin() + heaps);
        if (layout.planes > 1) row.push_back(layout.plane_of(begin + i));
        append_npy(bytes, sizeof(std::uint32_t), row);
        continue;
      }
      bytes += entry_text(layout, begin + i);
      for (unsigned k = 1; options.differences && k < heaps; ++k) {
        bytes += fmt::format(",{}", std::int64_t{p[k]} - std::int64_t{p[k - 1]});
      }
      bytes += '\n';
    }
    out.write(bytes);
  });
  return count;
}

}  // namespace

void check_offset(std::int64_t offset, std::uint64_t terms) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (offset > 0 && terms > static_cast<std::uint64_t>(kMax - offset)) {
    refuse(fmt::format("the offset {} takes the index past 2^63-1", offset));
  }
}

std::vector<std::string> export_format_names() {
  std::vector<std::string> names;
  for (const auto& [name, format] : kExportFormats) names.emplace_back(name);
  return names;
}

ExportFormat parse_export_format(std::string_view name) {
  for (const auto& [known, format] : kExportFormats) {
    if (same_name(name, known)) return format;
  }
  const std::vector<std::string> names = export_format_names();
  refuse(no_such_name("format", name, names,
                      fmt::format("the formats are {}", fmt::join(names, ", "))));
}

std::uint64_t export_table(const TableReader& table, ExportFormat format,
                           const ExportOptions& options, ByteOutput& out) {
  const TableInfo& info = table.info();
  check_of_any(format, options);
  if (info.layout.is_lattice()) {
    check_of_lattice(info.stats.count, format, options);
  } else {
    check_of_heaps(info.stats.count, format, options);
  }
  if (format == ExportFormat::kHistogram) return export_histogram(info.stats, out);
  if (!options.value) return export_values(table, format, options, out);
  return info.layout.is_lattice() ? export_positions(table, format, options, out)
                                  : export_heaps(table, format, options, out);
}

}  // namespace grundy
