// SPDX-License-Identifier: MIT
#include "engines/heap/subtraction/planes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "core/value_copy.hpp"
#include "engines/heap/block_run.hpp"

namespace grundy {
namespace {

constexpr HeapSize kMinBlock = 1024;
/// Longer blocks would read fewer options from memory, and tell progress more rarely.
constexpr HeapSize kMaxBlock = 32768;
/// The options that a block reaches by elements of S in a range of this length fill a few MB.
constexpr HeapSize kSpan = HeapSize{1} << 21;
/// A default block is this fraction of the heaps before it: within a block planes do not grow.
constexpr HeapSize kBlockShare = 16;

/// The value of a heap that is not decided yet. Planes have no bit for it, or one that stands for
/// no value of the type.
template <class T>
constexpr T kUndecided = sizeof(T) == 1 ? 255 : 0x7fff;

constexpr std::uint8_t bit_of(std::size_t value) noexcept {
  return static_cast<std::uint8_t>(1u << value % kPlaneCodes);
}

/// Turns of a few groups, whose neighbours read the same lines of the table, for so many threads
/// that about a quarter of the elements, at most, is left for the end of a turn.
Turns turns_for(const std::vector<HeapSize>& taps, std::size_t threads) {
  const HeapSize quartile = taps.empty() ? 0 : taps[taps.size() / 4];
  const HeapSize groups = std::clamp<HeapSize>(quartile / threads / PlaneSolver::kGroup, 1, 4);
  const HeapSize length = groups * PlaneSolver::kGroup;
  return {length, std::clamp<std::size_t>(quartile / length, 1, threads)};
}

}  // namespace

PlaneSolver::PlaneSolver(const SubtractionRule& rule, HeapSize count, std::optional<HeapSize> block,
                         const TapKernels& kernels, Executor& executor)
    : kernels_(kernels),
      executor_(executor),
      block_(block ? std::optional(std::min(*block, kMaxBlock)) : block),
      taps_(rule.allowed_up_to(count == 0 ? 0 : count - 1)),
      turns_(turns_for(taps_, executor.threads())),
      seen_(taps_.size() + 2) {
  for (std::size_t t = 0; t < tap_from(kGroup); ++t) near_[taps_[t]] = 255;
}

std::uint64_t PlaneSolver::memory_bytes(const SubtractionRule& rule, HeapSize count,
                                        std::uint64_t values) {
  const std::uint64_t planes = std::min<std::uint64_t>(planes_for(values) + 1, kMostPlanes) + 1;
  return kMaxBlock * planes + rule.allowed_up_to(count).size() * (sizeof(HeapSize) + 1);
}

HeapSize PlaneSolver::block(HeapSize begin) const noexcept {
  return block_.value_or(std::clamp(begin / kBlockShare, kMinBlock, kMaxBlock));
}

std::size_t PlaneSolver::tap_from(HeapSize s) const noexcept {
  return static_cast<std::size_t>(std::lower_bound(taps_.begin(), taps_.end(), s) - taps_.begin());
}

void PlaneSolver::adopt(HeapSize begin, HeapSize end, const ValueBuffer& table) {
  largest_ = std::max(largest_, largest_of(table.values().subspan(begin, end - begin)));
}

void PlaneSolver::solve(HeapSize begin, ValueBuffer& table) {
  for (HeapSize n = begin; n < table.size();) {
    n = with_storage_type(table.width(), [&]<class T>(T) {
      return solve_heaps<T>(n, table.size(), table.data<T>());
    });
    if (n < table.size()) make_room_for(table, largest_);
  }
}

template <class T>
HeapSize PlaneSolver::solve_heaps(HeapSize begin, HeapSize end, T* values) {
  // One more plane, because values grow.
  const std::size_t wanted = planes_for(std::size_t{largest_} + 1) + 1;
  planes_ = std::min(wanted, sizeof(T) == 1 ? planes_for(256) : kMostPlanes);
  // A value exceeds those before it by 1 at most, and it is at most the number of options.
  const HeapSize bound = std::min<HeapSize>(largest_ + (end - begin), tap_from(end));
  if (sizeof(T) > 2 || (bound >= 1u << 15 && planes_ < kMostPlanes)) planes_ = 0;
  const HeapSize groups = (end - begin + kGroup - 1) / kGroup;
  const std::size_t room = (planes_ + 1) * kGroup;  // of a group; decide() marks a line more
  marks_.assign(groups * room, 0);
  const auto planes_of = [&](HeapSize n) { return marks_.data() + (n - begin) / kGroup * room; };

  // Each thread has one long piece, and goes through all of it for a range of elements, so that
  // their options stay in the cache.
  const HeapSize pieces = std::min<HeapSize>(groups, executor_.threads());
  executor_.parallel_for(pieces, [&](std::size_t piece) {
    const HeapSize first = begin + groups * piece / pieces * kGroup;
    const HeapSize last = std::min(begin + groups * (piece + 1) / pieces * kGroup, end);
    for (HeapSize low = end - begin; low < last; low += kSpan) {
      for (HeapSize n = first; n < last; n += kGroup) {
        mark(values, n, low, low + kSpan, planes_of(n));
      }
    }
  });

  turns_.begin(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
  executor_.parallel_for(std::min<HeapSize>(turns_.threads(), groups), [&](std::size_t) {
    while (const std::optional<Turn> turn = turns_.take()) {
      const auto first = static_cast<HeapSize>(turn->begin);
      const auto last = static_cast<HeapSize>(turn->end);
      for (HeapSize n = first; n < last; n += kGroup) {
        mark(values, n, turns_.apart(), end - begin, planes_of(n));
      }
      if (!turns_.wait_for(*turn)) return;
      HeapSize decided = first;
      for (HeapSize n = first; n < last && n == decided; n += kGroup) {
        const HeapSize group_end = std::min(n + kGroup, last);
        std::fill(values + n, values + group_end, kUndecided<T>);
        mark(values, n, 1, std::min<HeapSize>(turns_.apart(), end - begin), planes_of(n));
        decided = decide(n, group_end, values, planes_of(n));
      }
      turns_.decided(*turn, static_cast<std::int64_t>(decided));
    }
  });
  return static_cast<HeapSize>(turns_.end());
}

template <class T>
void PlaneSolver::mark(const T* values, HeapSize first, HeapSize low, HeapSize high,
                       std::uint8_t* planes) const {
  if constexpr (sizeof(T) <= sizeof(std::uint16_t)) {
    const TapRun run{0, static_cast<std::uint32_t>(tap_from(low)),
                     static_cast<std::uint32_t>(tap_from(std::min(high, first + 1)))};
    if (planes_ == 0 || run.begin >= run.end) return;
    kernels_.of<T>().mark_planes(values + first, {&run, 1, taps_.data()}, planes, planes_);
  }
}

template <class T>
HeapSize PlaneSolver::decide(HeapSize first, HeapSize end, T* values, std::uint8_t* planes) {
  // The first plane of each heap that is not full. Options in the group can fill it, too.
  std::array<std::uint16_t, kGroup> open;
  open.fill(static_cast<std::uint16_t>(planes_));
  for (std::size_t p = planes_; p-- > 0;) {
    for (std::size_t j = 0; j < kGroup; ++j) {
      open[j] = planes[p * kGroup + j] != 255 ? static_cast<std::uint16_t>(p) : open[j];
    }
  }
  // What the loop reads is read here once: for a compiler, marks could be stored there.
  const std::array<std::uint8_t, kGroup> near = near_;
  const std::span<const HeapSize> taps = taps_;
  const std::size_t count = planes_;
  const std::size_t late = tap_from(first + 1);
  Nimber largest = 0;
  HeapSize n = first;
  for (; n < end; ++n) {
    const std::size_t j = n - first;
    // Only the later heaps of the group have these options.
    for (std::size_t t = late; t < taps.size() && taps[t] <= n; ++t) {
      const std::size_t option = values[n - taps[t]];
      if (option >= count * kPlaneCodes) continue;
      planes[option / kPlaneCodes * kGroup + j] |= bit_of(option);
    }
    std::size_t p = open[j];
    while (p < count && planes[p * kGroup + j] == 255) ++p;
    Nimber value = 0;
    if (p < count) {
      const auto marks = planes[p * kGroup + j];
      value = static_cast<Nimber>(p * kPlaneCodes) + static_cast<Nimber>(std::countr_one(marks));
      // Marks behind the group meet heaps that are decided, in the next plane.
      std::uint8_t* const later = planes + p * kGroup + j;
      for (std::size_t s = 0; s < kGroup; ++s) {
        later[s] = static_cast<std::uint8_t>(later[s] | (near[s] & bit_of(value)));
      }
    } else {
      value = mex(values, n);  // it has no plane
    }
    largest = std::max(largest, value);
    if (value > largest_value(kWidthOf<T>)) break;
    values[n] = static_cast<T>(value);
  }
  largest_ = std::max(largest_, largest);
  return n;
}

template <class T>
Nimber PlaneSolver::mex(const T* values, HeapSize n) {
  // The value is at most the number of options. Larger values share a place behind it.
  const std::size_t options = tap_from(n + 1);
  std::fill_n(seen_.begin(), options + 1, std::uint8_t{0});
  for (std::size_t t = 0; t < options; ++t) {
    seen_[std::min<std::size_t>(values[n - taps_[t]], options + 1)] = 1;
  }
  return static_cast<Nimber>(std::ranges::find(seen_, std::uint8_t{0}) - seen_.begin());
}

}  // namespace grundy
