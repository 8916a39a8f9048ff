// SPDX-License-Identifier: MIT
#include "table/huffman_inflate.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

#include <libdeflate.h>

namespace grundy {
namespace {

static_assert(std::endian::native == std::endian::little, "bits are read as they lie in memory");

constexpr std::uint32_t kEndOfWords = 256;  ///< the symbol that ends a block
constexpr std::uint32_t kFirstLength = 257;

/// What the symbol of a match says of its length.
struct MatchLength {
  explicit constexpr MatchLength(std::uint32_t symbol) noexcept {
    const std::uint32_t code = symbol - kFirstLength;
    if (code == 28) {
      least = SymbolCounts::kLongest;
    } else if (code < 8) {
      least = SymbolCounts::kShortest + code;
    } else {
      extra_bits = code / 4 - 1;
      least = SymbolCounts::kShortest + ((4 + code % 4) << extra_bits);
    }
  }
  std::uint32_t least = 0;       ///< the length, if the bits that follow are 0
  std::uint32_t extra_bits = 0;  ///< the number of these bits
};

/// The bits of a word in reverse order.
constexpr std::uint32_t turned(std::uint32_t word, std::uint32_t bits) noexcept {
  std::uint32_t out = 0;
  for (std::uint32_t i = 0; i < bits; ++i) out |= (word >> i & 1) << (bits - 1 - i);
  return out;
}

}  // namespace

/// A place in the stream, and the place to which it is decoded.
struct HuffmanInflate::Stream : LetterInput {
  std::byte* out_begin;  ///< matches do not reach further back

