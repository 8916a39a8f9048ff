// SPDX-License-Identifier: MIT
#include "engines/heap/dense/beginning.hpp"

#include <algorithm>
#include <bit>

#include "core/value_copy.hpp"
#include "kernels/kernels.hpp"

namespace grundy {
namespace {

constexpr HeapSize kHeaps = 64;  ///< of a group
/// The value of a heap that is not decided yet. Its nim-sums with values lie in no plane.
constexpr std::uint16_t kUndecided = 0x7fff;
/// Pairs of a heap times planes, above which the filter takes less. To list a tap costs as much as
/// some planes.
constexpr HeapSize kMostWork = HeapSize{5} << 16;
constexpr HeapSize kListing = 9;
constexpr Nimber kMostValues = 1u << 10;
constexpr HeapSize kLargestTake = DenseBeginning::kFirst - 1;
constexpr std::size_t kMostSplits = 16;

}  // namespace

bool DenseBeginning::fits(const TwoHeapMoves& moves) noexcept {
  return moves.largest_take <= kLargestTake && moves.splits.size() <= kMostSplits;
}

bool DenseBeginning::suits(HeapSize begin, Nimber largest) const noexcept {
  const HeapSize pairs = begin / 2 * std::max<std::size_t>(moves_.splits.size(), 1);
  return begin >= kFirst && largest < kMostValues &&
         pairs * (planes_for(largest + 1) + kListing) <= kMostWork;
}

std::size_t DenseBeginning::bound() const noexcept {
  return std::bit_ceil(largest_ + std::size_t{1});
}

EpochEnd DenseBeginning::run(ValueBuffer& table, Nimber most, ValueSink& sink) {
  constexpr HeapSize kBlockShare = 16;  // a block is this part of the heaps before it
  constexpr HeapSize kMostGroups = 64;
  table.values().visit([&](const auto& known) { codes_.assign(known.begin(), known.end()); });
  largest_ = largest_of(table.values());
  while (table.size() < task_.count && suits(table.size(), largest_)) {
    if (task_.stop.stop_requested()) return EpochEnd::kCancelled;
    const HeapSize begin = table.size();
    const HeapSize groups = std::clamp<HeapSize>(begin / kBlockShare / kHeaps, 2, kMostGroups);
    const HeapSize end = std::min(task_.count, begin + groups * kHeaps);
    codes_.resize(end + kHeaps);
    HeapSize n = begin;
    bool room = true;
    while (room && n < end && largest_ < kMostValues) {
      const HeapSize group_end = std::min(n + kHeaps, end);
      n = solve(n, group_end, most);
      room = n == group_end;
    }
    table.resize(n);
    with_storage_type(table.width(), [&]<class T>(T) {
      std::copy(codes_.data() + begin, codes_.data() + n, table.data<T>() + begin);
    });
    if (n > begin && !hand_over(task_, moves_, table, begin, sink)) {
      return EpochEnd::kStoppedBySink;
    }
    if (!room) return EpochEnd::kNeedsRoom;
  }
  return EpochEnd::kReachedEnd;
}

HeapSize DenseBeginning::solve(HeapSize first, HeapSize end, Nimber most) {
  list_taps(first);
  // Values grow slowly. If they do not, kMostPlanes are enough, which have 4096 values: all values
  // before the group are below kMostValues, and so are their nim-sums. Of those options of a heap
  // that are not, each belongs to a move to a heap of the group: to 63 heaps, and from each by 16
  // splits and a single move at most.
  std::size_t planes = planes_for(largest_ + largest_ / 16) + 1;
  while (!find_values(first, end, planes)) planes = std::min(2 * planes, kMostPlanes);
  for (HeapSize n = first; n < end; ++n) {
    if (codes_[n] > most) return n;
    largest_ = std::max<Nimber>(largest_, codes_[n]);
  }
  return end;
}

void DenseBeginning::list_taps(HeapSize first) {
  const std::size_t values = bound();
  places_.assign(values + 1, 0);
  places_[1] = static_cast<std::uint32_t>(moves_.singles.size());
  for (const SplitMove& split : moves_.splits) {
    for (HeapSize a = 1; a <= last_tap(split, first); ++a) ++places_[codes_[a] + 1];
  }
  runs_.clear();
  for (std::uint32_t value = 0; value < values; ++value) {
    places_[value + 1] += places_[value];
    if (places_[value + 1] > places_[value]) {
      runs_.push_back({value, places_[value], places_[value + 1]});
    }
  }
  offsets_.resize(places_.back());
  for (const HeapSize take : moves_.singles) offsets_[places_[0]++] = take;
  for (const SplitMove& split : moves_.splits) {
    for (HeapSize a = 1; a <= last_tap(split, first); ++a) {
      offsets_[places_[codes_[a]]++] = a + split.take;
    }
  }
}

bool DenseBeginning::find_values(HeapSize first, HeapSize end, std::size_t planes) {
  std::fill_n(codes_.begin() + static_cast<std::ptrdiff_t>(first), kHeaps, kUndecided);
  marks_.assign(planes * kHeaps, 0);
  task_.kernels.taps.of<std::uint16_t>().mark_planes(
      codes_.data() + first, {runs_.data(), runs_.size(), offsets_.data()}, marks_.data(), planes);
  // Copies, because marks could lie anywhere for a compiler.
  const std::uint16_t* const codes = codes_.data();
  for (HeapSize n = first; n < end; ++n) {
    std::uint8_t* const marks = marks_.data() + (n - first);
    const auto mark = [marks, limit = planes * kPlaneCodes](std::size_t value) {
      if (value >= limit) return;
      marks[value / kPlaneCodes * kHeaps] |= static_cast<std::uint8_t>(1u << value % kPlaneCodes);
    };
    for (const SplitMove& split : moves_.splits) {
      const HeapSize rest = n - split.take;
      const HeapSize pairs = split.pairs(n);
      for (HeapSize a = last_tap(split, first) + 1; a <= pairs; ++a) {
        mark(std::size_t{codes[a]} ^ codes[rest - a]);
      }
      for (HeapSize b = first; b < rest; ++b) mark(std::size_t{codes[rest - b]} ^ codes[b]);
    }
    for (const HeapSize take : moves_.singles) {
      if (take <= n - first) mark(codes[n - take]);
    }
    for (const HeapSize take : moves_.halves) {
      if ((n - take) % 2 == 0) mark(0);
    }
    std::size_t plane = 0;
    while (plane < planes && marks[plane * kHeaps] == 255) ++plane;
    if (plane == planes) return false;
    codes_[n] = static_cast<std::uint16_t>(
        plane * kPlaneCodes + static_cast<std::size_t>(std::countr_one(marks[plane * kHeaps])));
  }
  return true;
}

}  // namespace grundy
