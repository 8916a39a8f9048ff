/// @file
/// Ways to write bytes as blocks of a deflate stream (RFC 1951, section 3.2) behind one interface,
/// and two of them by hand, which do not search for matches.
///
/// Why by hand: bytes without repetitions that a general compressor could use are written as
/// letters at 1.7 to 3.0 GB/s on one core. At the same size ISA-L makes 0.3 to 0.4 and libdeflate
/// 0.1 to 0.25.
///
/// *Letters*: every byte is a letter of a Huffman code. Values of games without a period look like
/// this; matches save a few percent of them at most. Many letters are written as some blocks with
/// the same code, which a decoder can read side by side.
///
/// *Runs*: the high bytes of values whose low bytes are noise come in short runs. A run becomes its
/// byte and a match at distance 1 (or up to two more literals). A kernel finds the ends of runs by
/// vectors. The code is made for a sample, or for all runs if they are long. On Wythoff's game the
/// blocks are as long as those of libdeflate's level 1.
///
/// Every symbol has a code word, whether it occurs or not, which costs next to nothing.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/letter_kernels.hpp"

namespace grundy {

/// The kernels of this room. Results are the same in every set, so they need no choice of their
/// own.
const KernelSet& table_kernels();

/// The number of occurrences of each symbol of deflate in some bytes.
class SymbolCounts {
 public:
  static constexpr std::size_t kLiterals = 256;
  /// Literals, the end of the block, and lengths of matches.
  static constexpr std::size_t kSymbols = 286;
  static constexpr std::uint32_t kShortest = kLeastAgain;
  static constexpr std::uint32_t kLongest = kMostAgain;  ///< lengths of a match

  void add_literal(std::byte literal, std::uint32_t times = 1) noexcept {
    symbols_[std::to_integer<std::size_t>(literal)] += times;
  }
  /// @pre kShortest <= length <= kLongest, 1 <= distance <= 2^15
  void add_match(std::uint32_t length, std::uint32_t distance, std::uint32_t times = 1) noexcept;

  [[nodiscard]] std::uint32_t operator[](std::size_t symbol) const noexcept {
    return symbols_[symbol];
  }
  /// The approximate number of bits of all symbols in their best code.
  [[nodiscard]] double bits() const noexcept;

 private:
  std::array<std::uint32_t, kSymbols> symbols_{};
  std::array<std::uint32_t, 30> distances_{};
  std::uint64_t extra_bits_ = 0;  ///< bits that follow lengths and distances
};

/// One way to write bytes. Holds scratch of one thread.
class BlockCoder {
 public:
  /// The most bytes of output that write() may touch.
  static constexpr std::size_t bound(std::size_t size) noexcept { return 2 * size + 256; }

  virtual ~BlockCoder() = default;
  /// Adds the symbols for `bytes` from number `begin` on, or for a sample of them. The decoder
  /// knows the bytes before.
  virtual void count(std::span<const std::byte> bytes, std::size_t begin, SymbolCounts& seen) = 0;
  /// Writes `bytes` as blocks that begin and end at a byte; returns their length.
  /// @pre bytes are fewer than 2^28, and `out` has room for bound() of them
  virtual std::size_t write(std::span<const std::byte> bytes, std::byte* out) = 0;
};

/// One block, or some parts, with one Huffman code. No block ends the stream.
class HuffmanCoder : public BlockCoder {
 public:
  /// The bits of a block before those of its symbols.
  static constexpr std::size_t kHeadBits = 3 + 14 + 19 * 3 + 4 * (SymbolCounts::kSymbols + 1);
  /// The last bytes of a block. The next one begins behind them.
  static constexpr std::array kLastBytes = {std::byte{0x00}, std::byte{0x00}, std::byte{0xFF},
                                            std::byte{0xFF}};
  /// The bytes in each block if `size` bytes are written in parts. The last block has the rest, and
  /// few bytes are one block.
  static constexpr std::size_t part_of(std::size_t size) noexcept {
    constexpr std::size_t kLeast = std::size_t{1} << 14;  // another head is 1 % of it
    return size < kLeast ? size : size / kLetterParts;
  }

  std::size_t write(std::span<const std::byte> bytes, std::byte* out) final;

 protected:
  explicit HuffmanCoder(bool in_parts) : in_parts_(in_parts) {}
  /// Some bits of the stream, the first one lowest.
  struct Bits {
    std::uint64_t bits = 0;
    std::uint32_t count = 0;
    void append(const Bits& next) noexcept {
      bits |= next.bits << count;
      count += next.count;
    }
    /// As an entry of the tables of kernels.
    [[nodiscard]] std::uint64_t entry() const noexcept { return bits << 8 | count; }
  };
  /// The place to which bits are written.
  struct Output : LetterOutput {
    using LetterOutput::put;
    void put(const Bits& next) noexcept { put(next.bits, next.count); }
  };
  static constexpr std::uint32_t kMaxBits = 15;  ///< of a code word

  /// The code word of a symbol, as it stands in the stream.
  [[nodiscard]] const Bits& code(std::size_t symbol) const noexcept { return code_[symbol]; }

 private:
  /// Makes what put() needs of the code. `bytes` are those of all blocks.
  virtual void make_tables(std::span<const std::byte> bytes) = 0;
  /// Writes the symbols of the bytes of a block.
  virtual void put(std::span<const std::byte> bytes, Output& to) = 0;

  void write_block(std::span<const std::byte> bytes, Output& to);
  void write_header(Output& to) const noexcept;
  void make_code(const SymbolCounts& seen);

  bool in_parts_;
  std::array<std::uint8_t, SymbolCounts::kSymbols> length_{};  ///< of the code word of a symbol
  std::array<Bits, SymbolCounts::kSymbols> code_{};
};

class LetterCoder final : public HuffmanCoder {
 public:
  LetterCoder() : HuffmanCoder(true), pairs_(kLetters * kLetters) {}
  void count(std::span<const std::byte> bytes, std::size_t begin, SymbolCounts& seen) override;

 private:
  static constexpr std::size_t kLetters = SymbolCounts::kLiterals;

  void make_tables(std::span<const std::byte> bytes) override;
  void put(std::span<const std::byte> bytes, Output& to) override;

  /// For LetterKernels::write_pairs(): the pairs of letters up to the largest one.
  std::vector<std::uint64_t> pairs_;
  bool has_pairs_ = false;  ///< the letters are small, so their pairs were made
};

class RunCoder final : public HuffmanCoder {
 public:
  RunCoder() : HuffmanCoder(false), runs_(kShortRun * SymbolCounts::kLiterals) {}
  void count(std::span<const std::byte> bytes, std::size_t begin, SymbolCounts& seen) override;

 private:
  void make_tables(std::span<const std::byte> bytes) override;
  void put(std::span<const std::byte> bytes, Output& to) override;

  /// For LetterKernels::write_runs(): the runs of letters up to the largest one.
  std::vector<std::uint64_t> runs_;
  std::array<std::uint64_t, kMostAgain + 1> again_{};
};

}  // namespace grundy
