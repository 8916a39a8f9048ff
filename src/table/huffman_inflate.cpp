// SPDX-License-Identifier: MIT
#include "table/huffman_inflate.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <libdeflate.h>

namespace grundy {
namespace {

static_assert(std::endian::native == std::endian::little, "bits are read as they lie in memory");

constexpr std::uint32_t kEndOfWords = 256;  ///< the symbol that ends a block
constexpr std::uint32_t kFirstLength = 257;

/// The bits of a word in reverse order.
constexpr std::uint32_t turned(std::uint32_t word, std::uint32_t bits) noexcept {
  std::uint32_t out = 0;
  for (std::uint32_t i = 0; i < bits; ++i) out |= (word >> i & 1) << (bits - 1 - i);
  return out;
}

}  // namespace

struct HuffmanInflate::Input {
  const std::byte* at;
  const std::byte* end;
  std::uint64_t bits = 0;   ///< the next bits, the first one lowest, followed by zeros
  std::uint32_t count = 0;  ///< number of these bits, below 64

  /// Whether refill_fast() may be called.
  [[nodiscard]] bool has_words() const noexcept { return end - at >= 8; }
  /// Afterwards at least 56 bits are there. In place of the zeros behind them are some of the bits
  /// that come next.
  void refill_fast() noexcept {
    std::uint64_t next = 0;
    std::memcpy(&next, at, sizeof next);
    bits |= next << count;
    at += (63 - count) / 8;
    count |= 56;
  }
  /// Afterwards at least 56 bits are there, or all that are left.
  void refill() noexcept {
    if (has_words()) {
      refill_fast();
      clear_behind();
      return;
    }
    for (; count < 56 && at < end; count += 8) {
      bits |= std::to_integer<std::uint64_t>(*at++) << count;
    }
  }
  void clear_behind() noexcept { bits &= (std::uint64_t{1} << count) - 1; }
  /// @pre at least n bits are there
  void drop(std::uint32_t n) noexcept {
    bits >>= n;
    count -= n;
  }
  /// The next n bits, at most 32; false if there are fewer.
  bool take(std::uint32_t n, std::uint32_t& out) noexcept {
    if (count < n) refill();
    if (count < n) return false;
    out = static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << n) - 1));
    drop(n);
    return true;
  }
  /// Goes on at the next whole byte.
  void align() noexcept {
    drop(count % 8);
    at -= count / 8;
    bits = 0;
    count = 0;
  }
};

struct HuffmanInflate::Output {
  std::byte* at;
  std::byte* begin;
  std::byte* end;

  [[nodiscard]] std::size_t room() const noexcept { return static_cast<std::size_t>(end - at); }
};

bool HuffmanInflate::decode(std::span<const std::byte> stream, std::span<std::byte> out) {
  constexpr std::size_t kAround = 2 + 4;  // bytes that zlib puts around the blocks
  if (stream.size() < kAround || stream[0] != std::byte{0x78} || stream[1] != std::byte{0x01}) {
    return false;
  }
  Input in{stream.data() + 2, stream.data() + stream.size() - 4};
  Output to{out.data(), out.data(), out.data() + out.size()};
  for (std::uint32_t last = 0; last == 0;) {
    std::uint32_t kind = 0;
    if (!in.take(1, last) || !in.take(2, kind)) return false;
    if (kind == 0) {
      if (!read_stored(in, to)) return false;
    } else if (kind == 2) {
      if (!read_code(in) || !read_symbols(in, to)) return false;
    } else {
      // An empty block of the fixed code ends a stream.
      std::uint32_t word = 0;
      if (kind != 1 || last == 0 || !in.take(7, word) || word != 0) return false;
    }
  }
  in.align();
  if (in.at != in.end || to.at != to.end) return false;
  std::uint32_t check = 0;
  for (int i = 0; i < 4; ++i) check = check << 8 | std::to_integer<std::uint32_t>(in.end[i]);
  return check == libdeflate_adler32(1, out.data(), out.size());
}

bool HuffmanInflate::read_stored(Input& in, Output& to) {
  in.align();
  constexpr std::size_t kHead = 4;
  if (static_cast<std::size_t>(in.end - in.at) < kHead) return false;
  std::array<std::uint16_t, 2> length{};
  std::memcpy(length.data(), in.at, kHead);
  in.at += kHead;
  const std::size_t size = length[0];
  if (length[1] != (size ^ 0xFFFF) || static_cast<std::size_t>(in.end - in.at) < size ||
      to.room() < size) {
    return false;
  }
  if (size > 0) std::memcpy(to.at, in.at, size);
  to.at += size;
  in.at += size;
  return true;
}

bool HuffmanInflate::read_code(Input& in) {
  std::uint32_t number = 0;
  if (!in.take(5, number) || number != SymbolCounts::kSymbols - kFirstLength) return false;
  if (!in.take(5, number) || number != 0 || !in.take(4, number) || number != 15) return false;
  for (int i = 0; i < 19; ++i) {
    if (!in.take(3, number) || number != (i < 3 ? 0u : 4u)) return false;
  }
  std::array<std::uint8_t, SymbolCounts::kSymbols> lengths{};
  for (std::uint8_t& length : lengths) {
    if (!in.take(4, number)) return false;
    length = static_cast<std::uint8_t>(turned(number, 4));
  }
  return in.take(4, number) && turned(number, 4) == 1 && make_code(lengths);
}

