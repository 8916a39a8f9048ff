/// @file
/// Digests of values: XXH3-128 over 32-bit little-endian integers, so that a digest depends on the
/// values and not on their stored width. The digest of a table is made from the digests of its
/// sections. Values are digested in one piece in sealed segments, in rows of a table of positions,
/// and in tables of format 1.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// XXH3-128 of a sequence of Grundy values, or of bytes, in one piece, which grows block by block.
class SequentialDigest {
 public:
  SequentialDigest();
  ~SequentialDigest();
  SequentialDigest(SequentialDigest&&) noexcept;
  SequentialDigest& operator=(SequentialDigest&&) noexcept;

  void update(Values values) noexcept;
  void update(std::span<const std::byte> bytes) noexcept;
  /// The digest of everything so far; more may follow.
  [[nodiscard]] Digest128 value() const noexcept;
  /// Begins anew.
  void reset() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3-64 of bytes that come piece by piece; it equals hash64() of all of them.
class ByteHash {
 public:
  ByteHash();
  ~ByteHash();
  ByteHash(ByteHash&&) noexcept;
  ByteHash& operator=(ByteHash&&) noexcept;

  void update(std::span<const std::byte> bytes) noexcept;
  /// The hash of everything so far; more may follow.
  [[nodiscard]] std::uint64_t value() const noexcept;
  /// Begins anew.
  void reset() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of a table, which is made from the digests of its sections (kDigestSection) and grows
/// block by block. Its state has a constant size, and can be stored and resumed.
class ValueDigest {
 public:
  ValueDigest() = default;
  /// The digest of `count` values, to which more may be added.
  /// @param whole_sections the result of whole_sections() for these values
  /// @param unfinished the values behind the last whole section
  /// @throws Error(kCorrupt) if `unfinished` does not have the size that follows from `count`
  static ValueDigest resume(std::uint64_t count, const Digest128& whole_sections,
                            Values unfinished);

  void update(Values values) noexcept;
  /// The digest of everything so far; more may follow.
  [[nodiscard]] Digest128 value() const noexcept;
  /// The digest of all whole sections so far; zeros if there is none.
  [[nodiscard]] const Digest128& whole_sections() const noexcept { return whole_sections_; }

 private:
  /// The digest of the whole sections with one more section.
  [[nodiscard]] Digest128 with_section(const Digest128& section) const noexcept;

  std::uint64_t count_ = 0;
  Digest128 whole_sections_{};
  SequentialDigest unfinished_;  ///< of the values behind the whole sections
};

/// The digest of a table from the digests of its sections, in their order. @pre there is one
Digest128 digest_of_sections(std::span<const Digest128> sections) noexcept;

/// XXH3-128 of a table of positions: the words of all keys (low half first), then all values, then
/// all misère values, each as a 32-bit little-endian integer.
Digest128 rows_digest(std::span<const std::uint64_t> keys, std::span<const Nimber> values,
                      std::span<const Nimber> misere) noexcept;

/// XXH3-64 (seed 0) of raw bytes.
std::uint64_t hash64(std::span<const std::byte> bytes) noexcept;

/// XXH3-64 (seed 0) of the next `count` bytes of a stream, which are read piece by piece. If the
/// stream has fewer bytes, it is left in its failed state.
std::uint64_t hash64(std::istream& in, std::uint64_t count);

/// XXH3-128 (seed 0) of raw bytes.
Digest128 hash128(std::span<const std::byte> bytes) noexcept;

/// The `x`-th of a sequence of random numbers: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
constexpr std::uint64_t scrambled(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// 32 lower-case hexadecimal digits.
std::string to_hex(const Digest128& digest);
/// The inverse of to_hex(). @throws Error(kCorrupt) if `text` is anything else
Digest128 digest_from_hex(std::string_view text);

}  // namespace grundy
