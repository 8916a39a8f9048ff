// SPDX-License-Identifier: MIT
#include "engines/lattice/marked_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include <grundy/error.hpp>
#include <grundy/lattice/options.hpp>
#include <grundy/layout.hpp>

#include "engines/lattice/engines.hpp"

namespace grundy {
namespace {

/// Lies in no plane.
template <class T>
constexpr T kNoValue = std::numeric_limits<T>::max() >> (sizeof(T) == 1 ? 0 : 1);
constexpr std::size_t kGroup = 64;  ///< positions that are marked at once
/// Rows that a task marks together: each slab before them is read for all of them, from the cache.
constexpr std::size_t kRowsOfTask = 16;
constexpr std::size_t kTasksOfThread = 2;
/// Amounts that all rows of a task look at before the next ones: what they read stays in the first
/// cache.
constexpr std::size_t kAmounts = 128;
/// Values beyond the largest one so far that have planes, too: as many, and this part of it.
constexpr Nimber kMoreValues = 16, kPartMore = 16;
/// What it costs to list an amount, and to read its options for a group, in marks of a plane.
constexpr double kListing = 20, kReading = 8;

std::size_t whole_groups(std::size_t positions) noexcept {
  return (positions + kGroup - 1) / kGroup * kGroup;
}
/// Before each row lie as many cells without a value, where options would have fewer than 0 tokens.
/// The number is odd, so that rows lie in all sets of a cache.
std::size_t stride_of(const LatticeShape& shape) noexcept {
  return 2 * std::size_t{shape.extent[shape.heaps - 1]} + 1;
}
std::size_t row_count(const LatticeShape& shape) noexcept {
  std::size_t rows = 1;
  for (unsigned i = 0; i + 1 < shape.heaps; ++i) rows *= shape.extent[i];
  return rows;
}
LatticePoint largest_position(const LatticeShape& shape) noexcept {
  LatticePoint p{};
  for (unsigned i = 0; i < shape.heaps; ++i) p[i] = shape.extent[i] - 1;
  return p;
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
LatticeShape halved(LatticeShape shape) noexcept {
  for (unsigned i = 0; i < shape.heaps; ++i) shape.extent[i] = (shape.extent[i] + 1) / 2;
  return shape;
}
std::size_t planes_with_room(std::uint64_t largest) noexcept {
  return planes_for(largest + 1 + kMoreValues + largest / kPartMore);
}

}  // namespace

bool box_is_too_large(const LatticeShape& shape) noexcept {
  constexpr double kFewCells = 0x1p26, kCellsOfPosition = 64;
  const double cells =
      static_cast<double>(row_count(shape)) * static_cast<double>(stride_of(shape));
  const auto positions = static_cast<double>(Layout::of(shape, 1).positions());
  return cells > kFewCells && cells > kCellsOfPosition * positions;
}

double work_of_slab(const LatticeRule& rule, const LatticeShape& shape, std::uint32_t slab,
                    MarkedResult result) {
  double work = 0;
  LatticePoint heaps{slab};
  do {
    const std::uint32_t length = length_of_row(shape, heaps);
    LatticePoint last = heaps;
    last[shape.heaps - 1] = length - 1;
    const std::uint64_t tokens = std::accumulate(last.begin(), last.end(), std::uint64_t{0});
    const auto groups = static_cast<double>(whole_groups(length) / kGroup);
    const auto planes =
        result == MarkedResult::kOutcomes ? 1 : static_cast<double>(planes_with_room(tokens));
    work += (option_bound(rule, last) + 1) * (kListing + groups * (kReading + planes));
  } while (next_row(shape, heaps));
  return work;
}

double work_of_marks(const LatticeRule& rule, LatticeShape shape, MarkedResult result) {
  constexpr double kMostRows = 1u << 16;
  double halvings = 0;
  while (static_cast<double>(row_count(shape)) > kMostRows) {
    shape = halved(shape);
    ++halvings;
  }
  const auto all = [&](const LatticeShape& part) {
    double work = 0;
    for (std::uint32_t slab = 0; slab < part.extent[0]; ++slab) {
      work += work_of_slab(rule, part, slab, result);
    }
    return work;
  };
  const double work = all(shape);
  return halvings == 0 ? work : work * std::pow(work / all(halved(shape)), halvings);
}

template <class T>
MarkedRows<T>::MarkedRows(const LatticeRule& rule, const LatticeShape& shape,
                          const TypedTapKernels<T>& kernels, MarkedResult result)
    : rule_(rule),
      shape_(shape),
      kernels_(kernels),
      result_(result),
      stride_(stride_of(shape)),
      cells_(row_count(shape) * stride_ + kGroup, kNoValue<T>) {
  list_amounts();
}

template <class T>
void MarkedRows<T>::list_amounts() {
  const LatticePoint largest = largest_position(shape_);
  const unsigned last = shape_.heaps - 1;
  for_each_option(rule_, largest, [&](LatticePoint option) {
    for (unsigned i = 0; i <= last; ++i) option[i] = largest[i] - option[i];
    vectors_.push_back(option);
  });
  std::ranges::sort(vectors_);
  vectors_.erase(std::unique(vectors_.begin(), vectors_.end()), vectors_.end());
  const std::size_t origin = cell_of({});
  const auto is_step = [&](const LatticePoint& v) { return cell_of(v) - origin <= largest[last]; };
  const auto others = std::find_if_not(vectors_.begin(), vectors_.end(), is_step);
  for (auto v = vectors_.begin(); v != others; ++v) steps_.push_back((*v)[last]);
  any_step_ = steps_.size() == largest[last];
  vectors_.erase(vectors_.begin(), others);
  first_.assign(std::size_t{shape_.extent[0]} + 1, 0);
  for (const LatticePoint& v : vectors_) {
    amounts_.push_back({cell_of(v) - origin, last > 1 ? v[1] : 0, v[last]});
    ++first_[v[0] + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  if (shape_.heaps <= 3) std::vector<LatticePoint>().swap(vectors_);
}

template <class T>
std::uint64_t MarkedRows<T>::bytes(const LatticeRule& rule, const LatticeShape& shape,
                                   Nimber largest) {
  // Shapes that no memory holds are asked for, too.
  const double last = shape.extent[shape.heaps - 1];
  const double slab = static_cast<double>(row_count(shape)) / shape.extent[0];
  const std::size_t planes = std::min(planes_with_room(largest), kPlanes);
  const double marked = std::min<double>(kManyThreads * kTasksOfThread * kRowsOfTask, slab) *
                        static_cast<double>(whole_groups(shape.extent[shape.heaps - 1]) * planes);
  // While a vector grows, its old and its new array are there.
  const double bytes =
      static_cast<double>(row_count(shape) * stride_of(shape)) * sizeof(T) + kHugePage +
      option_bound(rule, largest_position(shape)) * (sizeof(Amount) + 3 * sizeof(LatticePoint)) +
      marked + 3 * slab * last * sizeof(Nimber);
  return static_cast<std::uint64_t>(std::min(bytes, 0x1p62));
}

template <class T>
bool MarkedRows<T>::solve(Executor& executor, const std::stop_token& stop,
                          std::vector<Nimber>& values) {
  values.clear();
  rows_.resize(kRowsOfTask * kTasksOfThread * executor.threads());
  LatticePoint next{slab_};
  for (bool more = true; more;) {
    if (stop.stop_requested()) return false;
    std::size_t rows = 0;
    for (; more && rows < rows_.size(); more = next_row(shape_, next)) place(rows_[rows++], next);
    const std::size_t planes = planes_wanted();
    executor.parallel_for((rows + kRowsOfTask - 1) / kRowsOfTask, [&](std::size_t task) {
      const std::size_t first = task * kRowsOfTask;
      mark_early(std::span(rows_).subspan(first, std::min(kRowsOfTask, rows - first)), planes);
    });
    for (std::size_t i = 0; i < rows; ++i) solve(rows_[i], values);
  }
  ++slab_;
  return true;
}

template <class T>
void MarkedRows<T>::take(std::span<const Nimber> values) {
  LatticePoint heaps{slab_++};
  Row row;
  std::size_t i = 0;
  do {
    place(row, heaps);
    for (std::uint32_t k = 0; k < row.length; ++k, ++i) {
      if (values[i] >= kValues) {
        throw Error(ErrorCode::kCorrupt, "a known value is larger than any value of the game");
      }
      write(row, k, values[i]);
    }
  } while (next_row(shape_, heaps));
}

template <class T>
std::size_t MarkedRows<T>::cell_of(const LatticePoint& p) const noexcept {
  std::size_t row = 0;
  for (unsigned i = 0; i + 1 < shape_.heaps; ++i) row = row * shape_.extent[i] + p[i];
  return row * stride_ + shape_.extent[shape_.heaps - 1] + p[shape_.heaps - 1];
}

template <class T>
void MarkedRows<T>::place(Row& row, const LatticePoint& heaps) const noexcept {
  row.heaps = heaps;
  row.cell = cell_of(heaps);
  row.length = length_of_row(shape_, heaps);
  row.has_equal_largest = shape_.sorted && shape_.heaps > 2 && heaps[1] == heaps[0];
}

template <class T>
std::size_t MarkedRows<T>::planes_wanted() const noexcept {
  if (result_ == MarkedResult::kOutcomes) return 1;
  return std::min(planes_with_room(largest_), kPlanes);
}

template <class T>
void MarkedRows<T>::mark_early(std::span<Row> rows, std::size_t planes) const {
  for (Row& row : rows) {
    row.planes = planes;
    row.marks.assign(whole_groups(row.length) * planes, 0);
  }
  const auto others = std::ranges::find(rows, true, &Row::has_equal_largest);  // come last
  mark({rows.begin(), others}, first_[1], first_[std::size_t{rows.front().heaps[0]} + 1]);
}

template <class T>
void MarkedRows<T>::mark(std::span<Row> rows, std::size_t begin, std::size_t end) const noexcept {
  for (; begin < end; begin += kAmounts) {
    const std::size_t count = std::min(kAmounts, end - begin);
    for (Row& row : rows) mark(row, begin, count);
  }
}

/// Marks the options of some amounts.
template <class T>
void MarkedRows<T>::mark(Row& row, std::size_t begin, std::size_t count) const noexcept {
  std::uint64_t offsets[kAmounts];
  std::uint32_t found = 0;
  for (std::size_t i = begin; i < begin + count; ++i) {
    bool fits = amounts_[i].second <= row.heaps[1] && amounts_[i].last < row.length;
    for (unsigned heap = 2; heap + 1 < shape_.heaps && fits; ++heap) {
      fits = vectors_[i][heap] <= row.heaps[heap];
    }
    offsets[found] = amounts_[i].offset;
    found += fits ? 1 : 0;
  }
  if (found == 0) return;
  const TapRun run{0, 0, found};
  for (std::size_t k = 0; k < row.length; k += kGroup) {
    kernels_.mark_planes(cells_.data() + row.cell + k, {&run, 1, offsets},
                         row.marks.data() + k * row.planes, row.planes);
  }
}

template <class T>
void MarkedRows<T>::solve(Row& row, std::vector<Nimber>& values) {
  // Values that have outgrown the planes would need the definition at every position.
  if (const std::size_t wanted = planes_wanted();
      wanted > row.planes && largest_ >= row.planes * kPlaneCodes) {
    mark_early({&row, 1}, wanted);
  }
  mark({&row, 1}, 0, first_[row.has_equal_largest ? row.heaps[0] + std::size_t{1} : 1]);
  std::fill_n(seen_.begin(), row.planes, std::uint8_t{0});
  for (std::uint32_t k = 0; k < row.length; ++k) {
    const Nimber value = value_of(row, k);
    write(row, k, value);
    values.push_back(value);
    if (any_step_) see(row, value);
  }
}

template <class T>
Nimber MarkedRows<T>::value_of(const Row& row, std::uint32_t k) {
  const std::uint8_t* const marks =
      row.marks.data() + k / kGroup * kGroup * row.planes + k % kGroup;
  if (!any_step_) {
    const T* const here = cells_.data() + row.cell + k;
    std::fill_n(seen_.begin(), row.planes, std::uint8_t{0});
    for (const std::uint32_t step : steps_) {
      if (step > k) break;
      see(row, here[-static_cast<std::ptrdiff_t>(step)]);
    }
  }
  LatticePoint p = row.heaps;
  p[shape_.heaps - 1] = k;
  for (std::size_t plane = 0; plane < row.planes; ++plane) {
    const auto taken = static_cast<std::uint8_t>(seen_[plane] | marks[plane * kGroup]);
    if (taken == 0xff) continue;
    // Only a position whose options have none of the first values may have no options.
    if (rule_.terminal_value() != 0 && taken == 0 && plane == 0 && is_terminal(rule_, p)) {
      return rule_.terminal_value();
    }
    const auto value = static_cast<Nimber>(plane * kPlaneCodes) + std::countr_one(taken);
    return result_ == MarkedResult::kOutcomes ? std::min<Nimber>(value, 1) : value;
  }
  return exact(p);
}

template <class T>
Nimber MarkedRows<T>::exact(const LatticePoint& p) const {
  std::vector<bool> seen(kValues + 1);
  for_each_option(rule_, p,
                  [&](const LatticePoint& option) { seen[cells_[cell_of(option)]] = true; });
  return static_cast<Nimber>(std::ranges::find(seen, false) - seen.begin());
}

template <class T>
void MarkedRows<T>::see(const Row& row, Nimber value) noexcept {
  if (value < row.planes * kPlaneCodes) {
    seen_[value / kPlaneCodes] |= static_cast<std::uint8_t>(1u << value % kPlaneCodes);
  }
}

template <class T>
void MarkedRows<T>::write(const Row& row, std::uint32_t k, Nimber value) noexcept {
  largest_ = std::max(largest_, value);
  LatticePoint p = row.heaps;
  p[shape_.heaps - 1] = k;
  if (!shape_.sorted) {
    cells_[cell_of(p)] = static_cast<T>(value);
    return;
  }
  const auto heaps = std::span(p).first(shape_.heaps);  // they descend
  do {
    cells_[cell_of(p)] = static_cast<T>(value);
  } while (std::prev_permutation(heaps.begin(), heaps.end()));
}

template class MarkedRows<std::uint8_t>;
template class MarkedRows<std::uint16_t>;

}  // namespace grundy
