/// @file
/// One shard of the set of positions: an open-addressing hash table from keys to values.
///
/// A key and its value lie in one slot, so a look-up costs one cache line. Probing is linear. The
/// table is at most three quarters full, and doubles when an insertion would exceed that. It lies
/// in huge pages, because a search spends half of its time waiting for look-ups. A value may be
/// written while other threads look up other keys and pass over the slot. Only one thread at a time
/// writes keys.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <grundy/types.hpp>

#include "core/huge_pages.hpp"

namespace grundy::graph {

/// The key of a position. W: number of words.
template <unsigned W>
using Key = std::array<std::uint64_t, W>;

template <unsigned W>
Key<W> key_at(const std::uint64_t* words) noexcept {
  Key<W> key;
  for (unsigned i = 0; i < W; ++i) key[i] = words[i];
  return key;
}

/// Whether two keys are equal, word by word. For arrays GCC would call memcmp, which is slow for
/// short ones.
template <unsigned W>
bool same(const Key<W>& a, const Key<W>& b) noexcept {
  std::uint64_t difference = 0;
  for (unsigned i = 0; i < W; ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

/// Mixes every bit of a key into every bit of the result (the finaliser of MurmurHash3).
template <unsigned W>
std::uint64_t hash_key(const std::uint64_t* key) noexcept {
  std::uint64_t h = key[0];
  for (unsigned i = 1; i < W; ++i) h = (h ^ (h >> 32)) * 0x9e3779b97f4a7c15u + key[i];
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdu;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
  return h ^ (h >> 33);
}

template <unsigned W>
class KeyTable {
 public:
  struct Slot {
    Key<W> key;
    std::uint32_t state;  ///< kEmpty in a slot of zeros

    [[nodiscard]] bool empty() const noexcept { return shared().load(kRelaxed) == kEmpty; }
    [[nodiscard]] bool known() const noexcept { return shared().load(kRelaxed) >= kFirstValue; }
    /// @pre known()
    [[nodiscard]] Nimber value() const noexcept { return shared().load(kRelaxed) - kFirstValue; }
    void set(Nimber value) noexcept { shared().store(value + kFirstValue, kRelaxed); }

   private:
    static constexpr auto kRelaxed = std::memory_order_relaxed;

    /// The state, for use by several threads. Slots themselves are never constant.
    [[nodiscard]] std::atomic_ref<std::uint32_t> shared() const noexcept {
      return std::atomic_ref(const_cast<std::uint32_t&>(state));
    }
  };

  KeyTable() : slots_(kLeastSlots) {}

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return slots_.size() * sizeof(Slot); }

  void prefetch(std::uint64_t hash) const noexcept {
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }

  /// The slot of the key, or the empty slot where it belongs. @param hash hash_key() of the key
  [[nodiscard]] Slot& find(const Key<W>& key, std::uint64_t hash) noexcept {
    return slots_[index_of(slots_, key, hash)];
  }
  [[nodiscard]] const Slot& find(const Key<W>& key, std::uint64_t hash) const noexcept {
    return slots_[index_of(slots_, key, hash)];
  }

  /// Inserts the key. Returns true if it is new.
  bool insert(const Key<W>& key, std::uint64_t hash) {
    if (Slot& slot = find(key, hash); slot.empty()) {
      slot = {key, kUnknown};
      if (is_full_with(++size_)) grow();
      return true;
    }
    return false;
  }

 private:
  static constexpr std::uint32_t kEmpty = 0;
  static constexpr std::uint32_t kUnknown = 1;
  static constexpr std::uint32_t kFirstValue = 2;
  static constexpr std::size_t kLeastSlots = 16;

  [[nodiscard]] bool is_full_with(std::size_t keys) const noexcept {
    return keys > slots_.size() / 4 * 3;
  }

  using Slots = std::vector<Slot, HugePageAllocator<Slot>>;

  static std::size_t index_of(const Slots& slots, const Key<W>& key, std::uint64_t hash) noexcept {
    const std::size_t mask = slots.size() - 1;
    std::size_t i = hash & mask;
    while (!slots[i].empty() && !same<W>(slots[i].key, key)) i = (i + 1) & mask;
    return i;
  }

  void grow() {
    Slots larger(slots_.size() * 2);
    for (const Slot& slot : slots_) {
      if (!slot.empty()) larger[index_of(larger, slot.key, hash_key<W>(slot.key.data()))] = slot;
    }
    slots_ = std::move(larger);
  }

  Slots slots_;
  std::size_t size_ = 0;
};

}  // namespace grundy::graph
