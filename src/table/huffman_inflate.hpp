/// @file
/// Reads the zlib streams that ChunkCodec writes without a search for matches
/// (huffman_deflate.hpp).
///
/// Why by hand: in such a stream nearly every symbol is a letter, and a look-up with eleven bits
/// gives up to four letters at a time. This makes three times as many bytes a second as a general
/// decoder. The speed matters, because values that are read back, checked or resumed are decoded
/// more often than encoded. A general decoder reads all other streams, and says what is wrong with
/// a damaged one.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "table/huffman_deflate.hpp"

namespace grundy {

/// Holds scratch of one thread.
class HuffmanInflate {
 public:
  /// Decodes a zlib stream of stored blocks and of blocks of HuffmanCoder to exactly `out`. Returns
  /// false, with any content of `out`, for another or a damaged stream. Never reads or writes past
  /// the given bytes.
  [[nodiscard]] bool decode(std::span<const std::byte> stream, std::span<std::byte> out);

 private:
  static constexpr std::uint32_t kAsked = 11;     ///< bits of a look-up
  static constexpr std::uint32_t kMaxBits = 15;   ///< of a code word
  static constexpr std::size_t kMostLetters = 4;  ///< of an answer
  static constexpr std::uint16_t kLongWord = 0xFFFF;

  /// Some letters or, if there are none, one symbol that is no letter. All of it is one number,
  /// which is read at once:
  /// - bits 0 to 7: the number of bits of the letters or of the symbol, by which the input is
  ///   shifted before the next look-up
  /// - bits 8 to 15: the number of letters
  /// - bits 16 to 31: the symbol, or kLongWord if its code word is longer than a look-up
  /// - bits 32 to 63: the letters, the first one lowest
  struct Answer {
    std::uint64_t packed = 0;

    [[nodiscard]] std::uint32_t letters() const noexcept {
      return static_cast<std::uint32_t>(packed >> 32);
    }
    [[nodiscard]] std::uint32_t count() const noexcept { return packed >> 8 & 0xFF; }
    [[nodiscard]] std::uint32_t bits() const noexcept { return packed & 63; }
    [[nodiscard]] std::uint32_t symbol() const noexcept { return packed >> 16 & 0xFFFF; }
  };
  struct Input;
  struct Output;

  /// Reads the head of a block of HuffmanCoder; false if it is no such block.
  bool read_code(Input& in);
  bool make_code(const std::array<std::uint8_t, SymbolCounts::kSymbols>& lengths);
  /// Reads up to the end of the block.
  bool read_symbols(Input& in, Output& to);
  /// Reads one symbol that is no letter or has a long word. Sets `ends` at the end of the block.
  bool read_special(Input& in, Output& to, Answer answer, bool& ends) const;
  static bool read_stored(Input& in, Output& to);

  std::array<Answer, std::size_t{1} << kAsked> answers_;
  /// By the number of bits: the first code word, the place of its symbol, and the number of words.
  std::array<std::uint32_t, kMaxBits + 1> first_word_{}, first_place_{}, words_{};
  /// In the order of their code words.
  std::array<std::uint16_t, SymbolCounts::kSymbols> symbols_{};
};

}  // namespace grundy
