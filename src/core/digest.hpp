/// @file
/// Digests of values: XXH3-128 over 32-bit little-endian integers, so that a digest depends on the
/// values and not on the width in which they happen to be stored.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Streaming XXH3-128 of a sequence of Grundy values.
class ValueDigest {
 public:
  ValueDigest();
  ~ValueDigest();
  ValueDigest(ValueDigest&&) noexcept;
  ValueDigest& operator=(ValueDigest&&) noexcept;

  void update(Values values) noexcept;
  /// The digest of everything so far; more may follow.
  [[nodiscard]] Digest128 value() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3-128 of a table of positions: the words of all keys (low half first), then all values, then
/// all misère values, each as a 32-bit little-endian integer.
Digest128 rows_digest(std::span<const std::uint64_t> keys, std::span<const Nimber> values,
                      std::span<const Nimber> misere) noexcept;

/// XXH3-64 (seed 0) of raw bytes.
std::uint64_t hash64(std::span<const std::byte> bytes) noexcept;

/// XXH3-64 (seed 0) of the next `count` bytes of a stream, which are read piece by piece. If there
/// are fewer, the stream is left in its failed state.
std::uint64_t hash64(std::istream& in, std::uint64_t count);

/// XXH3-128 (seed 0) of raw bytes.
Digest128 hash128(std::span<const std::byte> bytes) noexcept;

/// 32 lower-case hexadecimal digits.
std::string to_hex(const Digest128& digest);
/// The inverse of to_hex(). @throws Error(kCorrupt) if `text` is anything else
Digest128 digest_from_hex(std::string_view text);

}  // namespace grundy
