// SPDX-License-Identifier: MIT
#include "engines/lattice/marked_rows.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include <grundy/lattice/options.hpp>

#include "engines/lattice/engines.hpp"

namespace grundy {
namespace {

constexpr std::uint16_t kNoValue = 0x7fff;  ///< lies in no plane
constexpr std::size_t kGroup = 64;          ///< positions that are marked at once
/// Rows that are marked side by side, for each thread; their marks stay in its cache.
constexpr std::size_t kRowsOfThread = 8;
/// Amounts that all groups of a row look at before the next ones: what they read stays in the
/// first cache.
constexpr std::size_t kAmounts = 128;
/// Values beyond the largest one so far that have planes, too: as many, and this part of it.
constexpr Nimber kMoreValues = 16, kPartMore = 16;

/// What it costs to list an amount, and to read its options for a group, in marks of a plane.
constexpr double kListing = 80, kReading = 8;

std::size_t whole_groups(std::size_t positions) noexcept {
  return (positions + kGroup - 1) / kGroup * kGroup;
}
/// Before each row lie as many cells without a value, where options would have fewer than 0 tokens.
std::size_t stride_of(const LatticeShape& shape) noexcept {
  return 2 * whole_groups(shape.extent[shape.heaps - 1]);
}
std::size_t row_count(const LatticeShape& shape) noexcept {
  std::size_t rows = 1;
  for (unsigned i = 0; i + 1 < shape.heaps; ++i) rows *= shape.extent[i];
  return rows;
}
/// Goes on from the heaps of a row to the next row of the slab. False if there is none.
bool next_row(const LatticeShape& shape, LatticePoint& heaps) noexcept {
  for (unsigned i = shape.heaps - 1; i-- > 1;) {
    if (++heaps[i] < (shape.sorted ? heaps[i - 1] + 1 : shape.extent[i])) return true;
    heaps[i] = 0;
  }
  return false;
}
std::uint32_t length_of_row(const LatticeShape& shape, const LatticePoint& heaps) noexcept {
  const unsigned last = shape.heaps - 1;
  return shape.sorted ? heaps[last - 1] + 1 : shape.extent[last];
}
std::size_t planes_with_room(Nimber largest) noexcept {
  return std::min(planes_for(largest + 1 + kMoreValues + largest / kPartMore), kMostPlanes);
}

}  // namespace

MarkedRows::MarkedRows(const LatticeRule& rule, const LatticeShape& shape,
                       const TypedTapKernels<Code>& kernels)
    : rule_(rule),
      shape_(shape),
      kernels_(kernels),
      stride_(stride_of(shape)),
      cells_(row_count(shape) * stride_, kNoValue) {}

std::uint64_t MarkedRows::bytes(const LatticeRule& rule, const LatticeShape& shape,
                                Nimber largest) {
  LatticePoint last{};
  for (unsigned i = 0; i < shape.heaps; ++i) last[i] = shape.extent[i] - 1;
  const double options = option_bound(rule, last);
  const std::uint64_t stride = stride_of(shape);
  const std::uint64_t row =
      stride / 2 * planes_with_room(largest) + static_cast<std::uint64_t>(options) * 8;
  const std::uint64_t slab = row_count(shape) / shape.extent[0];
  return row_count(shape) * stride * sizeof(Code) +
         std::min<std::uint64_t>(kManyThreads * kRowsOfThread, slab) * row +
         slab * shape.extent[shape.heaps - 1] * sizeof(Nimber);
}

std::vector<double> MarkedRows::work_before_slabs(const LatticeRule& rule,
                                                  const LatticeShape& shape) {
  std::vector<double> work(std::size_t{shape.extent[0]} + 1);
  for (std::uint32_t slab = 0; slab < shape.extent[0]; ++slab) {
    work[slab + 1] = work[slab];
    LatticePoint heaps{slab};
    do {
      const std::uint32_t length = length_of_row(shape, heaps);
      LatticePoint last = heaps;
      last[shape.heaps - 1] = length - 1;
      const std::uint32_t tokens = std::accumulate(last.begin(), last.end(), 0u);
      const double groups = static_cast<double>(whole_groups(length) / kGroup);
      const auto planes = static_cast<double>(planes_with_room(tokens));
      const double marks = kListing + groups * (kReading + planes);
      work[slab + 1] += option_bound(rule, last) * marks;
    } while (next_row(shape, heaps));
  }
  return work;
}

bool MarkedRows::solve(Executor& executor, const std::stop_token& stop,
                       std::vector<Nimber>& values) {
  values.clear();
  rows_.resize(kRowsOfThread * executor.threads());
  LatticePoint next{slab_};
  for (bool more = true; more;) {
    if (stop.stop_requested()) return false;
    std::size_t rows = 0;
    for (; more && rows < rows_.size(); more = next_row(shape_, next)) place(rows_[rows++], next);
    const std::size_t planes = planes_with_room(largest_);
    executor.parallel_for(rows, [&](std::size_t i) { mark_early(rows_[i], planes); });
    for (std::size_t i = 0; i < rows; ++i) solve(rows_[i], values);
  }
  ++slab_;
  return true;
}

void MarkedRows::take(std::span<const Nimber> values) {
  LatticePoint heaps{slab_++};
  Row row;
  std::size_t i = 0;
  do {
    place(row, heaps);
    for (std::uint32_t k = 0; k < row.length; ++k) write(row, k, values[i++]);
  } while (next_row(shape_, heaps));
}

std::size_t MarkedRows::cell_of(const LatticePoint& p) const noexcept {
  std::size_t row = 0;
  for (unsigned i = 0; i + 1 < shape_.heaps; ++i) row = row * shape_.extent[i] + p[i];
  return row * stride_ + stride_ / 2 + p[shape_.heaps - 1];
}

void MarkedRows::place(Row& row, const LatticePoint& heaps) const noexcept {
  row.heaps = heaps;
  row.cell = cell_of(heaps);
  row.length = length_of_row(shape_, heaps);
  row.is_last = shape_.sorted && shape_.heaps > 2 && heaps[1] == heaps[0];
}

void MarkedRows::mark_early(Row& row, std::size_t planes) const {
  const unsigned last = shape_.heaps - 1;
  row.planes = planes;
  row.marks.assign(whole_groups(row.length) * planes, 0);
  row.early.clear();
  row.late.clear();
  row.steps.clear();
  LatticePoint p = row.heaps;
  p[last] = row.length - 1;
  const std::size_t cell = cell_of(p);
  for_each_option(rule_, p, [&](const LatticePoint& option) {
    const std::size_t offset = cell - cell_of(option);
    if (offset < stride_ / 2) {
      row.steps.push_back(static_cast<std::uint32_t>(offset));
    } else if (option[0] < p[0] && !row.is_last) {
      row.early.push_back(offset);
    } else {
      row.late.push_back(offset);
    }
  });
  std::ranges::sort(row.steps);
  mark(row, row.early);
}

void MarkedRows::mark(Row& row, const std::vector<std::uint64_t>& offsets) const noexcept {
  for (std::size_t first = 0; first < offsets.size(); first += kAmounts) {
    const std::size_t count = std::min(kAmounts, offsets.size() - first);
    const TapRun run{0, 0, static_cast<std::uint32_t>(count)};
    for (std::size_t k = 0; k < row.length; k += kGroup) {
      kernels_.mark_planes(cells_.data() + row.cell + k, {&run, 1, offsets.data() + first},
                           row.marks.data() + k * row.planes, row.planes);
    }
  }
}

void MarkedRows::solve(Row& row, std::vector<Nimber>& values) {
  // Values that have outgrown the planes would need the definition at every position.
  if (const std::size_t wanted = planes_with_room(largest_);
      wanted > row.planes && largest_ >= row.planes * kPlaneCodes) {
    mark_early(row, wanted);
  }
  mark(row, row.late);
  for (std::uint32_t k = 0; k < row.length; ++k) {
    const Nimber value = value_of(row, k);
    write(row, k, value);
    values.push_back(value);
  }
}

Nimber MarkedRows::value_of(const Row& row, std::uint32_t k) {
  const Code* const here = cells_.data() + row.cell + k;
  const std::uint8_t* const marks =
      row.marks.data() + k / kGroup * kGroup * row.planes + k % kGroup;
  seen_.assign(row.planes, 0);
  for (const std::uint32_t step : row.steps) {
    if (step > k) break;
    const Code value = here[-static_cast<std::ptrdiff_t>(step)];
    if (value / kPlaneCodes < row.planes) {
      seen_[value / kPlaneCodes] |= static_cast<std::uint8_t>(1u << value % kPlaneCodes);
    }
  }
  LatticePoint p = row.heaps;
  p[shape_.heaps - 1] = k;
  for (std::size_t plane = 0; plane < row.planes; ++plane) {
    const auto taken = static_cast<std::uint8_t>(seen_[plane] | marks[plane * kGroup]);
    if (taken == 0xff) continue;
    if (taken == 0 && plane == 0 && is_terminal(rule_, p)) return rule_.terminal_value();
    return static_cast<Nimber>(plane * kPlaneCodes) + std::countr_one(taken);
  }
  return exact(p);
}

Nimber MarkedRows::exact(LatticePoint p) {
  seen_.assign(kValues / 8, 0);
  for_each_option(rule_, p, [&](const LatticePoint& option) {
    const Code value = cells_[cell_of(option)];
    seen_[value / 8] |= static_cast<std::uint8_t>(1u << value % 8);
  });
  const auto byte = std::ranges::find_if(seen_, [](std::uint8_t b) { return b != 0xff; });
  return static_cast<Nimber>(byte - seen_.begin()) * 8 + std::countr_one(*byte);
}

void MarkedRows::write(const Row& row, std::uint32_t k, Nimber value) noexcept {
  largest_ = std::max(largest_, value);
  LatticePoint p = row.heaps;
  p[shape_.heaps - 1] = k;
  if (!shape_.sorted) {
    cells_[cell_of(p)] = static_cast<Code>(value);
    return;
  }
  const auto heaps = std::span(p).first(shape_.heaps);  // they descend
  do {
    cells_[cell_of(p)] = static_cast<Code>(value);
  } while (std::prev_permutation(heaps.begin(), heaps.end()));
}

}  // namespace grundy
