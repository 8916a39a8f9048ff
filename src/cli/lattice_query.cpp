// SPDX-License-Identifier: MIT
#include "cli/lattice_query.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "cli/answers.hpp"
#include "cli/run_options.hpp"

namespace grundy::cli {
namespace {

/// Splits texts at commas, because `3,5` means `3 5`.
std::vector<std::string> split_at_commas(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t comma = std::min(text.find(',', begin), text.size());
      out.push_back(text.substr(begin, comma - begin));
      begin = comma + 1;
    }
  }
  return out;
}

/// The range of one heap, within its table.
CountRange heap_range(const Layout& layout, unsigned heap, const std::string& text) {
  const CountRange range = parse_range(text);
  const std::uint64_t extent = layout.extent[heap];
  if (range.last >= extent) {
    throw Error(ErrorCode::kUsage,
                layout.is_lattice()
                    ? fmt::format("heap {} of the table has sizes below {}, so {} is not in it",
                                  heap + 1, extent, text)
                    : fmt::format("it has heaps below {}, so {} is not in it", extent, text));
  }
  return range;
}

using HeapRanges = std::array<CountRange, kMaxLatticeHeaps>;

/// A range for each heap.
HeapRanges heap_ranges(const Layout& layout, const std::vector<std::string>& heaps) {
  const std::vector<std::string> texts = split_at_commas(heaps);
  if (texts.size() != layout.heaps) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("a position of this table has {} heaps, not {}; ask for one position, or "
                    "for one range of each heap",
                    layout.heaps, texts.size()));
  }
  HeapRanges ranges{};
  for (unsigned i = 0; i < layout.heaps; ++i) ranges[i] = heap_range(layout, i, texts[i]);
  return ranges;
}

LatticePoint first_of(const Layout& layout, const HeapRanges& ranges) {
  LatticePoint p{};
  for (unsigned i = 0; i < layout.heaps; ++i) p[i] = static_cast<std::uint32_t>(ranges[i].first);
  return p;
}

void write_position(const TableReader& table, const LatticePoint& p, Answers& out) {
  const Layout& layout = table.info().layout;
  std::vector<Nimber> values;
  for (unsigned plane = 0; plane < layout.planes; ++plane) values.push_back(table.value(p, plane));
  const auto heaps = std::span(p).first(layout.heaps);
  if (!out.as_json()) {
    return out.write(fmt::format("{} {}\n", fmt::join(heaps, " "), fmt::join(values, " ")));
  }
  out.write(fmt::format(
      "{{\"position\": [{}], \"value\": {}{}}}", fmt::join(heaps, ", "), values.front(),
      values.size() > 1 ? fmt::format(", \"value_with_pass\": {}", values.back()) : ""));
}

}  // namespace

void for_each_position(const Layout& layout, const std::vector<std::string>& heaps,
                       const std::function<bool(const LatticePoint&)>& visit) {
  const HeapRanges ranges = heap_ranges(layout, heaps);
  LatticePoint p = first_of(layout, ranges);
  while (visit(p)) {
    unsigned heap = layout.heaps;
    while (heap > 0 && p[heap - 1] == ranges[heap - 1].last) {
      --heap;
      p[heap] = static_cast<std::uint32_t>(ranges[heap].first);
    }
    if (heap == 0) return;
    ++p[heap - 1];
  }
}

int query_lattice(Console& console, const TableReader& table,
                  const std::vector<std::string>& heaps) {
  Answers out(console);
  out.attempt([&] {
    for_each_position(table.info().layout, heaps, [&](const LatticePoint& p) {
      write_position(table, p, out);
      return !out.closed();
    });
  });
  return out.end();
}

}  // namespace grundy::cli
