// SPDX-License-Identifier: MIT
#include "theory/return_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"
#include "theory/sparse_certificate.hpp"

namespace grundy {
namespace {

/// Values that are appended and searched at a time: they stay in the first-level cache.
constexpr HeapSize kPiece = HeapSize{1} << 13;

/// A needle is rare if it occurs at most once in this many values.
constexpr std::uint64_t kRare = 2048;
/// A needle that proves not to be rare in this many values is replaced; the next one gets twice as
/// many.
constexpr HeapSize kPatience = HeapSize{1} << 22;
/// The number of values of the window, and of newest values, in which needles are counted.
constexpr std::size_t kCounted = std::size_t{1} << 15;

/// The first of `count` places from `values` on at which the needle occurs; `count` if there is
/// none.
template <std::size_t kLength, class T>
HeapSize first_match(const T* values, HeapSize count, const T* needle) noexcept {
  constexpr HeapSize kStrip = 256;
  std::array<T, kLength> wanted;
  std::copy_n(needle, kLength, wanted.begin());
  HeapSize at = 0;
  for (; at + kStrip <= count; at += kStrip) {
    // Most strips hold no needle. Compilers vectorise a plain loop that finds this out.
    T any = 0;
    for (HeapSize i = at; i < at + kStrip; ++i) {
      T all = 1;
      for (std::size_t j = 0; j < kLength; ++j) all &= static_cast<T>(values[i + j] == wanted[j]);
      any |= all;
    }
    if (any != 0) break;
  }
  while (at < count && !std::equal(wanted.begin(), wanted.end(), values + at)) ++at;
  return at;
}

/// A number that identifies a stretch of `length` values when stretches are counted.
template <class T>
std::uint64_t hash_of(const T* values, std::size_t length) noexcept {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < length; ++i) hash = (hash + values[i] + 1) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

bool equal(Values a, Values b) noexcept {
  return std::memcmp(a.data(), b.data(), a.size() * byte_count(a.width())) == 0;
}

}  // namespace

HeapSize ReturnSearch::watched(const SparseFacts& facts, HeapSize largest_take,
                               HeapSize least_window) noexcept {
  const HeapSize needed = facts.mask != 0 ? sparse_window(facts, largest_take) : 0;
  if (needed == 0 || needed > kLargestWindow) return 0;
  return std::clamp(2 * needed, least_window, kLargestWindow);
}

ReturnSearch::ReturnSearch(HeapSize largest_take, HeapSize least_window)
    : take_(largest_take), least_(least_window), wanted_(least_window), next_(least_window) {}

ReturnSearch::ReturnSearch(HeapSize largest_take, ReturnState state, Values newest,
                           HeapSize least_window)
    : ReturnSearch(largest_take, least_window) {
  const HeapSize remembered = state.remembered.size();
  const HeapSize place = state.remembered.end();
  const bool is_window = remembered >= kLongestNeedle && remembered <= state.newest &&
                         remembered <= place && place <= state.end;
  if (newest.size() != state.newest || state.newest > state.end || (remembered > 0 && !is_window)) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("a search for a period cannot go on at heap {} with {} values that end "
                            "at heap {} and the newest {}",
                            state.end, remembered, place, newest.size()));
  }
  if (const auto& found = state.found) {
    if (found->facts.count > state.end || found->period == 0 || found->first > state.end ||
        found->period > state.end ||
        !sparse_certificate_holds(found->facts, largest_take, found->first, found->period,
                                  found->facts.count)) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("a search for a period that ended at heap {} says that the period {} "
                              "is proved from heap {} on, and proves none",
                              state.end, found->period, found->first));
    }
    found_ = found;
  }
  next_ = state.next;
  newest_.restart(state.end - state.newest);
  newest_.append(newest);
  wanted_ = std::max<HeapSize>(wanted_, newest_.size());
  if (remembered == 0) return;
  window_ = std::move(state.remembered);
  begin_to_look();
}

std::optional<RuledOut> ReturnSearch::ruled_out() const noexcept {
  if (found_) return std::nullopt;
  if (place() == 0) return earlier_;
  const RuledOut now{window_.begin(), newest_.end() - place()};
  return earlier_ && earlier_->longest > now.longest ? earlier_ : now;
}

ReturnState ReturnSearch::state() const {
  const HeapSize end = newest_.end();
  if (found_) return {.end = end, .found = found_};
  return {end, next_, window_, newest().size()};
}

bool ReturnSearch::observe(const Stretch& block) {
  if (found_) return true;
  if (block.begin > newest_.end()) {
    throw Error(ErrorCode::kFailure, fmt::format("a block starts at heap {} where heap {} is due",
                                                 block.begin, newest_.end()));
  }
  // A resumed run computes values again that the search saw before the seal.
  if (block.end() <= newest_.end()) return false;
  const bool told = block.sparse != nullptr && block.sparse->mask != 0;
  const HeapSize watched = told ? ReturnSearch::watched(*block.sparse, take_, least_) : 0;
  given_up_ = told && watched == 0;
  if (given_up_) {
    give_up(block.end());
    return false;
  }
  const SparseFacts* const facts = told ? block.sparse : nullptr;
  if (watched > wanted_) {
    wanted_ = watched;
    newest_.reserve(wanted_ * 3 / 2);
  }
  // A window that is too short for the newest facts proves nothing any more.
  if (place() > 0 && (!told || sparse_window(*facts, take_) > window_.size())) forget();
  for (Values rest = block.from(newest_.end()).values; !found_;) {
    if (facts != nullptr && newest_.end() >= next_) remember();
    if (rest.empty()) break;
    const HeapSize room = next_ > newest_.end() ? next_ - newest_.end() : kPiece;
    const std::size_t size = std::min<HeapSize>({rest.size(), kPiece, room});
    newest_.append(rest.subspan(0, size));
    rest = rest.subspan(size);
    if (place() > 0) search(*facts);
    newest_.keep(std::min<std::size_t>(newest_.size(), wanted_));
  }
  return found_.has_value();
}

