/// @file
/// Inner loops of the codec of tables (table/chunk_codec.hpp). Its Huffman codes
/// (huffman_deflate.hpp, huffman_inflate.hpp) have runs of *letters*, which are bytes with a code
/// word each, and values are encoded by *columns*: the lowest bytes of all of them, then the next
/// ones.
///
/// The loops over letters are plain C++ in every set; only the ends of runs are found by vectors.
/// They are kernels because they shift by numbers of bits that come from tables: this takes one
/// instruction with BMI2, and three without.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace grundy {

/// Code words of at most 15 bits one behind the other, the first one lowest.
struct LetterOutput {
  std::byte* at;
  std::uint64_t bits = 0;   ///< that are not yet written
  std::uint32_t count = 0;  ///< number of these bits, fewer than 8 between calls

  /// Writes the lowest `more` bits of `next`, whose other bits are 0. Touches 8 bytes.
  /// @pre more <= 57
  void put(std::uint64_t next, std::uint32_t more) noexcept {
    bits |= next << count;
    count += more;
    std::memcpy(at, &bits, sizeof bits);
    at += count / 8;
    bits >>= count & ~7u;
    count &= 7;
  }
};

/// The place in a stream of code words from which letters are read, and the place to which they are
/// written.
struct LetterInput {
  const std::byte* at;
  const std::byte* end;
  std::uint64_t bits = 0;   ///< the next bits, the first one lowest; those from `count` on are any
  std::uint32_t count = 0;  ///< number of these bits, below 64
  std::byte* out;
  std::byte* out_end;
};

/// The bits of the input that a look-up takes.
inline constexpr std::uint32_t kLookUpBits = 11;
/// The most letters that a look-up gives.
inline constexpr std::size_t kMostLetters = 4;

/// The streams that are read side by side: three are 1.2 times as fast as two, and as fast as four.
inline constexpr std::size_t kLetterParts = 3;

/// The most times that a look-up repeats the last letter.
inline constexpr std::size_t kMostRepeats = 32;

/// What a look-up gives: some letters, and how often the last letter before its end is repeated.
/// All of it is one number, which is read at once:
/// - bits 0 to 5: the number of bits of all this, by which the input is shifted
/// - bit 6: whether there are letters, and no repeats
/// - bit 7: whether there are repeats; the letter may be of an earlier look-up. If there are
/// neither
///   letters nor repeats, a loop ends
/// - bits 8 to 15: the number of letters
/// - bits 16 to 31: the number of repeats; without letters and repeats nothing that the loops use
/// - bits 32 to 63: the letters, the first one lowest
using LetterAnswer = std::uint64_t;
inline constexpr LetterAnswer kHasLetters = 64;
inline constexpr LetterAnswer kHasRepeats = 128;

/// The runs of a letter that have code words in a table: up to as many letters.
inline constexpr std::size_t kShortRun = 32;
/// The times that one code word repeats a letter.
inline constexpr std::size_t kLeastAgain = 3;
inline constexpr std::size_t kMostAgain = 258;

/// The code words of runs. Every entry has the number of its bits, at most 56, in its lowest byte,
/// and the bits above.
struct RunCodes {
  /// Entry kShortRun * letter + n: the letter, and n times again.
  const std::uint64_t* runs;
  /// Entry n: the letter before again n times, for kLeastAgain <= n <= kMostAgain.
  const std::uint64_t* again;
};

struct LetterKernels {
  /// Writes the code words of 4 * fours letters. Entry `second << 8 | first` of `pairs` has the
  /// number of bits of both code words in its lowest byte, and their bits above.
  void (*write_pairs)(const std::byte* letters, std::size_t fours, const std::uint64_t* pairs,
                      LetterOutput& to) noexcept;
  /// Writes the runs of `count` letters.
  void (*write_runs)(const std::byte* letters, std::size_t count, const RunCodes& codes,
                     LetterOutput& to) noexcept;
  /// Counts the code words that write_runs() would write: of letters by letter, of repeats by their
  /// number; entries of `again` below kLeastAgain have no meaning.
  void (*count_runs)(const std::byte* letters, std::size_t count, std::uint32_t* times,
                     std::uint32_t* again) noexcept;
  /// Reads letters and repeats until a look-up gives none, or either end is near: the input has
  /// fewer than 8 bytes more, or the output room for fewer than 180.
  /// @param answers 2^kLookUpBits, by the next bits of the input
  /// @pre a letter was read before
  void (*read)(const LetterAnswer* answers, LetterInput& in) noexcept;
  /// Reads letters of some streams side by side, until a look-up of one of them gives repeats or
  /// nothing, or an end is near. A look-up waits for the one before in its stream, so together they
  /// take little more time than one.
  void (*read_parts)(const LetterAnswer* answers,
                     const std::array<LetterInput*, kLetterParts>& streams) noexcept;

  /// Copies byte k of the i-th of `count` values to columns[k * count + i].
  /// @param width the bytes of a value: 2 or 4
  void (*to_columns)(const std::byte* values, std::size_t width, std::size_t count,
                     std::byte* columns) noexcept;
  /// The inverse.
  void (*from_columns)(const std::byte* columns, std::size_t width, std::size_t count,
                       std::byte* values) noexcept;

  /// The functions for one target (kernels/targets.hpp); null if there are none.
  static const LetterKernels* of_target(std::int64_t target) noexcept;
};

}  // namespace grundy
