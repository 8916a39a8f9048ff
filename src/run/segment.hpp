/// @file
/// One sealed stretch of a run: a file that is written once. A state may be replaced by the next
/// one.
///
/// A segment is a header of 256 bytes and what it seals (README.md has the layouts). The header
/// names the run and the range. It holds three digests: of the values, taken when they come from
/// the engine, before any copy; of the header before it, so that segments form a chain; and of
/// itself. Values are sealed in chunks, encoded as in a table, so that a table is made by copying
/// them. Where a run keeps no values, a segment holds a *state* instead: the newest values alone,
/// and a text that says everything else on which later heaps depend.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/types.hpp>

#include "core/descriptor.hpp"
#include "core/digest.hpp"
#include "run/segment_header.hpp"
#include "table/chunk_codec.hpp"

namespace grundy {

/// A segment file and what its header says.
struct Segment {
  std::filesystem::path path;
  SegmentHeader header;
  Digest128 chain{};  ///< XXH3-128 of the header's bytes
};

/// `seg-0000000042.gseg`
std::string segment_name(std::uint64_t index);

/// The segment of a chain that has value n. @pre there is one
const Segment& segment_of(const std::vector<Segment>& segments, HeapSize n);

/// Reads and checks the header; the values are checked when they are read.
/// @throws Error(kCorrupt) if the file is no whole segment
Segment open_segment(const std::filesystem::path& path);

/// What stands before every chunk in the file.
struct ChunkHeader {
  std::uint64_t bytes = 0;  ///< of the chunk, encoded
  /// XXH3-64 of its values, little-endian, at the width of the segment.
  std::uint64_t values_xxh3 = 0;
  std::uint64_t encoded_xxh3 = 0;  ///< XXH3-64 of the encoded bytes
};

/// The values of one segment. Values in chunks are compared with their hashes whenever they are
/// read; raw values only by replay_segment().
class SegmentReader {
 public:
  /// @throws Error(kCorrupt) if the chunks do not have the digest of the segment
  explicit SegmentReader(Segment segment);

  [[nodiscard]] const Segment& segment() const noexcept { return segment_; }
  /// Copies the values of heaps begin .. begin + out.size() - 1.
  /// @pre the segment has them. @throws Error(kCorrupt) if they are damaged or cut short
  void read(HeapSize begin, std::span<Nimber> out);
  /// One value. Neighbours cost one read. @pre as read(). @throws as read()
  Nimber at(HeapSize n);

  /// A chunk, or some raw values.
  struct Piece {
    HeapSize begin = 0;
    Values values;  ///< valid until the next call

    [[nodiscard]] HeapSize end() const noexcept { return begin + values.size(); }
  };
  /// The piece with value n. @pre the segment has it. @throws as read()
  const Piece& piece_with(HeapSize n);

  /// A chunk as it is in the file.
  struct Encoded {
    std::uint64_t values_xxh3 = 0;
    Bytes bytes;
  };
  /// The chunk that begins with value n. @pre there is one. @throws as read()
  [[nodiscard]] Encoded encoded_at(HeapSize n) const;
  /// The end of the chunk that has value n.
  [[nodiscard]] HeapSize end_of_chunk(HeapSize n) const noexcept;

 private:
  void find_chunks();
  [[nodiscard]] std::size_t number_of(HeapSize n) const noexcept;
  [[noreturn]] void refuse(HeapSize begin, HeapSize end) const;

  struct Place {
    std::uint64_t offset = 0;  ///< of the encoded bytes
    ChunkHeader header;
  };

  Segment segment_;
  Descriptor file_;
  std::vector<Place> chunks_;  ///< empty for raw values
  ChunkCodec codec_;
  Bytes bytes_;  ///< of the piece
  Piece piece_;
};

/// Hands those values `from` .. `to` - 1 that the segment has to `sink`, in blocks that have been
/// compared with their digest. @throws Error(kCorrupt) if they do not match
Flow replay_segment(const Segment& segment, HeapSize from, HeapSize to, ValueSink& sink);

/// The text of a state, piece by piece.
class StateTextReader {
 public:
  /// Compares the whole text with its digest. @throws Error(kCorrupt) if it does not match
  explicit StateTextReader(const Segment& segment);

  /// The number of bytes that were not read yet.
  [[nodiscard]] std::uint64_t left() const noexcept { return end_ - at_; }
  /// Copies the next bytes. @throws Error(kCorrupt) if there are fewer, or the text was damaged
  /// meanwhile
  void read(std::span<std::byte> bytes);

 private:
  void fill();
  void check();
  [[noreturn]] void refuse() const;

  Segment segment_;
  Descriptor file_;
  std::uint64_t at_ = 0, end_;     ///< in the file: what was not handed over
  std::vector<std::byte> buffer_;  ///< read ahead
  std::size_t used_ = 0;           ///< bytes of the buffer that were handed over
  SequentialDigest digest_;        ///< of what was read
};

/// The whole text of a state. @throws Error(kCorrupt) if it does not match its digest
std::string read_state_text(const Segment& segment);

/// Compares all values with the digest. @throws Error(kCorrupt) if they do not match
void check_segment(const Segment& segment);

/// SegmentReader::read() for a single stretch.
void read_segment(const Segment& segment, HeapSize begin, std::span<Nimber> out);

/// Reads values of a chain. Neighbours cost one read. Segments stay open, so that their chunks are
/// found once.
class SegmentCursor {
 public:
  explicit SegmentCursor(std::vector<Segment> segments) : segments_(std::move(segments)) {}

  /// Goes on with the same chain, which has grown.
  void renew(std::vector<Segment> segments);
  /// @pre a segment has the value. @throws Error(kCorrupt) if it is damaged or cut short
  Nimber at(HeapSize n) { return reader_with(n).at(n); }
  /// Copies consecutive values. @pre segments have them. @throws as at()
  void read(HeapSize begin, std::span<Nimber> out);

 private:
  SegmentReader& reader_with(HeapSize n);

  std::vector<Segment> segments_;
  std::vector<std::unique_ptr<SegmentReader>> opened_;  ///< in the order of their last use
};

}  // namespace grundy
