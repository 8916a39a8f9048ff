// SPDX-License-Identifier: MIT
#include "theory/recurrence.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/digest.hpp"
#include "core/primes.hpp"

namespace grundy {
namespace {

constexpr HeapSize kSegment = 4096;  ///< heaps of a segment, one of which is distinguished
constexpr HeapSize kContext = 1024;  ///< values by which a distinguished heap is looked up
constexpr HeapSize kReach = 64;      ///< values that a hash depends on
constexpr std::size_t kLanes = 4;    ///< segments that are hashed at a time
constexpr std::size_t kMostEntries = 1u << 20;

/// A random number for every value.
constexpr auto kScrambled = [] {
  std::array<std::uint64_t, 4096> table{};
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = scrambled(i);
  return table;
}();

std::uint64_t random_of(Nimber value) noexcept {
  return value < kScrambled.size() ? kScrambled[value] : scrambled(value);
}

/// The key of a distinguished heap: a number made from the kContext values before `end`. Eight
/// chains side by side take a fifth of the time of one.
template <class T>
std::uint64_t key_of_context(const T* end) noexcept {
  constexpr std::size_t kChains = 8;
  const T* const begin = end - kContext;
  std::array<std::uint64_t, kChains> chain{};
  for (std::size_t i = 0; i < kContext; i += kChains) {
    for (std::size_t c = 0; c < kChains; ++c) {
      chain[c] = (std::rotl(chain[c], 23) ^ begin[i + c]) * 0x9e3779b97f4a7c15;
    }
  }
  std::uint64_t key = 0;
  for (const std::uint64_t part : chain) key = scrambled(key ^ part);
  return key;
}

/// The number of values before `a` that equal those before `b`; counts up to `most`.
template <class T>
HeapSize equal_before(const T* a, const T* b, HeapSize most) noexcept {
  constexpr HeapSize kStep = 1024;
  HeapSize equal = 0;
  while (equal + kStep <= most &&
         std::memcmp(a - equal - kStep, b - equal - kStep, kStep * sizeof(T)) == 0) {
    equal += kStep;
  }
  while (equal < most &&
         a[-1 - static_cast<std::ptrdiff_t>(equal)] == b[-1 - static_cast<std::ptrdiff_t>(equal)]) {
    ++equal;
  }
  return equal;
}

}  // namespace

const std::optional<Recurrence>& RecurrenceSearch::observe(Values table) {
  table.visit([this](auto values) { hash(values); });
  return found_;
}

template <class T>
void RecurrenceSearch::hash(std::span<const T> table) {
  while (seen_ < table.size()) {
    const HeapSize begin = seen_ % kSegment == 0 ? seen_ : 0;
    if (begin >= kReach && table.size() - begin >= kLanes * kSegment) {
      hash_segments(table);
      continue;
    }
    // Up to the end of the segment, or of the table.
    const HeapSize end = std::min<HeapSize>(table.size(), (seen_ / kSegment + 1) * kSegment);
    if (seen_ % kSegment == 0) least_ = ~std::uint64_t{0};
    for (; seen_ < end; ++seen_) {
      gear_ = (gear_ << 1) + random_of(table[seen_]);
      if (gear_ < least_) {
        least_ = gear_;
        least_at_ = seen_ + 1;
      }
    }
    compare(table);
  }
}

/// Hashes several segments side by side. A hash depends on kReach values only, so a chain of hashes
/// can begin anywhere, and several chains at a time are faster than one.
template <class T>
void RecurrenceSearch::hash_segments(std::span<const T> table) {
  std::array<std::uint64_t, kLanes> gear{};
  std::array<std::uint64_t, kLanes> least;
  std::array<HeapSize, kLanes> least_at{};
  least.fill(~std::uint64_t{0});
  const T* const values = table.data() + seen_;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const T* const begin = values + lane * kSegment;
    for (const T* v = begin - kReach; v < begin; ++v)
      gear[lane] = (gear[lane] << 1) + random_of(*v);
  }
  for (HeapSize i = 0; i < kSegment; ++i) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      gear[lane] = (gear[lane] << 1) + random_of(values[lane * kSegment + i]);
      if (gear[lane] < least[lane]) {
        least[lane] = gear[lane];
        least_at[lane] = i + 1;
      }
    }
  }
  gear_ = gear.back();
  for (const HeapSize at : least_at) {
    least_at_ = seen_ + at;
    seen_ += kSegment;
    compare(table);
  }
}

/// Called at the end of every segment and of every table.
template <class T>
void RecurrenceSearch::compare(std::span<const T> table) {
  if (found_ && !extend(table, seen_)) found_.reset();
  if (seen_ % kSegment == 0 && !found_ && least_at_ > kContext) distinguish(table, least_at_);
}

template <class T>
bool RecurrenceSearch::extend(std::span<const T> table, HeapSize end) {
  const T* const later = table.data() + found_->matched;
  if (std::memcmp(later, later - found_->period, (end - found_->matched) * sizeof(T)) != 0) {
    return false;
  }
  found_->matched = end;
  if (!reduced_ && end - found_->first >= 2 * found_->period) {
    reduced_ = true;
    const HeapSize period = least_period(table, end - found_->period, found_->period);
    const T* const now = table.data() + end;
    found_->first = end - period - equal_before(now, now - period, end - period);
    found_->period = period;
  }
  return true;
}

template <class T>
void RecurrenceSearch::distinguish(std::span<const T> table, HeapSize heap) {
  const std::uint64_t key = key_of_context(table.data() + heap);
  if (std::countr_zero(key) < static_cast<int>(thin_)) return;
  const auto [entry, fresh] = distinguished_.try_emplace(key, heap);
  if (!fresh) {
    const T* const now = table.data() + heap;
    const HeapSize period = heap - entry->second;
    const HeapSize equal = equal_before(now, now - period, heap - period);
    if (equal >= kContext) {
      found_ = Recurrence{heap - period - equal, period, heap};
      reduced_ = false;
      if (!extend(table, seen_)) found_.reset();
    }
    entry->second = heap;
  }
  if (distinguished_.size() > kMostEntries) {
    ++thin_;
    std::erase_if(distinguished_, [this](const auto& e) {
      return std::countr_zero(e.first) < static_cast<int>(thin_);
    });
  }
}

HeapSize least_period(Values table, HeapSize first, HeapSize period) {
  return table.visit([&](auto values) {
    const auto* const start = values.data() + first;
    // A sequence with period p has period q | p exactly if one period agrees with itself rotated.
    const auto has = [&](HeapSize q) { return std::equal(start, start + (period - q), start + q); };
    return least_period_of(period, has);
  });
}

}  // namespace grundy
