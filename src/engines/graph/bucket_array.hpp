/// @file
/// The memory of a hash table: buckets of four entries.
///
/// Buckets are in the order of the hashes of their entries, whatever their number is. So an array
/// grows where it is, from its last bucket down: no entry moves below its old place.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/zero_pages.hpp"

namespace grundy::graph {

/// Number of entries of a bucket.
inline constexpr std::size_t kBucketEntries = 4;

/// The bytes of new entries are zeros.
template <class Entry>
class BucketArray {
  static_assert(std::is_trivial_v<Entry>);

 public:
  using Bucket = std::array<Entry, kBucketEntries>;

  /// @param what the entries, for a message. @throws Error(kFailure) if the system has no such
  /// memory
  BucketArray(std::uint64_t buckets, std::string_view what) : what_(what) { resize(buckets); }

  /// The number of buckets.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Bytes of memory. Another thread may grow the array meanwhile.
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return bytes_.load(std::memory_order_relaxed);
  }

  /// The bucket with this number.
  [[nodiscard]] Bucket& operator[](std::uint64_t i) const noexcept {
    return pages_.template as<Bucket>()[i];
  }
  /// The bucket of entries with this hash. @pre there are buckets
  [[nodiscard]] Bucket& of(std::uint64_t hash) const noexcept {
    __extension__ using Wide = unsigned __int128;
    return (*this)[static_cast<std::uint64_t>(Wide{hash} * count_ >> 64)];
  }

  /// Takes all entries out and calls put(entry) for each of them, after the number of buckets has
  /// become `buckets`; put() may write to the bucket of the hash of the entry, and to no other.
  /// @pre it does not shrink; no other thread uses the array
  /// @throws Error(kFailure) if the system has no such memory
  template <class Put>
  void grow(std::uint64_t buckets, const Put& put) {
    const std::uint64_t before = count_;
    if (buckets == before) return;
    resize(buckets);
    for (std::uint64_t i = before; i-- > 0;) {
      const Bucket moving = (*this)[i];
      (*this)[i] = {};
      for (const Entry& entry : moving) put(entry);
    }
  }

 private:
  void resize(std::uint64_t buckets) {
    if (buckets == count_) return;
    pages_.grow(buckets * sizeof(Bucket), what_);
    count_ = buckets;
    bytes_.store(buckets * sizeof(Bucket), std::memory_order_relaxed);
  }

  std::string_view what_;
  ZeroPages pages_;
  std::uint64_t count_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace grundy::graph
