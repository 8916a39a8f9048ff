// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/table.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/value_copy.hpp"
#include "engines/heap/known_values.hpp"

namespace grundy::sparse {
namespace {

/// The number of first values that are kept is this multiple of the least number of newest values.
constexpr HeapSize kFirstPart = 4;
/// Values are let go when there is this multiple of the number that is kept.
constexpr HeapSize kLettingGo = 2;
/// Pairs are marked as long as more values than this are looked for: a search for one value reads
/// so many times as many pairs in the same time.
constexpr std::size_t kFewUnseen = 20;
constexpr HeapSize kMarkedPairs = 1024;  ///< number of pairs between two looks
/// Number of pairs on either side of the one that was found last that are looked at first.
constexpr HeapSize kNear = 256;
/// No run goes on from fewer newest values.
constexpr HeapSize kLeastNewest = 1024;

/// The number of newest values that are kept if heaps look back at most so far.
HeapSize newest_kept(HeapSize least, HeapSize looked_back) noexcept {
  // A later life is given this much less, and must be able to look back as far.
  constexpr HeapSize kAgain = KnownValues::kWindow + KnownValues::kUnit;
  return std::bit_ceil(std::max(least, 2 * looked_back + kAgain));
}

[[noreturn]] void throw_forgotten(HeapSize n) {
  throw Error(ErrorCode::kFailure,
              fmt::format("heap {} needs values of middle-sized heaps, which a run that keeps no "
                          "table has let go: compute this game with its whole table in memory",
                          n));
}

}  // namespace

SparseTable::SparseTable(TwoHeapMoves moves, const KernelSet& kernels,
                         std::optional<HeapSize> least, HeapTask::Recall recall)
    : moves_(std::move(moves)),
      kernels_(kernels),
      least_(least),
      recall_(std::move(recall)),
      seen_(1, 0),
      last_found_(1, 1) {}

HeapSize SparseTable::most_kept(HeapSize least, std::uint64_t rare, HeapSize looked_back) noexcept {
  const HeapSize newest = newest_kept(least_kept(least, rare), looked_back);
  return std::max(kFirstPart * least_kept(least, rare), newest) +
         2 * kLettingGo * newest;  // buffers grow by doubling
}

HeapSize SparseTable::kept() const noexcept {
  const HeapSize last = rare_.empty() ? 0 : rare_.back();
  return newest_kept(least_kept(), std::max(last, farthest_) + moves_.largest_take);
}

HeapSize SparseTable::first_kept() const noexcept {
  return std::max(kFirstPart * least_kept(), kept());
}

void SparseTable::reserve(HeapSize end) {
  if (least_) {
    const HeapSize keep = kept();
    const HeapSize first = window_.complete() ? first_kept() : window_.first_end();
    const HeapSize begin = window_.complete() ? first : window_.begin();
    // Whoever gets the next block wants so many values below it.
    const HeapSize from = size_ - keep - largest_block(*least_);
    if (size_ > begin + kLettingGo * keep) window_.forget(first, from, end);
  }
  window_.reserve(end);
}

void SparseTable::note_depth(HeapSize depth) const noexcept {
  depth_ = std::max(depth_, depth);
}

void SparseTable::load(const HeapTask& task) {
  if (task.known != nullptr && task.known->gone() != nullptr) {
    load_around(*task.known, *task.known->gone());
    return;
  }
  const Nimber largest = load_known_values(task, window_.buffer());
  size_ = window_.end();
  // Nobody knows how deep the witnesses of these values lie, nor how far heaps have looked back.
  // The smaller half of a split is at most half of the heap.
  note_depth(size_ / 2);
  // A certificate must not begin before the heap that obeys another rule; see
  // theory/sparse_certificate.hpp.
  note_depth(task.rule.pass().value_or(0));
  farthest_ = size_ / 2;
  raise_value_limit(largest);
}

void SparseTable::load_around(const KnownValues& known, const KnownValues::Gone& gone) {
  rare_.assign(gone.rare.begin(), gone.rare.end());
  split_ = make_split(moves_, gone.facts.mask, gone.facts.parity);
  note_depth(gone.facts.depth);
  // No heap of the earlier life has looked back farther, so the window does not shrink.
  farthest_ = gone.facts.depth;
  // All values are there, and a run that had not been interrupted would have all of them in memory.
  const bool is_whole =
      gone.begin >= gone.end && (!least_ || known.count() <= first_kept() + kLettingGo * kept());
  const HeapSize first = is_whole ? known.count() : std::min(gone.begin, first_kept());
  SinkOf loader([&](const Stretch& block) {
    const HeapSize size = block.values.size();
    const HeapSize left = first - std::min(first, block.begin);
    window_.buffer().append(
        block.values.subspan(0, block.begin < gone.end ? std::min(size, left) : size));
  });
  known.replay(loader);
  if (!is_whole) window_.leave_out(first, gone.end);
  size_ = known.count();
  const HeapSize last = rare_.empty() ? 0 : rare_.back();
  const bool too_few = newest() < 2 * (last + moves_.largest_take) || newest() < kLeastNewest;
  const auto is_gone = [&](HeapSize r) { return first <= r && r < window_.begin(); };
  if (!is_whole && (too_few || std::ranges::any_of(rare_, is_gone))) {
    throw Error(
        ErrorCode::kCorrupt,
        fmt::format("a run cannot go on at heap {} from the {} newest values", size_, newest()));
  }
  note_rare_values();
  raise_value_limit(gone.largest);
}

void SparseTable::set_split(const Split& split) {
  // Values of the common type may be of the rare type now; they were reached through a rare heap.
  note_depth(rare_.empty() ? 0 : rare_.back());
  split_ = split;
  rare_ = rare_heaps(split, values());
  note_rare_values();
}

void SparseTable::raise_value_limit(Nimber largest) {
  value_limit_ = std::bit_ceil(largest + 1);
  seen_.resize(value_limit_, 0);
  last_found_.resize(value_limit_, 1);
}

void SparseTable::note_rare_values() {
  rare_values_.clear();
  for (const HeapSize r : rare_) rare_values_.push_back(window_[r]);
}

SparseTable::Search SparseTable::find(HeapSize n, Nimber value) const noexcept {
  if (value >= value_limit_) return Search::kAbsent;  // because all nim-sums are below it
  if (value == 0 && std::ranges::find(moves_.wholes, n) != moves_.wholes.end()) {
    return Search::kFound;
  }
  for (const HeapSize take : moves_.singles) {
    if (take < n && window_[n - take] == value) return Search::kFound;
  }
  Search result = Search::kAbsent;
  with_storage_type(window_.buffer().width(), [&]<class T>(T) {
    if (value <= std::numeric_limits<T>::max()) result = find_pair(n, static_cast<T>(value));
  });
  return result;
}

void SparseTable::extend_to(HeapSize end) noexcept {
  size_ = end;
  for (const DeepPair& pair : deep_) {
    if (pair.heap >= end) continue;
    depth_ = std::max(depth_, pair.smaller);
    farthest_ = std::max(farthest_, pair.smaller);
  }
  deep_.clear();
}

template <class T>
SparseTable::Search SparseTable::find_pair(HeapSize n, T value) const noexcept {
  const std::atomic_ref last(last_found_[value]);
  const HeapSize near = last.load(std::memory_order_relaxed);
  const HeapSize from = std::max(near, kNear + 1) - kNear;
  // The first hit of a split counts. If there is a hit below both depths, the first one changes
  // neither, so it need not be known.
  const HeapSize known = std::min(depth_, farthest_);
  Search result = Search::kAbsent;
  for (const SplitMove& split : moves_.splits) {
    const HeapSize there = pairs_there(split, n);
    if (there < split.pairs(n)) result = Search::kUnknown;
    const HeapSize near_end = std::min({there, known, near + kNear}) + 1;
    HeapSize found = first_pair(split, n, from, near_end, value);
    if (found >= near_end) {
      found = first_pair(split, n, 1, there + 1, value);
      if (found > there) continue;
      if (found > known) {
        const std::lock_guard lock(deep_mutex_);
        deep_.push_back({n, found});
      }
    }
    last.store(found, std::memory_order_relaxed);
    return Search::kFound;
  }
  return result;
}

template <class T>
HeapSize SparseTable::first_pair(const SplitMove& split, HeapSize n, HeapSize first, HeapSize end,
                                 T value) const noexcept {
  if (first >= end) return end;
  return first + kernels_.of<T>().find_pair(window_.buffer().data<T>(), first,
                                            window_.index(n - split.take - first), end - first,
                                            value);
}

HeapSize SparseTable::pairs_there(const SplitMove& split, HeapSize n) const noexcept {
  const HeapSize pairs = split.pairs(n);
  if (pairs == 0 || window_.complete()) return pairs;
  return std::min({pairs, window_.first_end() - 1, n - split.take - window_.begin()});
}

template <class T>
void SparseTable::mark_rare(std::size_t first, std::size_t end, const T* partner) noexcept {
  const HeapSize* const rare = rare_.data();
  const Nimber* const values = rare_values_.data();
  std::uint64_t* const seen = seen_.data();
  const std::uint64_t stamp = stamp_;
  for (std::size_t i = first; i < end; ++i)
    seen[values[i] ^ *(partner - static_cast<std::ptrdiff_t>(rare[i]))] = stamp;
}

/// Marks every option value of the common type (and some of the rare type).
template <class T>
void SparseTable::mark_options(HeapSize n) {
  const T* const values = window_.buffer().data<T>();
  if (std::ranges::find(moves_.wholes, n) != moves_.wholes.end()) mark(0);
  for (const HeapSize take : moves_.singles) {
    if (take < n) mark(values[window_.index(n - take)]);
  }
  if (split_.mask == 0) return;  // there are no values of the common type
  const auto rare_below = [&](HeapSize heap) {
    return static_cast<std::size_t>(std::ranges::lower_bound(rare_, heap) - rare_.begin());
  };
  for (const SplitMove& split : moves_.splits) {
    if (n <= split.take) continue;
    const HeapSize rest = n - split.take;  // both heaps of a pair
    // Of all rare heaps the partners are among the newest values, since at least twice as many are
    // kept as the last rare heap needs.
    const T* const partner = values + window_.index(rest);
    const std::size_t end = rare_below(rest);
    const std::size_t half = rest % 2 == 0 ? rare_below(rest / 2) : end;
    if (split.unequal && half < end && rare_[half] == rest / 2) {
      mark_rare(0, half, partner);
      mark_rare(half + 1, end, partner);
    } else {
      mark_rare(0, end, partner);
    }
  }
}

Nimber SparseTable::least_common(HeapSize n) const noexcept {
  Nimber value = 0;
  while (value < value_limit_ && (seen(value) || !split_.is_common(value, n))) ++value;
  return value;
}

template <class T>
void SparseTable::list_unseen(HeapSize n, Nimber bound) {
  unseen_.clear();
  for (Nimber value = 0; value < bound; ++value) {
    if (!seen(value) && !split_.is_common(value, n)) unseen_.push_back(value);
  }
  const HeapSize known = std::min(depth_, farthest_);
  const T* const values = window_.buffer().data<T>();
  std::uint64_t* const seen_at = seen_.data();
  const std::uint64_t stamp = stamp_;
  for (const SplitMove& split : moves_.splits) {
    const HeapSize end = std::min(pairs_there(split, n), known) + 1;
    for (HeapSize a = 1; a < end && unseen_.size() > kFewUnseen;) {
      const T* const partner = values + window_.index(n - split.take - a);
      const HeapSize pairs = std::min(kMarkedPairs, end - a);
      for (HeapSize i = 0; i < pairs; ++i)
        seen_at[values[a + i] ^ *(partner - static_cast<std::ptrdiff_t>(i))] = stamp;
      a += pairs;
      std::erase_if(unseen_, [&](Nimber value) { return seen(value); });
    }
  }
}

void SparseTable::recall_for(HeapSize n) {
  if (!recall_) throw_forgotten(n);
  const HeapSize first = window_.first_end(), begin = window_.begin();
  ValueBuffer all;
  all.reserve(size_);
  all.append(window_.values(0, first));
  SinkOf rest([&](const Stretch& block) { all.append(block.values); });
  recall_(first, begin, rest);
  all.append(window_.values(begin, size_ - begin));
  window_.complete_with(all);
  least_.reset();
  reserve(n + std::max<HeapSize>(n / 4, 4096));
}

void SparseTable::append() {
  const HeapSize n = size_;
  if (n >= window_.end()) reserve(n + std::max<HeapSize>(n / 4, 4096));
  ++stamp_;
  ValueBuffer& buffer = window_.buffer();
  Nimber value = 0;
  with_storage_type(buffer.width(), [&]<class T>(T) {
    mark_options<T>(n);
    value = least_common(n);
    list_unseen<T>(n, value);
  });
  for (const Nimber rare : unseen_) {
    Search search = find(n, rare);
    if (search == Search::kUnknown) {
      recall_for(n);
      search = find(n, rare);
    }
    if (search == Search::kFound) continue;
    value = rare;
    break;
  }
  bool common = split_.is_common(value, n);
  if (!common && !complete()) {
    // A rare heap needs values that have been dropped. But if its value has a bit that no earlier
    // value has, the mask may include that bit or not. One of the two masks makes the heap common,
    // and that mask is better.
    if (value < value_limit_ || split_.mask == 0) {
      recall_for(n);
    } else {
      split_.mask |= std::bit_floor(value);
      common = true;
    }
  }
  if (value > largest_value(buffer.width())) buffer.promote(width_for(value));
  with_storage_type(buffer.width(), [&]<class T>(T) {
    buffer.data<T>()[window_.index(n)] = static_cast<T>(value);
  });
  if (value >= value_limit_) raise_value_limit(value);
  if (n > 0 && !common) {
    rare_.push_back(n);
    rare_values_.push_back(value);
  }
  extend_to(n + 1);
}

}  // namespace grundy::sparse
