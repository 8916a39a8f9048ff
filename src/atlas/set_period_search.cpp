// SPDX-License-Identifier: MIT
#include "atlas/set_period_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/primes.hpp"

namespace grundy::atlas {
namespace {

/// The number of heaps in a word. An unaligned load of 64 bits has at least this many bits from any
/// bit on.
constexpr HeapSize kWord = 56;
constexpr std::uint64_t kWordMask = (std::uint64_t{1} << kWord) - 1;
/// See LevelSets::least_return().
constexpr HeapSize kTryAll = 64;
/// If the least move is at most this, words may begin at any bit of a byte.
constexpr HeapSize kLongestUnaligned = kWord - 7;

constexpr std::uint64_t low_bits(HeapSize count) noexcept {
  return (std::uint64_t{1} << count) - 1;
}

/// The bits from `bit` on. The first kWord of them are right for any byte order.
std::uint64_t load(const unsigned char* level, HeapSize bit) noexcept {
  std::uint64_t word;
  std::memcpy(&word, level + bit / 8, sizeof word);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word >> (bit % 8);
}

/// Sets the bits from `bit` on and clears up to eight bits after them.
/// @pre the bits of `word` above kWord - bit % 8 are 0
void store(unsigned char* level, HeapSize bit, std::uint64_t word) noexcept {
  unsigned char* const at = level + bit / 8;
  word = (word << (bit % 8)) | (*at & low_bits(bit % 8));
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  std::memcpy(at, &word, sizeof word);
}

/// Calls body(begin, mask) for words that cover the `count` bits before bit `end`, the last word
/// first, until it returns false.
template <class Body>
void for_words_before(HeapSize end, HeapSize count, const Body& body) {
  while (count > 0) {
    const HeapSize bits = std::min(kWord, count);
    end -= bits;
    count -= bits;
    if (!body(end, low_bits(bits))) return;
  }
}

/// The level sets of one set of moves. Before heap 0 there are as many empty bits as the largest
/// move has tokens, so that a move that takes too much finds no value there.
template <std::size_t kMoves>
class LevelSets {
 public:
  LevelSets(std::span<const HeapSize> moves, std::vector<unsigned char>& storage)
      : storage_(storage), largest_(moves.back()), empty_(round_up(moves.back())) {
    std::ranges::copy(moves, moves_.begin());
    word_ = moves_[0] >= kWord ? kWord : std::min(moves_[0], kLongestUnaligned);
  }

  [[nodiscard]] HeapSize heaps() const noexcept { return heaps_; }

  /// Computes up to heap `to` - 1 and perhaps some more.
  void extend(HeapSize to) {
    make_room(to);
    std::array<unsigned char*, kMoves> level;
    for (std::size_t v = 0; v < kMoves; ++v) level[v] = storage_.data() + v * stride_;
    const std::uint64_t mask = low_bits(word_);
    for (; heaps_ < to; heaps_ += word_) {
      std::array<std::uint64_t, kMoves> reached{};
      for (const HeapSize move : moves_) {
        const HeapSize bit = empty_ + heaps_ - move;
        for (std::size_t v = 0; v < kMoves; ++v) reached[v] |= load(level[v], bit);
      }
      std::uint64_t open = mask;  // heaps that reach every value below v
      for (std::size_t v = 0; v < kMoves; ++v) {
        store(level[v], empty_ + heaps_, open & ~reached[v]);
        open &= reached[v];
      }
      all_reached_ = all_reached_ || open != 0;
    }
  }

  /// The least distance at which the newest values (as many as the largest move) occurred before; 0
  /// if none was found. Nearly all periods divide a sum of two moves, so these sums are tried
  /// first; the least distance divides every other distance. Trying all distances takes longer than
  /// computing as many heaps. So it begins only with kTryAll times as many heaps as the largest
  /// move has tokens.
  /// @param now whether to try all distances in any case
  [[nodiscard]] HeapSize least_return(bool now) const noexcept {
    for (std::size_t i = 0; i < kMoves; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const HeapSize sum = moves_[i] + moves_[j];
        if (recurs(sum)) return least_period_of(sum, [&](HeapSize p) { return recurs(p); });
      }
    }
    return !now && heaps_ < kTryAll * largest_ ? 0 : least_return_of_all();
  }

  /// Does the same, with every distance.
  [[nodiscard]] HeapSize least_return_of_all() const noexcept {
    const HeapSize end = empty_ + heaps_;
    const unsigned char* const zeros = storage_.data();
    const std::uint64_t newest = load(zeros, end - kWord) & kWordMask;
    const HeapSize window = std::max(largest_, kWord);
    for (HeapSize p = 1; p + window <= heaps_; ++p) {
      if ((load(zeros, end - kWord - p) & kWordMask) == newest && agree(end, largest_, p)) return p;
    }
    return 0;
  }

  /// The least e such that the known values of heaps from e on have the period p. @pre the newest
  /// values, as many as the largest move, have it
  [[nodiscard]] HeapSize least_preperiod(HeapSize p) const noexcept {
    HeapSize least = 0;
    for_words_before(empty_ + heaps_ - p, heaps_ - p, [&](HeapSize bit, std::uint64_t mask) {
      const std::uint64_t other = difference(bit, p) & mask;
      if (other == 0) return true;
      least = bit - empty_ + static_cast<HeapSize>(std::bit_width(other));
      return false;
    });
    return least;
  }

