/// @file
/// The facts that a search has learnt about positions, shared by its threads.
///
/// A hash table of buckets of four entries. If a bucket is full, the entry that took the least
/// effort makes room: forgetting costs time and changes no answer. So the table works in any amount
/// of memory. When half of it is in use it doubles, or takes all that the memory limit allows.
///
/// An entry has a key and a word. The word says what is known, how hard it was to learn, and how
/// often the entry was written. A reader reads the word, the key and the word again, and takes
/// nothing if the word has changed. A writer that meets another writer in an entry writes nothing.
/// So nobody waits, and an entry that is read was written as a whole.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>

#include <grundy/types.hpp>

#include "engines/graph/bucket_array.hpp"
#include "engines/graph/key_table.hpp"

namespace grundy::graph {

/// Facts about a component: its value, or values that it does not have.
class Knowledge {
 public:
  static constexpr Nimber kExcludable = 30;  ///< values below this can be excluded one by one

  static constexpr int kManyExcluded = 4;  ///< in Cram, this many are hardly ever excluded

  Knowledge() = default;
  explicit Knowledge(Nimber bits) : bits_(bits) {}
  static Knowledge exact(Nimber value) noexcept { return Knowledge(value << 1 | 1); }

  [[nodiscard]] Nimber bits() const noexcept { return bits_; }
  [[nodiscard]] bool is_exact() const noexcept { return (bits_ & 1) != 0; }
  /// @pre is_exact()
  [[nodiscard]] Nimber value() const noexcept { return bits_ >> 1; }
  /// Whether the value is certainly not n.
  [[nodiscard]] bool excludes(Nimber n) const noexcept {
    return is_exact() ? value() != n : n < kExcludable && (bits_ >> (n + 1) & 1) != 0;
  }
  /// Whether so many of the least values are excluded that the value is probably large.
  /// @pre !is_exact()
  [[nodiscard]] bool is_large() const noexcept {
    return std::countr_one(bits_ >> 1) >= kManyExcluded;
  }
  /// Whether the value is n, if that is known.
  [[nodiscard]] std::optional<bool> is(Nimber n) const noexcept {
    if (is_exact()) return value() == n;
    if (excludes(n)) return false;
    return std::nullopt;
  }
  void exclude(Nimber n) noexcept {
    if (n < kExcludable) bits_ |= Nimber{2} << n;
  }
  /// Excludes all n for which bit n is set. @pre !is_exact()
  void exclude_all(std::uint64_t values) noexcept {
    bits_ |= static_cast<Nimber>(values << 1 & ((std::uint64_t{2} << kExcludable) - 2));
  }
  /// Adds other facts about the same component.
  void join(Knowledge other) noexcept {
    if (is_exact()) return;
    bits_ = other.is_exact() ? other.bits_ : bits_ | other.bits_;
  }

 private:
  Nimber bits_ = 0;
};

/// W: number of words of a key.
template <unsigned W>
class LearntTable {
 public:
  /// @param memory_limit bytes; a table of the least size is made even if it exceeds this
  /// @throws Error(kFailure) if the system has no such memory
  explicit LearntTable(std::optional<std::uint64_t> memory_limit)
      : most_buckets_(memory_limit.value_or(std::numeric_limits<std::uint64_t>::max()) /
                      sizeof(Bucket)) {
    note_growth();
  }

  static constexpr std::size_t kBucketBytes = kBucketEntries * (W + 1) * sizeof(std::uint64_t);

  /// The bytes of a table of the least size.
  static constexpr std::uint64_t least_bytes() noexcept { return kLeastBuckets * kBucketBytes; }

  /// Number of entries in use.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_.load(kRelaxed); }

  /// Number of buckets.
  [[nodiscard]] std::uint64_t buckets() const noexcept { return buckets_.count(); }

  /// The bytes of the table. Other threads may grow it meanwhile.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return buckets_.bytes(); }

  /// Starts to load the memory that recall() will read.
  void prefetch(const Key<W>& key) const noexcept { __builtin_prefetch(&bucket(key)); }

  [[nodiscard]] Knowledge recall(const Key<W>& key) const noexcept {
    // All entries are compared, because a jump that is foretold wrongly costs more. An empty entry
    // has key 0 and says nothing, and stands behind those in use.
    const Bucket& its = bucket(key);
    unsigned same = 0;
    for (std::size_t i = 0; i < its.size(); ++i) same |= unsigned{has_key(its[i], key)} << i;
    if (same == 0) return {};
    const Entry& entry = its[static_cast<std::size_t>(std::countr_zero(same))];
    const std::uint64_t word = shared(entry.word).load(std::memory_order_acquire);
    if ((word & kBusy) != 0 || !has_key(entry, key) || shared(entry.word).load(kRelaxed) != word) {
      return {};
    }
    return Knowledge(static_cast<Nimber>(word));
  }

  /// Adds facts about a key. @param effort number of positions that were opened to learn them
  void learn(const Key<W>& key, Knowledge knowledge, std::uint64_t effort) noexcept {
    if (knowledge.bits() == 0) return;
    const auto weight = static_cast<std::uint64_t>(std::bit_width(effort));
    Entry* place = nullptr;
    std::uint64_t least = ~std::uint64_t{0}, before = 0;
    for (Entry& entry : bucket(key)) {
      const std::uint64_t word = shared(entry.word).load(std::memory_order_acquire);
      if ((word & kBusy) != 0) continue;
      const bool is_same = word != 0 && has_key(entry, key);
      if (is_same || word == 0 || weight_of(word) < least) {
        place = &entry;
        before = word;
        least = weight_of(word);
      }
      if (is_same || word == 0) break;
    }
    if (place == nullptr) return;
    std::uint64_t expected = before;
    if (!shared(place->word).compare_exchange_strong(expected, before | kBusy)) return;
    std::uint64_t total = weight;
    if (before == 0) {
      size_.fetch_add(1, kRelaxed);
    } else if (has_key(*place, key)) {
      knowledge.join(Knowledge(static_cast<Nimber>(before)));
      total = std::max(weight, weight_of(before));
    }
    for (unsigned i = 0; i < W; ++i) {
      shared(place->key[i]).store(key[i], std::memory_order_release);
    }
    const std::uint64_t version = (before + kVersion) & ~(kVersion - 1) & ~kBusy;
    shared(place->word)
        .store(version | total << kWeightShift | knowledge.bits(), std::memory_order_release);
  }

