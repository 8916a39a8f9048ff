// SPDX-License-Identifier: MIT
#include "verify/heap/pair_prover.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>

namespace grundy {
namespace {

/// Number of options that are marked before the values seen are counted.
constexpr std::size_t kBatch = 256;
/// Number of pairs that are marked in a row. Values have long-range order, so neighbours repeat
/// each other.
constexpr std::size_t kPairPiece = 32;
/// At most this many missing values are looked for one by one; for more, more pairs are marked.
constexpr std::size_t kFew = 20;
/// To mark a pair takes as long as to compare this many.
constexpr HeapSize kPairsOfMark = 20;
/// A group of heaps is compared with all pairs if more than one heap in this many is not common.
constexpr std::size_t kRareShare = 16;

/// Whether the split allows to split heap n into heap r and another one.
bool allows(const PairMoves::Split& split, HeapSize n, HeapSize r) noexcept {
  if (n <= split.removed || r < split.least) return false;
  const HeapSize rest = n - split.removed;
  return rest >= r + split.least && !(split.unequal && rest == 2 * r);
}

}  // namespace

/// Which heaps of a group have an option of their own value.
template <class T>
class PairProver<T>::Hits {
 public:
  Hits(const T* values, HeapSize begin, HeapSize end)
      : begin_(begin),
        end_(end),
        candidates_(values + begin),
        all_((lanes() + 63) / 64),
        some_(all_) {}

  [[nodiscard]] HeapSize begin() const noexcept { return begin_; }
  [[nodiscard]] HeapSize end() const noexcept { return end_; }
  [[nodiscard]] std::size_t lanes() const noexcept { return end_ - begin_; }
  [[nodiscard]] const T* candidates() const noexcept { return candidates_; }
  [[nodiscard]] T candidate(HeapSize n) const noexcept { return candidates_[n - begin_]; }

  void add(HeapSize n) { all_[(n - begin_) / 64] |= std::uint64_t{1} << (n - begin_) % 64; }
  /// The place where a kernel writes hits; add_probed() takes them over.
  [[nodiscard]] std::uint64_t* probed() noexcept { return some_.data(); }
  void add_probed() {
    for (std::size_t w = 0; w < all_.size(); ++w) all_[w] |= some_[w];
  }
  [[nodiscard]] bool hit(HeapSize n) const {
    return (all_[(n - begin_) / 64] >> (n - begin_) % 64 & 1) != 0;
  }

 private:
  HeapSize begin_;
  HeapSize end_;
  const T* candidates_;
  std::vector<std::uint64_t> all_;
  std::vector<std::uint64_t> some_;
};

/// The values of options that have been seen.
template <class T>
struct PairProver<T>::Marks {
  std::vector<std::uint8_t> map;
  std::vector<std::uint64_t> bits;
  std::vector<std::uint64_t> fresh;

  explicit Marks(std::size_t words) : map(64 * words), bits(words), fresh(words) {}