void ReturnSearch::remember() {
  const HeapSize end = newest_.end();
  if (newest_.size() < wanted_) {
    next_ = end + wanted_ - newest_.size();
    return;
  }
  earlier_ = ruled_out();
  next_ = 2 * end;
  window_.restart(end - wanted_);
  window_.widen(newest_.width());
  window_.reserve(wanted_);
  window_.append(newest_.view());
  begin_to_look();
}

void ReturnSearch::forget() noexcept {
  window_.restart(0);
  next_ = newest_.end();
}

void ReturnSearch::give_up(HeapSize end) {
  earlier_ = ruled_out();
  window_ = NewestValues();
  newest_ = NewestValues();
  newest_.restart(end);
  wanted_ = least_;
  next_ = end + least_;
}

void ReturnSearch::search(const SparseFacts& facts) {
  window_.widen(newest_.width());
  const HeapSize length = window_.size();
  while (looked_ < newest_.end()) {
    const HeapSize count = newest_.end() - looked_;
    const HeapSize skipped = find_needle(looked_ + 1 - length + needle_.offset, count);
    looked_ += std::min(skipped + 1, count);
    if (skipped == count) break;
    ++hits_;
    if (!returns_at(looked_)) continue;
    const HeapSize first = window_.begin();
    const HeapSize period = looked_ - place();
    if (sparse_certificate_holds(facts, take_, first, period, looked_)) {
      found_ = {first, period, facts};
      found_->facts.count = looked_;  // all rare heaps are below it
      return;
    }
    // This return proves nothing. The next one is to be the first return of the values remembered
    // now.
    window_.move_to(looked_);
  }
  if (looked_ - chosen_ < patience_) return;
  if (hits_ > patience_ / kRare) {
    choose_needle();
    patience_ *= 2;
  }
  chosen_ = looked_;
  hits_ = 0;
}

bool ReturnSearch::returns_at(HeapSize end) const noexcept {
  const Values window = window_.view();
  const Values seen = newest_.between(end - window.size(), end);
  // Values that nearly repeat differ where one needle lies and the next one does not.
  const std::size_t before = needle_.offset;
  const std::size_t rest = window.size() - before;
  return equal(window.subspan(before, rest), seen.subspan(before, rest)) &&
         equal(window.subspan(0, before), seen.subspan(0, before));
}

void ReturnSearch::begin_to_look() {
  looked_ = chosen_ = newest_.end();
  hits_ = 0;
  patience_ = kPatience;
  choose_needle();
}

void ReturnSearch::choose_needle() {
  newest_.widen(window_.width());
  window_.widen(newest_.width());
  newest_.view().visit([this]<class T>(std::span<const T> /*newest*/) {
    for (std::size_t length = 2; length <= kLongestNeedle; length *= 2) {
      if (choose_needle<T>(length)) break;
    }
  });
}

template <class T>
bool ReturnSearch::choose_needle(std::size_t length) {
  const auto last = [&](const NewestValues& values) {
    const std::size_t size = std::min(values.size(), kCounted);
    return std::span(static_cast<const T*>(values.view().data()) + values.size() - size, size);
  };
  const std::span<const T> window = last(window_);
  const std::span<const T> newest = last(newest_);
  std::vector<std::uint32_t> counts(std::bit_ceil(2 * (window.size() + newest.size())));
  const auto count_of = [&](const T* at) -> std::uint32_t& {
    return counts[hash_of(at, length) % counts.size()];
  };
  for (const std::span<const T> values : {window, newest}) {
    for (std::size_t i = 0; i + length <= values.size(); ++i) ++count_of(&values[i]);
  }
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i + length <= window.size(); ++i) {
    const std::uint32_t count = count_of(&window[i]);
    if (count >= least) continue;
    least = count;
    needle_ = {window_.size() - window.size() + i, length};
  }
  return least * kRare <= window.size() + newest.size();
}

HeapSize ReturnSearch::find_needle(HeapSize begin, HeapSize count) const noexcept {
  return newest_.view().visit([&]<class T>(std::span<const T> newest) {
    const T* const values = newest.data() + (begin - newest_.begin());
    const T* const needle = static_cast<const T*>(window_.view().data()) + needle_.offset;
    switch (needle_.length) {
      case 2:
        return first_match<2>(values, count, needle);
      case 4:
        return first_match<4>(values, count, needle);
      default:
        return first_match<kLongestNeedle>(values, count, needle);
    }
  });
}

}  // namespace grundy
