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
std::string position_header(const LatticeLayout& layout) {
  std::string text;
  for (unsigned i = 1; i <= layout.shape.heaps; ++i) {
    text += fmt::format("{}heap_{}", i > 1 ? "," : "", i);
  }
  return layout.planes > 1 ? text + ",pass_left" : text;
}

/// Positions in the order of entries; stepping is much faster than unranking each.
class Odometer {
 public:
  explicit Odometer(const LatticeLayout& layout) : layout_(layout) {}

  /// The heaps and, with several planes, the plane.
  [[nodiscard]] std::span<const std::uint32_t> columns() const noexcept {
    return std::span(at_).first(layout_.shape.heaps + (layout_.planes > 1 ? 1 : 0));
  }
  void step() {
    const unsigned heaps = layout_.shape.heaps;
    if (layout_.planes > 1 && ++at_[heaps] < layout_.planes) return;
    if (layout_.planes > 1) at_[heaps] = 0;
    if (layout_.shape.sorted) {
      unsigned turned = 0;
      while (turned + 1 < heaps && at_[turned] == at_[turned + 1]) at_[turned++] = 0;
      ++at_[turned];
      return;
    }
    for (unsigned i = heaps; i-- > 0 && ++at_[i] == layout_.shape.extent[i];) at_[i] = 0;
  }

 private:
  const LatticeLayout& layout_;
  std::array<std::uint32_t, kMaxLatticeHeaps + 1> at_{};
};

std::uint64_t export_values(const TableReader& table, ExportFormat format, ByteOutput& out) {
  const LatticeLayout& layout = *table.info().lattice;
  if (format == ExportFormat::kNpy) {
    std::vector<std::uint64_t> shape(layout.shape.extent.begin(),
                                     layout.shape.extent.begin() + layout.shape.heaps);
    if (layout.shape.sorted) shape.assign(1, layout.positions());
    if (layout.planes > 1) shape.push_back(layout.planes);
    out.write(npy_header(byte_count(table.width()), shape));
  } else {
    out.write(position_header(layout) + ",grundy\n");
  }
  Odometer position(layout);
  std::string bytes;
  for_each_block(table, out, [&](std::uint64_t, std::span<const Nimber> values) {
    bytes.clear();
    if (format == ExportFormat::kNpy) {
      append_npy(bytes, byte_count(table.width()), values);
    } else {
      for (const Nimber value : values) {
        for (const std::uint32_t column : position.columns()) {
          fmt::format_to(std::back_inserter(bytes), FMT_STRING("{},"), column);
        }
        fmt::format_to(std::back_inserter(bytes), FMT_STRING("{}\n"), value);
        position.step();
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
  const LatticeLayout& layout = *table.info().lattice;
  const unsigned heaps = layout.shape.heaps;
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
