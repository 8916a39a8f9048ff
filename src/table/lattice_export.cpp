// SPDX-License-Identifier: MIT
#include "table/lattice_export.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "table/chunk_grid.hpp"
#include "table/npy.hpp"

namespace grundy {
namespace {

void check(ExportFormat format, const ExportOptions& options) {
  if (format == ExportFormat::kBFile) {
    throw Error(ErrorCode::kUsage, "a b-file lists a sequence; use csv or npy for several heaps");
  }
  if (options.offset != 0 || options.terms) {
    throw Error(ErrorCode::kUsage, "--offset and --terms are for tables of one heap");
  }
  if (options.differences && (!options.value || format != ExportFormat::kCsv)) {
    throw Error(ErrorCode::kUsage,
                "--differences is about the positions of a --value, listed as csv");
  }
}

/// Calls `visit` with all entries in order, some at a time.
void for_each_block(
    const TableReader& table, const ByteOutput& out,
    const std::function<void(std::uint64_t begin, std::span<const Nimber> values)>& visit) {
  constexpr std::uint64_t kStep = 1u << 16;
  const std::uint64_t count = table.info().stats.count;
  std::vector<Nimber> values(std::min(kStep, count));
  for (std::uint64_t begin = 0; begin < count && !out.closed(); begin += values.size()) {
    values.resize(std::min<std::uint64_t>(values.size(), count - begin));
    table.read(begin, values);
    visit(begin, values);
  }
}

/// Names of the columns that tell a position.
std::string position_header(const Layout& layout) {
  std::string text;
  for (unsigned i = 1; i <= layout.heaps; ++i) {
    text += fmt::format("{}heap_{}", i > 1 ? "," : "", i);
  }
  return layout.planes > 1 ? text + ",pass_left" : text;
}

/// Appends the heaps and, with several planes, the plane, each with a comma behind it.
void append_position(std::string& text, const Layout& layout, const Point& p, unsigned plane) {
  for (unsigned i = 0; i < layout.heaps; ++i) {
    fmt::format_to(std::back_inserter(text), FMT_STRING("{},"), p[i]);
  }
  if (layout.planes > 1) fmt::format_to(std::back_inserter(text), FMT_STRING("{},"), plane);
}

std::uint64_t export_values(const TableReader& table, ExportFormat format, ByteOutput& out) {
  const Layout& layout = table.info().layout;
  if (format == ExportFormat::kNpy) {
    out.write(npy_header(byte_count(table.width()), array_extent(layout)));
  } else {
    out.write(position_header(layout) + ",grundy\n");
  }
  Point p{};
  unsigned plane = 0;
  std::string bytes;
  for_each_block(table, out, [&](std::uint64_t, std::span<const Nimber> values) {
    bytes.clear();
    if (format == ExportFormat::kNpy) {
      append_npy(bytes, byte_count(table.width()), values);
    } else {
      for (const Nimber value : values) {
        append_position(bytes, layout, p, plane);
        fmt::format_to(std::back_inserter(bytes), FMT_STRING("{}\n"), value);
        if (++plane < layout.planes) continue;
        plane = 0;
        layout.step(p);
      }
    }
    out.write(bytes);
  });
  return table.info().stats.count;
}

/// How many entries have a value.
std::uint64_t occurrences(const TableReader& table, Nimber value, const ByteOutput& out) {
  const TableStats& stats = table.info().stats;
  if (value > stats.max_value) return 0;
  if (value < stats.histogram.size()) return stats.histogram[value];
  std::uint64_t count = 0;  // so large a value is not counted in the histogram
  for_each_block(table, out, [&](std::uint64_t, std::span<const Nimber> values) {
    count += static_cast<std::uint64_t>(std::ranges::count(values, value));
  });
  return count;
}

std::uint64_t export_positions(const TableReader& table, ExportFormat format,
                               const ExportOptions& options, ByteOutput& out) {
  const Layout& layout = table.info().layout;
  const unsigned heaps = layout.heaps;
  const std::uint64_t count = occurrences(table, *options.value, out);
  const std::uint64_t columns = heaps + (layout.planes > 1 ? 1 : 0);
  if (format == ExportFormat::kNpy) {
    out.write(npy_header(sizeof(std::uint32_t), std::array{count, columns}));
  } else {
    std::string header = position_header(layout);
    for (unsigned i = 2; options.differences && i <= heaps; ++i) {
      header += fmt::format(",heap_{}-heap_{}", i, i - 1);
    }
    out.write(header + '\n');
  }
  std::vector<std::uint32_t> row;
  std::string bytes;
  for_each_block(table, out, [&](std::uint64_t begin, std::span<const Nimber> values) {
    bytes.clear();
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != *options.value) continue;
      const Point p = layout.position_at(begin + i);
      row.assign(p.begin(), p.begin() + heaps);
      if (layout.planes > 1) row.push_back(static_cast<std::uint32_t>((begin + i) % layout.planes));
      if (format == ExportFormat::kNpy) {
        append_npy(bytes, sizeof(std::uint32_t), row);
        continue;
      }
      bytes += fmt::format("{}", fmt::join(row, ","));
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

std::uint64_t export_lattice(const TableReader& table, ExportFormat format,
                             const ExportOptions& options, ByteOutput& out) {
  check(format, options);
  return options.value ? export_positions(table, format, options, out)
                       : export_values(table, format, out);
}

}  // namespace grundy