  void clear() { std::ranges::fill(bits, 0); }
  /// Takes over the new marks. Returns how many numbers below `value` have not been seen.
  std::size_t missing(const KernelSet& kernels, T value) {
    kernels.take_marks(map.data(), fresh.size(), fresh.data());
    kernels.or_words(bits.data(), fresh.data(), fresh.size());
    std::size_t seen = 0;
    for (std::size_t w = 0; w < value / 64u; ++w) seen += std::popcount(bits[w]);
    const std::uint64_t below = (std::uint64_t{1} << value % 64) - 1;
    return value - seen - std::popcount(bits[value / 64] & below);
  }
};

template <class T>
PairProver<T>::PairProver(PairMoves moves, StoredValues stored, const KernelSet& kernels)
    : moves_(std::move(moves)),
      values_(static_cast<const T*>(stored.values.data())),
      words_((std::bit_ceil(std::size_t{stored.largest} + 1) + 63) / 64),
      kernels_(kernels),
      space_(ValueSplit::find(moves_, stored)),
      zeros_(moves_.single.size()) {
  if (!space_) return;
  for (const HeapSize r : space_->rare()) rare_values_.push_back(values_[r]);
}

template <class T>
std::string PairProver<T>::method() const {
  if (moves_.splits.empty()) return fmt::format("every option compared, kernel {}", kernels_.name);
  return space_ ? fmt::format("options with a rare heap compared ({}), kernel {}",
                              space_->describe(), kernels_.name)
                : fmt::format("every split compared, kernel {}", kernels_.name);
}

template <class T>
std::optional<HeapSize> PairProver<T>::first_wrong(HeapSize begin, HeapSize end) const {
  Hits hits(values_, begin, end);
  probe_single(hits);
  probe_zero_moves(hits);
  std::vector<HeapSize> not_common;
  if (space_) {
    for (HeapSize n = begin; n < end; ++n) {
      if (!space_->common(n, values_[n])) not_common.push_back(n);
    }
  }
  const bool dense = !space_ || not_common.size() > hits.lanes() / kRareShare;
  for (const PairMoves::Split& split : moves_.splits) {
    if (dense) {
      probe_dense(split, hits);
      continue;
    }
    probe_rare(split, hits);
    for (const HeapSize n : not_common) {
      if (reached(split, n, split.least, values_[n])) hits.add(n);
    }
  }
  Marks marks(words_);
  for (HeapSize n = begin; n < end; ++n) {
    if (hits.hit(n) || !every_smaller_reached(n, marks)) return n;
  }
  return std::nullopt;
}

template <class T>
void PairProver<T>::probe_single(Hits& hits) const {
  // First come the removals that every heap of the group can make, then those that only later heaps
  // can.
  const auto allowed = [&](HeapSize n) -> std::size_t {
    if (n < moves_.least_rest) return 0;
    return std::ranges::upper_bound(moves_.single, n - moves_.least_rest) - moves_.single.begin();
  };
  const std::size_t common = allowed(hits.begin());
  kernels_.of<T>().probe_taps(hits.candidates(), moves_.single.data(), zeros_.data(), common,
                              hits.candidates(), hits.lanes(), hits.probed());
  hits.add_probed();
  for (HeapSize n = hits.begin(); n < hits.end(); ++n) {
    const std::size_t last = allowed(n);
    for (std::size_t i = common; i < last; ++i) {
      if (values_[n - moves_.single[i]] == hits.candidate(n)) hits.add(n);
    }
  }
}

template <class T>
bool PairProver<T>::reaches_zero_always(HeapSize n) const {
  const auto leaves_two_equal = [n](HeapSize k) { return n >= k + 2 && (n - k) % 2 == 0; };
  return std::ranges::binary_search(moves_.whole, n) ||
         std::ranges::any_of(moves_.halves, leaves_two_equal);
}

/// Moves to positions that have value 0 always.
template <class T>
void PairProver<T>::probe_zero_moves(Hits& hits) const {
  for (HeapSize n = hits.begin(); n < hits.end(); ++n) {
    if (hits.candidate(n) != 0) continue;
    if (reaches_zero_always(n)) hits.add(n);
  }
}

template <class T>
bool PairProver<T>::reached(const PairMoves::Split& split, HeapSize n, HeapSize from,
                            T value) const {
  const HeapSize end = split.end(n);
  if (end <= from) return false;
  const HeapSize pairs = end - from;
  return kernels_.of<T>().find_pair(values_, from, n - split.removed - from, pairs, value) < pairs;
}

template <class T>
void PairProver<T>::probe_dense(const PairMoves::Split& split, Hits& hits) const {
  // The pairs of the first heap are pairs of the others too, with a larger partner.
  const HeapSize common = std::max(split.end(hits.begin()), split.least);
  if (common > split.least) {
    kernels_.of<T>().probe_pairs(values_, split.least, hits.begin() - split.removed - split.least,
                                 common - split.least, hits.candidates(), hits.lanes(),
                                 hits.probed());
    hits.add_probed();
  }
  for (HeapSize n = hits.begin(); n < hits.end(); ++n) {
    if (reached(split, n, common, hits.candidate(n))) hits.add(n);
  }
}

template <class T>
void PairProver<T>::probe_rare(const PairMoves::Split& split, Hits& hits) const {
  const std::vector<HeapSize>& rare = space_->rare();
  const auto index_from = [&](HeapSize r) -> std::size_t {
    return std::ranges::lower_bound(rare, r) - rare.begin();
  };
  if (hits.end() - 1 <= split.removed) return;
  const HeapSize first = hits.begin() <= split.removed ? 0 : hits.begin() - split.removed;
  const HeapSize last = hits.end() - 1 - split.removed;
  const auto probe = [&](std::size_t from, std::size_t to) {
    if (from >= to) return;
    kernels_.of<T>().probe_taps(hits.candidates() - split.removed, rare.data() + from,
                                rare_values_.data() + from, to - from, hits.candidates(),
                                hits.lanes(), hits.probed());
    hits.add_probed();
  };
  const auto probe_one_by_one = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      for (HeapSize n = hits.begin(); n < hits.end(); ++n) {
        if (!allows(split, n, rare[i])) continue;
        const HeapSize partner = n - split.removed - rare[i];
        if ((values_[partner] ^ rare_values_[i]) == hits.candidate(n)) hits.add(n);
      }
    }
  };
  // Every heap of the group can leave the rare heaps [least, all); only some heaps can leave those
  // in [all, some). In the first range, [half, past) may be half of the rest, which is not a split
  // if the two heaps must differ.
  const std::size_t least = index_from(split.least);
  const std::size_t all = first < std::max<HeapSize>(split.least, 1)
                              ? least
                              : std::max(least, index_from(first - split.least + 1));
  const std::size_t some =
      last < split.least ? all : std::max(all, index_from(last - split.least + 1));
  const std::size_t half = split.unequal ? std::clamp(index_from(first / 2), least, all) : all;
  const std::size_t past = split.unequal ? std::clamp(index_from(last / 2 + 1), half, all) : all;
  probe(least, half);
  probe_one_by_one(half, past);
  probe(past, all);
  probe_one_by_one(all, some);
}