  /// Calls visit(key, knowledge, effort) for all facts that took at least `least` effort. Other
  /// threads may learn meanwhile, but grow() waits. Every beginning of the visits is spread evenly
  /// over the hashes, so that another table can learn from them and grow meanwhile.
  template <class F>
  void for_each(std::uint64_t least, const F& visit) const {
    const std::lock_guard lock(not_growing_);
    const auto weight = static_cast<std::uint64_t>(std::bit_width(least));
    // Multiples of the golden section are spread evenly over the circle, however many they are.
    const std::uint64_t count = buckets_.count();
    auto step = static_cast<std::uint64_t>(0.618033988749895 * static_cast<double>(count));
    while (std::gcd(step, count) != 1) ++step;
    std::uint64_t at = 0;
    for (std::uint64_t seen = 0; seen < count; ++seen, at = (at + step) % count) {
      for (const Entry& entry : buckets_[at]) {
        const std::uint64_t word = shared(entry.word).load(std::memory_order_acquire);
        if (word == 0 || (word & kBusy) != 0 || weight_of(word) < weight) continue;
        Key<W> key;
        for (unsigned i = 0; i < W; ++i) {
          key[i] = shared(entry.key[i]).load(std::memory_order_acquire);
        }
        if (shared(entry.word).load(kRelaxed) != word) continue;  // the next seal will have it
        visit(key, Knowledge(static_cast<Nimber>(word)), least_effort(weight_of(word)));
      }
    }
  }

  /// Whether the table should grow() before more is learnt.
  [[nodiscard]] bool is_full() const noexcept { return size() > full_at_.load(kRelaxed); }

  /// Doubles the table, or takes the memory that is left. @pre no other thread uses it
  /// @throws Error(kFailure) if the system has no such memory
  void grow() {
    const std::uint64_t before = buckets_.count();
    const std::uint64_t most = std::max(before, most_buckets_);
    if (before == most) {
      full_at_.store(~std::uint64_t{0}, kRelaxed);
      return;
    }
    const std::lock_guard lock(not_growing_);
    buckets_.grow(most / 2 < before ? most : 2 * before,
                  [this](const Entry& entry) { put(entry); });
    note_growth();
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;
  static constexpr std::uint64_t kLeastBuckets = 256;
  // A word has 32 bits of knowledge, 6 of weight, 25 of a version, and a bit for a writer. It is 0
  // only in an empty entry, because knowledge is never 0. A reader can mistake a version only if
  // the entry is written 2^25 times while it reads.
  static constexpr unsigned kWeightShift = 32;
  static constexpr std::uint64_t kVersion = std::uint64_t{1} << 38;
  static constexpr std::uint64_t kBusy = std::uint64_t{1} << 63;

  struct Entry {
    Key<W> key;
    std::uint64_t word;
  };
  using Bucket = typename BucketArray<Entry>::Bucket;
  static_assert(sizeof(Bucket) == kBucketBytes);

  static std::uint64_t weight_of(std::uint64_t word) noexcept { return word >> kWeightShift & 63; }

  /// The least effort that has this weight.
  static std::uint64_t least_effort(std::uint64_t weight) noexcept {
    return weight == 0 ? 0 : std::uint64_t{1} << (weight - 1);
  }

  /// A number, for use by several threads. Entries themselves are never constant.
  static std::atomic_ref<std::uint64_t> shared(const std::uint64_t& number) noexcept {
    return std::atomic_ref(const_cast<std::uint64_t&>(number));
  }

  static bool has_key(const Entry& entry, const Key<W>& key) noexcept {
    std::uint64_t difference = 0;
    for (unsigned i = 0; i < W; ++i) {
      difference |= shared(entry.key[i]).load(std::memory_order_acquire) ^ key[i];
    }
    return difference == 0;
  }

  [[nodiscard]] Bucket& bucket(const Key<W>& key) const noexcept {
    return buckets_.of(hash_key<W>(key.data()));
  }

  void note_growth() noexcept { full_at_.store(buckets_.count() * kBucketEntries / 2, kRelaxed); }

  /// Moves an entry into its bucket, in which parts of two buckets meet if the table has not
  /// doubled. @pre no other thread uses the table
  void put(const Entry& entry) noexcept {
    if (entry.word == 0) return;
    Bucket& its = bucket(entry.key);
    Entry& place = *std::ranges::min_element(its, {}, [](const Entry& other) {
      return other.word == 0 ? 0 : 1 + weight_of(other.word);
    });
    if (place.word != 0) {
      size_.fetch_sub(1, kRelaxed);
      if (weight_of(place.word) >= weight_of(entry.word)) return;
    }
    place = entry;
  }

  std::uint64_t most_buckets_;
  BucketArray<Entry> buckets_{kLeastBuckets, "the facts that a search learns"};
  mutable std::mutex not_growing_;  ///< held while all entries are read or moved
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> full_at_ = 0;
};

}  // namespace grundy::graph
