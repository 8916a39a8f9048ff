/// @file
/// Reads the zlib streams that ChunkCodec writes without a search for matches
/// (huffman_deflate.hpp).
///
/// Why by hand: in such a stream nearly every symbol is a letter or repeats one, and a look-up with
/// eleven bits gives up to four letters and a short match at a time. This makes three times as many
/// bytes a second as a general decoder. Letters in several blocks are read side by side, which is
/// faster: the ends of the blocks are sought by their last bytes. The speed matters, because values
/// that are read back, checked or resumed are decoded more often than encoded. A general decoder
/// reads all other streams, and says what is wrong with a damaged one.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/letter_kernels.hpp"
#include "table/huffman_deflate.hpp"

namespace grundy {

/// Holds scratch of one thread.
class HuffmanInflate {
 public:
  /// Decodes a zlib stream of stored blocks and of blocks of HuffmanCoder to exactly `out`. Returns
  /// false, with any content of `out`, for another or a damaged stream. Never reads or writes past
  /// the given bytes.
  /// @param column the bytes that the coder was given at a time
  [[nodiscard]] bool decode(std::span<const std::byte> stream, std::span<std::byte> out,
                            std::size_t column);

 private:
  static constexpr std::uint32_t kMaxBits = 15;  ///< of a code word
  static constexpr std::uint16_t kLongWord = 0xFFFF;

  struct Stream;
  struct Parts;

  /// Reads the head of a block of HuffmanCoder; false if it is no such block.
  bool read_code(Stream& in);
  bool make_code(const std::array<std::uint8_t, SymbolCounts::kSymbols>& lengths);
  /// Reads up to the end of the block.
  bool read_symbols(Stream& in) const;
  /// The parts of a column, if the block whose code was read from `in` may be the first one.
  static std::optional<Parts> parts_of(const Stream& in, std::size_t column);
  /// Reads all parts up to their ends; false if they are none.
  bool read_parts(Parts& parts) const;
  /// Makes a look-up, and reads what it gives. Sets `ends` at the end of the block.
  bool read_next(Stream& in, bool& ends) const;
  /// Reads one symbol that is no letter or has a long word.
  bool read_special(Stream& in, LetterAnswer answer, bool& ends) const;
  static bool read_stored(Stream& in);

  /// Where an answer has no letters and no repeats, its number of bits is that of one symbol, and
  /// its bits 16 to 31 are the symbol, or kLongWord if its code word is longer than a look-up.
  std::array<LetterAnswer, std::size_t{1} << kLookUpBits> answers_;
  /// By the number of bits: the first code word, the place of its symbol, and the number of words.
  std::array<std::uint32_t, kMaxBits + 1> first_word_{}, first_place_{}, words_{};
  /// In the order of their code words.
  std::array<std::uint16_t, SymbolCounts::kSymbols> symbols_{};
};

}  // namespace grundy