bool HuffmanInflate::make_code(const std::array<std::uint8_t, SymbolCounts::kSymbols>& lengths) {
  words_.fill(0);
  for (const std::uint8_t length : lengths) ++words_[length];
  if (words_[0] > 0) return false;
  std::uint32_t word = 0;
  std::uint32_t place = 0;
  for (std::uint32_t bits = 1; bits <= kMaxBits; ++bits) {
    first_word_[bits] = word;
    first_place_[bits] = place;
    word = (word + words_[bits]) << 1;
    place += words_[bits];
    if (word > 2u << bits) return false;
  }
  if (word != 2u << kMaxBits) return false;  // not every word would have a meaning
  std::array<std::uint32_t, kMaxBits + 1> next = first_place_;
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    symbols_[next[lengths[s]]++] = static_cast<std::uint16_t>(s);
  }

  // The first word among the bits of a look-up.
  struct First {
    std::uint16_t symbol = kLongWord;
    std::uint8_t bits = 0;
  };
  std::array<First, std::size_t{1} << kAsked> first{};
  for (std::uint32_t bits = 1; bits <= kAsked; ++bits) {
    for (std::uint32_t i = 0; i < words_[bits]; ++i) {
      const First found{symbols_[first_place_[bits] + i], static_cast<std::uint8_t>(bits)};
      for (std::size_t at = turned(first_word_[bits] + i, bits); at < first.size();
           at += std::size_t{1} << bits) {
        first[at] = found;
      }
    }
  }
  for (std::size_t asked = 0; asked < first.size(); ++asked) {
    std::uint64_t letters = 0;
    std::uint64_t count = 0;
    std::uint32_t used = 0;
    for (; count < kMostLetters; ++count) {
      const First found = first[asked >> used];
      if (found.symbol >= SymbolCounts::kLiterals || used + found.bits > kAsked) break;
      letters |= std::uint64_t{found.symbol} << 8 * count;
      used += found.bits;
    }
    const std::uint64_t bits = count > 0 ? used : first[asked].bits;
    answers_[asked] = {bits | count << 8 | std::uint64_t{first[asked].symbol} << 16 |
                       letters << 32};
  }
  return true;
}

bool HuffmanInflate::read_symbols(Input& in, Output& to) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kAsked) - 1;
  constexpr std::size_t kAnswers = 5;
  static_assert(kAnswers * kAsked <= 56);
  for (bool ends = false; !ends;) {
    // Copies, which stay in registers during writes.
    Input ahead = in;
    std::byte* at = to.at;
    std::byte* const last = to.end - std::min(to.room(), kAnswers * kMostLetters);
    bool letters = true;
    while (letters && ahead.has_words() && at < last) {
      ahead.refill_fast();
      for (std::size_t i = 0; i < kAnswers; ++i) {
        const Answer answer = answers_[ahead.bits & kMask];
        letters = answer.count() > 0;
        if (!letters) break;
        const std::uint32_t four = answer.letters();
        std::memcpy(at, &four, sizeof four);
        at += answer.count();
        ahead.drop(answer.bits());
      }
    }
    in = ahead;
    to.at = at;
    in.clear_behind();
    in.refill();
    const Answer answer = answers_[in.bits & kMask];
    if (answer.count() == 0) {
      if (!read_special(in, to, answer, ends)) return false;
      continue;
    }
    // The end of the block comes after its letters, so the bits there belong to the stream.
    if (answer.bits() > in.count || answer.count() > to.room()) return false;
    const std::uint32_t some = answer.letters();
    std::memcpy(to.at, &some, answer.count());
    to.at += answer.count();
    in.drop(answer.bits());
  }
  return true;
}

bool HuffmanInflate::read_special(Input& in, Output& to, Answer answer, bool& ends) const {
  std::uint32_t symbol = answer.symbol();
  std::uint32_t bits = answer.bits();
  if (symbol == kLongWord) {
    std::uint32_t word = turned(static_cast<std::uint32_t>(in.bits & ((1u << kAsked) - 1)), kAsked);
    for (bits = kAsked + 1; bits <= kMaxBits; ++bits) {
      word = word << 1 | static_cast<std::uint32_t>(in.bits >> (bits - 1) & 1);
      if (word - first_word_[bits] < words_[bits]) break;
    }
    if (bits > kMaxBits) return false;
    symbol = symbols_[first_place_[bits] + word - first_word_[bits]];
  }
  if (bits > in.count) return false;
  in.drop(bits);
  if (symbol < kEndOfWords) {
    if (to.room() == 0) return false;
    *to.at++ = static_cast<std::byte>(symbol);
    return true;
  }
  if (symbol == kEndOfWords) {
    ends = true;
    return true;
  }
  // A match at distance 1, which takes one bit.
  const std::uint32_t code = symbol - kFirstLength;
  const std::uint32_t extra_bits = code < 8 || code == 28 ? 0 : code / 4 - 1;
  std::uint32_t extra = 0;
  std::uint32_t distance = 0;
  if (!in.take(extra_bits, extra) || !in.take(1, distance) || distance != 0) return false;
  const std::size_t length = code == 28 ? SymbolCounts::kLongest
                             : code < 8
                                 ? SymbolCounts::kShortest + code
                                 : SymbolCounts::kShortest + extra + ((4 + code % 4) << extra_bits);
  if (to.at == to.begin || to.room() < length) return false;
  std::memset(to.at, std::to_integer<int>(to.at[-1]), length);
  to.at += length;
  return true;
}

}  // namespace grundy
