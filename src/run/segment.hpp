/// @file
/// One sealed stretch of a run: a file that is written once, then never changed.
///
/// A segment is a header of 256 bytes and raw little-endian values (README.md has the layout). The
/// header names the run and the range. A segment holds the values of its range. Where a run keeps
/// no values, it holds a *state* instead: the newest values, and a text that says all else that the
/// heaps after it depend on. It holds the digest of the values, which is taken when they
/// come from the engine, before any copy; the digest of the header before it, so that segments form
/// a chain; and a digest of itself. A segment gets its name only after it is on the device.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"
#include "core/digest.hpp"

namespace grundy {

/// What the header says.
struct SegmentHeader {
  std::uint64_t index = 0;  ///< place in the chain
  HeapSize begin = 0;
  HeapSize count = 0;
  ValueWidth width = ValueWidth::kU8;
  Digest128 fingerprint{};  ///< of the run, see run_record.hpp
  Digest128 previous{};     ///< chain digest of the segment before; of the first: the fingerprint
  Digest128 values{};       ///< of the values in the file, whatever their width
  /// Of a state: how many values there are, which end with the range and may begin before it.
  HeapSize newest = 0;
  std::uint64_t text_bytes = 0;  ///< of a state: behind the values
  Digest128 text{};              ///< of a state
  std::string engine;            ///< what computed them, at most 31 bytes
  std::string kernel;            ///< likewise

  [[nodiscard]] HeapSize end() const noexcept { return begin + count; }
  [[nodiscard]] bool is_state() const noexcept { return text_bytes > 0; }
  /// The first value in the file, and how many there are.
  [[nodiscard]] HeapSize first() const noexcept { return end() - stored(); }
  [[nodiscard]] HeapSize stored() const noexcept { return is_state() ? newest : count; }
};

/// A segment file and what its header says.
struct Segment {
  std::filesystem::path path;
  SegmentHeader header;
  Digest128 chain{};  ///< XXH3-128 of the header's bytes
};

/// `seg-0000000042.gseg`
std::string segment_name(std::uint64_t index);

/// The segment of a chain that has value n. @pre one has
const Segment& segment_of(const std::vector<Segment>& segments, HeapSize n);

/// Reads and checks the header; the values are checked by replay_segment().
/// @throws Error(kCorrupt) for anything that is no whole segment
Segment open_segment(const std::filesystem::path& path);

/// Hands the values of heaps from `from` on to `sink`, in blocks, and compares all values of the
/// segment with its digest. @throws Error(kCorrupt) if they do not match
Flow replay_segment(const Segment& segment, HeapSize from, ValueSink& sink);

/// The text of a state, compared with its digest. @throws Error(kCorrupt) if it does not match
std::string read_state_text(const Segment& segment);

/// Compares all values with the digest. @throws Error(kCorrupt) if they do not match
void check_segment(const Segment& segment);

/// Copies the values of heaps begin .. begin + out.size() - 1, as they are in the file now.
/// @pre the segment has them. @throws Error(kCorrupt) if the file is cut short
void read_segment(const Segment& segment, HeapSize begin, std::span<Nimber> out);

/// Reads single values of a chain, as they are in the files now. Neighbours cost one read.
class SegmentCursor {
 public:
  explicit SegmentCursor(std::vector<Segment> segments) : segments_(std::move(segments)) {}

  /// @pre a segment has the value. @throws Error(kCorrupt) if its file is cut short
  Nimber at(HeapSize n);

 private:
  std::vector<Segment> segments_;
  const Segment* opened_ = nullptr;
  Descriptor file_;
  HeapSize begin_ = 0;  ///< of what was read last
  std::vector<Nimber> read_;
};

/// A segment that grows under a temporary name.
class SegmentWriter {
 public:
  /// `start`: a header without count and digests. That of a state has the count.
  SegmentWriter(const std::filesystem::path& directory, SegmentHeader start);

  [[nodiscard]] const SegmentHeader& header() const noexcept { return header_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return header_.count * byte_count(header_.width);
  }
  /// @pre the values fit the width. @throws Error(kFailure)
  void append(Values values);
  /// Makes it a state: these are its values, and the text is not empty. @pre nothing was appended
  /// @throws Error(kFailure)
  void put_state(Values newest, const std::string& text);
  /// The segment as it is, unsealed, under its temporary name: to be read, not kept.
  Segment snapshot();
  /// Completes it as the successor of `previous`, in order: header, sync, name, directory.
  /// @throws Error(kFailure); then the segment does not count
  Segment seal(const Digest128& previous);
  /// The same without the values that are not in the file as whole buffers of 1 MiB: for a device
  /// that is full. Nothing if none are left, of a state, and after a seal that failed when its
  /// values were written: what a device may have lost is not sealed. @throws Error(kFailure)
  std::optional<Segment> seal_whole_buffers(const Digest128& previous);

 private:
  Segment close(const Digest128& previous, const Digest128& values);
  void write(Values values);
  void flush();

  SegmentHeader header_;
  AtomicFile place_;
  Descriptor file_;
  SequentialDigest digest_;
  std::vector<std::byte> buffer_;
  std::uint64_t written_ = 0;  ///< bytes in the file, without the header
  std::uint64_t whole_ = 0;    ///< those of whole buffers,
  Digest128 whole_digest_{};   ///< and the digest of their values
  bool closing_ = false;       ///< all values were written
};

}  // namespace grundy