  [[nodiscard]] HeapSize zeros(HeapSize begin, HeapSize count) const noexcept {
    HeapSize zeros = 0;
    for_words_before(empty_ + begin + count, count, [&](HeapSize bit, std::uint64_t mask) {
      zeros += static_cast<HeapSize>(std::popcount(load(storage_.data(), bit) & mask));
      return true;
    });
    return zeros;
  }

  /// The largest value of all heaps so far.
  [[nodiscard]] std::uint8_t max_value() const noexcept {
    if (all_reached_) return kMoves;
    for (std::size_t v = kMoves; v-- > 1;) {
      bool occurs = false;
      for_words_before(empty_ + heaps_, heaps_, [&](HeapSize bit, std::uint64_t mask) {
        occurs = (load(storage_.data() + v * stride_, bit) & mask) != 0;
        return !occurs;
      });
      if (occurs) return static_cast<std::uint8_t>(v);
    }
    return 0;
  }

 private:
  /// Whether the newest values (as many as the largest move) also occurred p heaps before.
  [[nodiscard]] bool recurs(HeapSize p) const noexcept {
    return p + largest_ <= heaps_ && agree(empty_ + heaps_, largest_, p);
  }

  static constexpr HeapSize round_up(HeapSize bits) noexcept { return (bits + 63) / 64 * 64; }

  /// The bits at which the values of the word at `bit` differ, in any level set, from those p heaps
  /// later.
  [[nodiscard]] std::uint64_t difference(HeapSize bit, HeapSize p) const noexcept {
    std::uint64_t other = 0;
    for (std::size_t v = 0; v < kMoves; ++v) {
      const unsigned char* const level = storage_.data() + v * stride_;
      other |= load(level, bit) ^ load(level, bit + p);
    }
    return other;
  }

  /// Whether the `count` values before bit `end` also occurred p heaps before.
  [[nodiscard]] bool agree(HeapSize end, HeapSize count, HeapSize p) const noexcept {
    bool same = true;
    for_words_before(end - p, count, [&](HeapSize bit, std::uint64_t mask) {
      same = (difference(bit, p) & mask) == 0;
      return same;
    });
    return same;
  }

  /// Level sets lie one after another. They move apart when they grow.
  void make_room(HeapSize heaps) {
    const std::size_t wanted = (empty_ + heaps + kWord) / 8 + 2 * sizeof(std::uint64_t);
    if (heaps_ > 0 && wanted <= stride_) return;
    const std::size_t known = (empty_ + heaps_ + 7) / 8;
    if (storage_.size() < kMoves * wanted) storage_.resize(kMoves * wanted);
    if (heaps_ == 0) {
      for (std::size_t v = 0; v < kMoves; ++v) {
        std::memset(storage_.data() + v * wanted, 0, empty_ / 8 + sizeof(std::uint64_t));
      }
    } else {
      for (std::size_t v = kMoves; v-- > 1;) {
        std::memmove(storage_.data() + v * wanted, storage_.data() + v * stride_, known);
      }
    }
    stride_ = wanted;
  }

  std::vector<unsigned char>& storage_;
  std::array<HeapSize, kMoves> moves_{};
  HeapSize largest_;
  HeapSize empty_;            ///< number of bits before heap 0
  HeapSize word_ = 0;         ///< number of heaps that are computed together
  HeapSize heaps_ = 0;        ///< number of heaps computed so far
  std::size_t stride_ = 0;    ///< number of bytes of a level set
  bool all_reached_ = false;  ///< whether some heap has the value kMoves
};

}  // namespace

template <std::size_t kMoves>
SetPeriod SetPeriodSearch::find_of(std::span<const HeapSize> moves) {
  constexpr HeapSize kFirst = 8;  // most sets recur within this multiple of their largest move
  LevelSets<kMoves> levels(moves, levels_);
  for (HeapSize to = std::min(kFirst * moves.back() + kWord, last_ + 1);;
       to = std::min(2 * to, last_ + 1)) {
    levels.extend(to);
    if (const HeapSize p = levels.least_return(to > last_); p > 0) {
      const HeapSize e = levels.least_preperiod(p);
      return {.preperiod = static_cast<std::uint32_t>(e),
              .period = static_cast<std::uint32_t>(p),
              .zeros = static_cast<std::uint32_t>(levels.zeros(e, p)),
              .max_value = levels.max_value()};
    }
    if (to > last_) return {};
  }
}

SetPeriod SetPeriodSearch::find(std::span<const HeapSize> moves) {
  switch (moves.size()) {
    case 1:
      return find_of<1>(moves);
    case 2:
      return find_of<2>(moves);
    case 3:
      return find_of<3>(moves);
    case 4:
      return find_of<4>(moves);
    case 5:
      return find_of<5>(moves);
    case 6:
      return find_of<6>(moves);
    case 7:
      return find_of<7>(moves);
    default:
      return find_of<8>(moves);
  }
}

}  // namespace grundy::atlas
