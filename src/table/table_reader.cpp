// SPDX-License-Identifier: MIT
#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "table/file_checks.hpp"
#include "table/table_of_parts.hpp"
#include "table/values_of_files.hpp"

namespace grundy {
namespace {

class Reader final : public TableReader {
 public:
  /// A table in one file.
  explicit Reader(std::unique_ptr<const TableFile> file)
      : info_(file->info()), width_(file->width()), values_(one(std::move(file))) {}
  /// A table in parts.
  explicit Reader(MasterFile master)
      : info_(std::move(master.info)), width_(master.width), values_(std::move(master.parts)) {}

  [[nodiscard]] const TableInfo& info() const noexcept override { return info_; }
  [[nodiscard]] ValueWidth width() const noexcept override { return width_; }
  [[nodiscard]] HeapSize chunk_size() const noexcept override {
    return values_.files().front()->chunk_size();
  }

  void read(HeapSize begin, std::span<Nimber> out) const override {
    const HeapSize count = info().stats.count;
    if (begin > count || out.size() > count - begin) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{0} {1} to {2} were asked for, but the table has only {0} below {3}",
                              info().layout.is_lattice() ? "entries" : "heaps", begin,
                              begin + (out.empty() ? 0 : out.size() - 1), count));
    }
    values_.read(begin, out);
  }

 private:
  static ValuesOfFiles::Files one(std::unique_ptr<const TableFile> file) {
    ValuesOfFiles::Files files;
    files.push_back(std::move(file));
    return files;
  }

  TableInfo info_;
  ValueWidth width_;
  ValuesOfFiles values_;
};

/// A file of statistics, which has only the last values.
class TailReader final : public TableReader {
 public:
  explicit TailReader(const std::filesystem::path& path)
      : path_(path), file_(read_statistics(path)) {}

  [[nodiscard]] const TableInfo& info() const noexcept override { return file_.info; }
  [[nodiscard]] ValueWidth width() const noexcept override {
    return width_for(file_.info.stats.max_value);
  }
  [[nodiscard]] HeapSize chunk_size() const noexcept override { return kTailValues; }
  void read(HeapSize begin, std::span<Nimber> out) const override {
    const std::vector<Nimber>& tail = file_.statistics.tail;
    const HeapSize count = file_.info.stats.count;
    const HeapSize first = count - tail.size();
    if (begin < first || begin > count || out.size() > count - begin) {
      refuse(ErrorCode::kUsage, path_,
             fmt::format("has statistics of all heaps, but values of heaps {} to {} only", first,
                         count - 1));
    }
    std::copy_n(tail.begin() + static_cast<std::ptrdiff_t>(begin - first), out.size(), out.begin());
  }

 private:
  std::filesystem::path path_;
  StatisticsFile file_;
};

}  // namespace

std::unique_ptr<TableReader> TableReader::open(const std::filesystem::path& path) {
  const FileKind kind = kind_of(path);
  if (kind == FileKind::kStatistics) return std::make_unique<TailReader>(path);
  if (kind == FileKind::kMaster) return std::make_unique<Reader>(open_master(path));
  return std::make_unique<Reader>(std::make_unique<const TableFile>(path));
}

std::uint64_t TableReader::value(HeapSize n) const {
  const TableInfo& table = info();
  const bool extended = n >= table.stats.count;
  if (extended && table.period.status != PeriodStatus::kCertified) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the table has only heaps below {} and no certified period; heap {} "
                            "cannot be known from it",
                            table.stats.count, n));
  }
  Nimber value = 0;
  read(extended ? periodic_heap(table.period, n) : n, {&value, 1});
  return extended ? periodic_value(table.period, value, n) : value;
}

Nimber TableReader::value(const LatticePoint& p, unsigned plane) const {
  const Layout& layout = info().layout;
  if (!layout.is_lattice()) {
    throw Error(ErrorCode::kUsage, "this is a table of one heap, and has no positions of several");
  }
  const std::span<const std::uint32_t> heaps(p.data(), layout.heaps);
  if (!layout.contains(p) || plane >= layout.planes) {
    const auto extent = std::span(layout.extent).first(layout.heaps);
    throw Error(ErrorCode::kUsage,
                fmt::format("the position ({}) is not in the table, whose heaps are below ({})",
                            fmt::join(heaps, ","), fmt::join(extent, ",")));
  }
  Nimber value = 0;
  read(layout.entry_of(p, plane), {&value, 1});
  return value;
}

std::vector<Nimber> TableReader::slice(const LatticePoint& first, const LatticePoint& end,
                                       unsigned plane) const {
  const Layout& layout = info().layout;
  Layout box{.heaps = layout.heaps};
  LatticePoint largest{};
  for (unsigned i = 0; i < layout.heaps; ++i) {
    if (first[i] >= end[i]) {
      throw Error(ErrorCode::kUsage, fmt::format("heap {} of the slice has no sizes", i + 1));
    }
    box.extent[i] = end[i] - first[i];
    largest[i] = end[i] - 1;
  }
  static_cast<void>(value(largest, plane));  // refuses what is not in the table
  const std::size_t length = box.extent[layout.heaps - 1];
  std::vector<Nimber> values;
  std::vector<Nimber> row(length * layout.planes);
  LatticePoint at{};
  for (std::uint64_t done = 0; done < box.positions(); done += length) {
    LatticePoint p = first;
    for (unsigned i = 0; i < layout.heaps; ++i) p[i] += at[i];
    if (layout.sorted) {
      for (std::size_t i = 0; i < length; ++i, ++p[layout.heaps - 1]) {
        values.push_back(value(p, plane));
      }
    } else {
      read(layout.entry_of(p), row);
      for (std::size_t i = plane; i < row.size(); i += layout.planes) values.push_back(row[i]);
    }
    at[layout.heaps - 1] = static_cast<std::uint32_t>(length - 1);
    box.step(at);
  }
  return values;
}

}  // namespace grundy