template <class T>
bool PairProver<T>::every_smaller_reached(HeapSize n, Marks& marks) const {
  const T value = values_[n];
  if (value == 0) return true;
  marks.clear();
  if (reaches_zero_always(n)) marks.map[0] = 1;
  std::size_t missing = value;
  for (std::size_t i = 0; i < moves_.single.size() && missing > 0;) {
    const std::size_t batch = std::min(i + kBatch, moves_.single.size());
    for (; i < batch && moves_.single[i] + moves_.least_rest <= n; ++i) {
      marks.map[values_[n - moves_.single[i]]] = 1;
    }
    missing = marks.missing(kernels_, value);
    if (i < batch) break;
  }
  if (moves_.splits.empty()) return marks.missing(kernels_, value) == 0;

  const std::size_t spread = kBatch + 2 * std::size_t{value};
  const auto mark_more = [&](unsigned round) {
    bool some = false;
    for (const PairMoves::Split& split : moves_.splits) {
      some |= mark_spread(split, n, spread, round, marks);
    }
    missing = marks.missing(kernels_, value);
    return some;
  };
  mark_more(0);
  if (space_) {
    for (const PairMoves::Split& split : moves_.splits) {
      const HeapSize pairs = split.end(n);
      // Marking ends where it costs more than to look for every missing value among all pairs.
      for (std::size_t i = 0;
           missing * pairs > kPairsOfMark * (rare_values_.size() - i) && i < rare_values_.size();) {
        i = mark_rare(split, n, i, marks);
        missing = marks.missing(kernels_, value);
      }
    }
  }
  for (unsigned round = 1; missing > kFew && mark_more(round); ++round) {
  }
  for (std::size_t v = 0; missing > 0;) {
    v = kernels_.first_zero_bit(marks.bits.data(), v, words_);
    if (std::ranges::none_of(moves_.splits, [&](const PairMoves::Split& split) {
          return reached(split, n, split.least, static_cast<T>(v));
        })) {
      return false;
    }
    ++v;
    --missing;
  }
  return true;
}

/// Marks pairs of the split, or all if there are fewer, in pieces spread over it: `pairs` in round
/// 0, and in each later one about as many as in all before it, from the middle between those.
/// Returns false if they lie too close for that, so that the next round would mark nothing new.
template <class T>
bool PairProver<T>::mark_spread(const PairMoves::Split& split, HeapSize n, std::size_t pairs,
                                unsigned round, Marks& marks) const {
  const HeapSize end = split.end(n);
  if (end <= split.least) return false;
  const HeapSize length = end - split.least;
  const HeapSize pieces = std::max<HeapSize>(1, pairs / kPairPiece);
  HeapSize step = std::max<HeapSize>(kPairPiece, length / pieces);
  HeapSize at = 0;
  if (round > 0) {
    step >>= round - 1;
    if (step < 2 * kPairPiece) return false;
    at = step / 2;
  }
  for (; at < length; at += step) {
    const HeapSize a = split.least + at;
    kernels_.of<T>().mark_pairs(values_, a, n - split.removed - a,
                                std::min<HeapSize>(kPairPiece, length - at), marks.map.data());
  }
  return true;
}

/// Marks a batch of splits with rare heap `from` and up; returns where the next one begins.
template <class T>
std::size_t PairProver<T>::mark_rare(const PairMoves::Split& split, HeapSize n, std::size_t from,
                                     Marks& marks) const {
  const std::vector<HeapSize>& rare = space_->rare();
  if (n <= split.removed) return rare.size();
  const HeapSize rest = n - split.removed;
  const T* const partners = values_ + rest;
  const auto index_from = [&](HeapSize r) -> std::size_t {
    return std::ranges::lower_bound(rare, r) - rare.begin();
  };
  // The marks are bytes, which could alias anything that is not in a register.
  const auto mark = [map = marks.map.data(), offsets = rare.data(), keys = rare_values_.data(),
                     partners](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) map[*(partners - offsets[i]) ^ keys[i]] = 1;
  };
  const std::size_t next = std::min(from + kBatch, rare.size());
  const std::size_t begin = std::max(from, index_from(split.least));
  const std::size_t end =
      rest < split.least ? begin : std::min(next, index_from(rest - split.least + 1));
  // Two equal heaps are no split if heaps must differ.
  const std::size_t half = split.unequal && rest % 2 == 0 ? index_from(rest / 2) : end;
  if (half < end && rare[half] == rest / 2) {
    mark(begin, half);
    mark(std::max(begin, half + 1), end);
  } else {
    mark(begin, end);
  }
  return next;
}

template class PairProver<std::uint8_t>;
template class PairProver<std::uint16_t>;
template class PairProver<std::uint32_t>;

}  // namespace grundy