  [[nodiscard]] std::size_t left() const noexcept { return static_cast<std::size_t>(end - at); }
  [[nodiscard]] std::size_t room() const noexcept {
    return static_cast<std::size_t>(out_end - out);
  }
  /// Afterwards at least 56 bits are there, or all that are left. The bits behind them are zeros.
  void refill() noexcept {
    clear_behind();
    if (left() >= sizeof bits) {
      std::uint64_t next = 0;
      std::memcpy(&next, at, sizeof next);
      bits |= next << count;
      at += (63 - count) / 8;
      count |= 56;
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
  bool take(std::uint32_t n, std::uint32_t& to) noexcept {
    if (count < n) refill();
    if (count < n) return false;
    to = static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << n) - 1));
    drop(n);
    return true;
  }
  /// Repeats the last letter; false if there is none, or no room.
  bool repeat(std::size_t times) noexcept {
    if (out == out_begin || room() < times) return false;
    std::memset(out, std::to_integer<int>(out[-1]), times);
    out += times;
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

/// The blocks of a column.
struct HuffmanInflate::Parts {
  std::array<Stream, kLetterParts> of;
};

bool HuffmanInflate::decode(std::span<const std::byte> stream, std::span<std::byte> out,
                            std::size_t column) {
  constexpr std::size_t kAround = 2 + 4;  // bytes that zlib puts around the blocks
  if (stream.size() < kAround || stream[0] != std::byte{0x78} || stream[1] != std::byte{0x01}) {
    return false;
  }
  Stream in{{.at = stream.data() + 2,
             .end = stream.data() + stream.size() - 4,
             .out = out.data(),
             .out_end = out.data() + out.size()},
            out.data()};
  for (std::uint32_t last = 0; last == 0;) {
    std::uint32_t kind = 0;
    if (!in.take(1, last) || !in.take(2, kind)) return false;
    if (kind == 0) {
      if (!read_stored(in)) return false;
    } else if (kind == 2) {
      if (!read_code(in)) return false;
      // Blocks of two columns may have one code, too. Then the first one is longer than a part.
      if (std::optional<Parts> parts = parts_of(in, column); parts && read_parts(*parts)) {
        in = parts->of.back();
        in.out_begin = out.data();
        in.out_end = out.data() + out.size();
      } else if (!read_symbols(in)) {
        return false;
      }
    } else {
      // An empty block of the fixed code ends a stream.
      std::uint32_t word = 0;
      if (kind != 1 || last == 0 || !in.take(7, word) || word != 0) return false;
    }
  }
  in.align();
  if (in.at != in.end || in.room() > 0) return false;
  std::uint32_t check = 0;
  for (int i = 0; i < 4; ++i) check = check << 8 | std::to_integer<std::uint32_t>(in.end[i]);
  return check == libdeflate_adler32(1, out.data(), out.size());
}

bool HuffmanInflate::read_stored(Stream& in) {
  in.align();
  constexpr std::size_t kHead = 4;
  if (in.left() < kHead) return false;
  std::array<std::uint16_t, 2> length{};
  std::memcpy(length.data(), in.at, kHead);
  in.at += kHead;
  const std::size_t size = length[0];
  if (length[1] != (size ^ 0xFFFF) || in.left() < size || in.room() < size) return false;
  if (size > 0) std::memcpy(in.out, in.at, size);
  in.out += size;
  in.at += size;
  return true;
}

bool HuffmanInflate::read_code(Stream& in) {
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

  // What the next bits begin with, for each of the bits of a look-up: a number of bits, and above
  // these 8 bits a letter or a number of repeats. If there is none, it never fits.
  using Beginnings = std::array<std::uint32_t, std::size_t{1} << kLookUpBits>;
  constexpr std::uint32_t kNone = 2 * kLookUpBits;
  Beginnings letters, repeats;
  letters.fill(kNone);
  repeats.fill(kNone);
  answers_.fill(std::uint64_t{kLongWord} << 16);
  const auto set_all = [](auto& table, std::uint32_t bits, std::uint32_t size, auto entry) {
    for (std::size_t at = bits; at < table.size(); at += std::size_t{1} << size) table[at] = entry;
  };
  for (std::uint32_t size = 1; size <= kLookUpBits; ++size) {
    for (std::uint32_t i = 0; i < words_[size]; ++i) {
      const std::uint32_t bits = turned(first_word_[size] + i, size);
      const std::uint32_t symbol = symbols_[first_place_[size] + i];
      set_all(answers_, bits, size, LetterAnswer{symbol << 16 | size});
      if (symbol < SymbolCounts::kLiterals) set_all(letters, bits, size, symbol << 8 | size);
      if (symbol < kFirstLength) continue;
      // The bits of a match are those of its length, more of these, and a 0 for distance 1.
      const MatchLength length(symbol);
      const std::uint32_t all = size + length.extra_bits + 1;
      if (all > kLookUpBits) continue;
      for (std::uint32_t extra = 0;
           extra < 1u << length.extra_bits && length.least + extra <= kMostRepeats; ++extra) {
        set_all(repeats, bits | extra << size, all, (length.least + extra) << 8 | all);
      }
    }
  }
  // Without branches, because nobody can foresee how many letters there are.
  for (std::uint32_t asked = 0; asked < answers_.size(); ++asked) {
    std::uint32_t used = 0;
    const auto take = [&](const Beginnings& from) {
      const std::uint32_t what = from[asked >> used];
      const bool fits = used + (what & 0xFF) <= kLookUpBits;
      used += fits ? what & 0xFF : 0;
      return std::pair{fits, fits ? what >> 8 : 0};
    };
    std::uint64_t taken = 0;
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < kMostLetters; ++i) {
      const auto [fits, letter] = take(letters);
      taken |= std::uint64_t{letter} << 8 * i;
      count += fits ? 1 : 0;
    }
    const auto [repeated, times] = take(repeats);
    const LetterAnswer found = used | count << 8 | std::uint64_t{times} << 16 | taken << 32 |
                               (repeated ? kHasRepeats : kHasLetters);
    answers_[asked] = used > 0 ? found : answers_[asked];
  }
  return true;
}

bool HuffmanInflate::read_symbols(Stream& in) const {
  for (bool ends = false; !ends;) {
    if (in.out != in.out_begin) table_kernels().letters.read(answers_.data(), in);
    if (!read_next(in, ends)) return false;
  }
  return true;
}

std::optional<HuffmanInflate::Parts> HuffmanInflate::parts_of(const Stream& in,
                                                              std::size_t column) {
  constexpr std::size_t kHeadBytes = HuffmanCoder::kHeadBits / 8;
  constexpr std::uint32_t kBitsBehind = HuffmanCoder::kHeadBits % 8;
  constexpr auto& kLast = HuffmanCoder::kLastBytes;
  const std::size_t part = HuffmanCoder::part_of(column);
  const bool begins_at_byte = (in.count + HuffmanCoder::kHeadBits) % 8 == 0;
  if (part == column || in.room() < column || !begins_at_byte) return std::nullopt;
  // Parts have about as many bits, and later columns rarely more: none ends in this stretch.
  const std::size_t skipped = in.left() / (2 * kLetterParts * (in.room() / column));
  const std::byte* const head = in.at - (in.count + HuffmanCoder::kHeadBits) / 8;
  Parts parts;
  parts.of.fill(in);
  for (std::size_t i = 1; i < kLetterParts; ++i) {
    Stream& before = parts.of[i - 1];
    Stream& stream = parts.of[i];
    if (before.left() < skipped) return std::nullopt;
    const auto* const last = static_cast<const std::byte*>(
        memmem(before.at + skipped, before.left() - skipped, kLast.data(), kLast.size()));
    if (last == nullptr) return std::nullopt;
    stream.at = before.end = last + kLast.size();
    stream.count = 0;
    stream.bits = 0;
    stream.out = stream.out_begin = before.out_end = in.out + i * part;
    // All have the same head, and so the same code.
    if (stream.left() <= kHeadBytes || std::memcmp(head, stream.at, kHeadBytes) != 0 ||
        std::to_integer<std::uint32_t>((head[kHeadBytes] ^ stream.at[kHeadBytes])
                                       << (8 - kBitsBehind)) != 0) {
      return std::nullopt;
    }
    stream.at += kHeadBytes;
    stream.refill();
    stream.drop(kBitsBehind);
  }
  parts.of.back().out_end = in.out + column;
  return parts;
}

bool HuffmanInflate::read_parts(Parts& parts) const {
  std::array<bool, kLetterParts> ends{};
  std::array<LetterInput*, kLetterParts> inputs;
  std::ranges::transform(parts.of, inputs.begin(), [](Stream& stream) { return &stream; });
  while (std::ranges::none_of(ends, std::identity())) {
    table_kernels().letters.read_parts(answers_.data(), inputs);
    for (std::size_t i = 0; i < kLetterParts; ++i) {
      if (!read_next(parts.of[i], ends[i])) return false;
    }
  }
  for (std::size_t i = 0; i < kLetterParts; ++i) {
    Stream& in = parts.of[i];
    if ((!ends[i] && !read_symbols(in)) || in.room() > 0) return false;
    std::uint32_t kind = 0;
    if (i + 1 < kLetterParts &&
        (!in.take(3, kind) || kind != 0 || !read_stored(in) || in.at != in.end)) {
      return false;
    }
  }
  return true;
}

bool HuffmanInflate::read_next(Stream& in, bool& ends) const {
  in.refill();
  const LetterAnswer answer = answers_[in.bits & ((1u << kLookUpBits) - 1)];
  if ((answer & (kHasLetters | kHasRepeats)) == 0) return read_special(in, answer, ends);
  const std::uint32_t count = answer >> 8 & 0xFF;
  // The end of the block comes after its letters, so the bits there belong to the stream.
  const std::uint32_t bits = answer & 63;
  if (bits > in.count || count > in.room()) return false;
  const auto some = static_cast<std::uint32_t>(answer >> 32);
  std::memcpy(in.out, &some, count);
  in.out += count;
  in.drop(bits);
  return (answer & kHasRepeats) == 0 || in.repeat(answer >> 16 & 0xFFFF);
}

bool HuffmanInflate::read_special(Stream& in, LetterAnswer answer, bool& ends) const {
  std::uint32_t symbol = answer >> 16 & 0xFFFF;
  std::uint32_t bits = answer & 63;
  if (symbol == kLongWord) {
    std::uint32_t word =
        turned(static_cast<std::uint32_t>(in.bits & ((1u << kLookUpBits) - 1)), kLookUpBits);
    for (bits = kLookUpBits + 1; bits <= kMaxBits; ++bits) {
      word = word << 1 | static_cast<std::uint32_t>(in.bits >> (bits - 1) & 1);
      if (word - first_word_[bits] < words_[bits]) break;
    }
    if (bits > kMaxBits) return false;
    symbol = symbols_[first_place_[bits] + word - first_word_[bits]];
  }
  if (bits > in.count) return false;
  in.drop(bits);
  if (symbol < kEndOfWords) {
    if (in.room() == 0) return false;
    *in.out++ = static_cast<std::byte>(symbol);
    return true;
  }
  if (symbol == kEndOfWords) {
    ends = true;
    return true;
  }
  // A match at distance 1, which takes one bit.
  const MatchLength length(symbol);
  std::uint32_t extra = 0;
  std::uint32_t distance = 0;
  if (!in.take(length.extra_bits, extra) || !in.take(1, distance)) return false;
  return distance == 0 && in.repeat(length.least + extra);
}

}  // namespace grundy
