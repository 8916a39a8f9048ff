/// @file
/// The header of a segment: which values, of which run, and their digest.
///
/// This version writes format 2: chunks, and for a state its text after them. Older runs have raw
/// values in format 1. README.md has the layouts.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/stats.hpp>
#include <grundy/types.hpp>

#include "core/digest.hpp"

namespace grundy {

/// What the header says.
struct SegmentHeader {
  std::uint64_t index = 0;  ///< place in the chain
  HeapSize begin = 0;
  HeapSize count = 0;
  ValueWidth width = ValueWidth::kU8;
  Digest128 fingerprint{};  ///< of the run, see run_record.hpp
  /// Chain digest of the segment before; for the first segment: the fingerprint.
  Digest128 previous{};
  Digest128 values{};  ///< of the values in the file, see SegmentDigest
  /// For a state: the number of its values, which end with the range. They may be all of it, or
  /// begin before it.
  HeapSize newest = 0;
  std::uint64_t text_bytes = 0;  ///< of the text of a state, behind the values
  Digest128 text{};              ///< digest of the text of a state
  std::string engine{};          ///< the engine of the values, at most 31 bytes
  std::string kernel{};          ///< the kernel, likewise
  /// Values of a chunk. Chunks end at multiples of this, and with the range. 0: values are raw.
  HeapSize chunk = 0;
  bool plain = false;  ///< chunks hold plain values, not their form in a table

  [[nodiscard]] HeapSize end() const noexcept { return begin + count; }
  [[nodiscard]] bool is_state() const noexcept { return text_bytes > 0; }
  /// Whether the file has all values of its range, and no others.
  [[nodiscard]] bool has_values() const noexcept { return stored() == count; }
  [[nodiscard]] bool is_raw() const noexcept { return chunk == 0; }
  /// The first value in the file, and the number of values in it.
  [[nodiscard]] HeapSize first() const noexcept { return end() - stored(); }
  [[nodiscard]] HeapSize stored() const noexcept { return is_state() ? newest : count; }
};

inline constexpr std::size_t kSegmentHeaderSize = 256;
using SegmentHeaderBytes = std::array<std::byte, kSegmentHeaderSize>;

/// The header as it lies in a file of `file_bytes` bytes.
SegmentHeaderBytes header_bytes(const SegmentHeader& header, std::uint64_t file_bytes);
/// The inverse. @throws Error(kCorrupt) that names `path` if it is no header of a file of that size
SegmentHeader parse_header(const SegmentHeaderBytes& bytes, const std::filesystem::path& path,
                           std::uint64_t file_bytes);

/// What a user can do without a segment whose header cannot be read.
inline constexpr std::string_view kWithoutSegment =
    "; without it and the segments after it the run can be resumed from the seal before it";

/// Adds values to a hash, as little-endian integers of `width`. @pre they fit
void hash_values(ByteHash& hash, Values values, ValueWidth width);

/// The digest of values in chunks, from the hashes of the chunks.
Digest128 digest_of_chunks(std::span<const std::uint64_t> hashes) noexcept;

/// The digest in the header of a segment with these values. For raw values it is the digest of all
/// of them in one piece; for chunks it is the digest of the XXH3-64 of each.
class SegmentDigest {
 public:
  explicit SegmentDigest(const SegmentHeader& header)
      : next_(header.first()), chunk_(header.chunk), width_(header.width) {}

  void update(Values values);
  /// The digest of everything so far; this ends the last chunk.
  [[nodiscard]] Digest128 value() const;

 private:
  HeapSize next_;
  HeapSize chunk_;
  ValueWidth width_;
  bool fit_ = true;
  SequentialDigest raw_;
  ByteHash unfinished_;  ///< values of the last chunk
  bool has_unfinished_ = false;
  std::vector<std::uint64_t> chunks_;
};

}  // namespace grundy
