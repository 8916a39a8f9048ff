/// @file
/// Of all positions that play alike, the first one that a search remembers. The others need no
/// search of their own.
///
/// A hash table by GraphGame::likeness(). Whatever a thread reads in it, only a proof by
/// GraphGame::are_alike() makes it count. So threads share it without care: an entry with the
/// likeness from one thread and the key from another costs proofs that fail, until it is replaced.
/// An entry that finds no room takes the place of another one.
// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "engines/graph/bucket_array.hpp"
#include "engines/graph/key_table.hpp"

namespace grundy::graph {

class AlikeTable {
 public:
  static constexpr std::size_t kBucketBytes = kBucketEntries * 2 * sizeof(std::uint64_t);

  explicit AlikeTable(std::uint64_t buckets) : entries_(buckets, "the positions of a search") {}

  [[nodiscard]] std::uint64_t bytes() const noexcept { return entries_.bytes(); }

  /// @pre no other thread uses it. @throws Error(kFailure) if the system has no such memory
  void grow(std::uint64_t buckets) {
    entries_.grow(buckets, [this](const Entry& entry) {
      if (entry.likeness != 0) place(entry.likeness) = entry;
    });
  }

  /// Starts to load the memory that first() will read.
  void prefetch(std::uint64_t likeness) const noexcept {
    __builtin_prefetch(&bucket(likeness | 1));
  }

  /// The first position that plays like `key`: itself, unless are_alike(other) is true for another
  /// one of its likeness. @pre there are buckets
  template <class Proof>
  std::uint64_t first(std::uint64_t likeness, std::uint64_t key, const Proof& are_alike) noexcept {
    likeness |= 1;  // 0 says that an entry is empty
    for (Entry& entry : bucket(likeness)) {
      if (shared(entry.likeness).load(kRelaxed) != likeness) continue;
      const std::uint64_t other = shared(entry.key).load(kRelaxed);
      if (other == key || are_alike(other)) return other;
    }
    Entry& entry = place(likeness);
    shared(entry.likeness).store(likeness, kRelaxed);
    shared(entry.key).store(key, kRelaxed);
    return key;
  }

 private:
  static constexpr auto kRelaxed = std::memory_order_relaxed;

  struct Entry {
    std::uint64_t likeness;  ///< odd; 0: there is no entry
    std::uint64_t key;
  };

  using Bucket = BucketArray<Entry>::Bucket;
  static_assert(sizeof(Bucket) == kBucketBytes);

  [[nodiscard]] Bucket& bucket(std::uint64_t likeness) const noexcept {
    return entries_.of(hash_key<1>(&likeness));
  }

  static std::atomic_ref<std::uint64_t> shared(std::uint64_t& number) noexcept {
    return std::atomic_ref(number);
  }

  /// An empty entry, or else any one.
  [[nodiscard]] Entry& place(std::uint64_t likeness) const noexcept {
    Bucket& its = bucket(likeness);
    for (Entry& entry : its) {
      if (shared(entry.likeness).load(kRelaxed) == 0) return entry;
    }
    return its[likeness / 2 % its.size()];
  }

  BucketArray<Entry> entries_;
};

}  // namespace grundy::graph
