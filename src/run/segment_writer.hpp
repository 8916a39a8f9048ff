/// @file
/// A segment that grows under a temporary name.
///
/// It gets its name only after it is on the device.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <grundy/types.hpp>

#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"
#include "run/segment.hpp"
#include "run/value_chunks.hpp"

namespace grundy {

class SegmentWriter {
 public:
  /// `start`: a header without count and digests. If there is a segment of its number, it takes the
  /// place of that one when it is sealed.
  SegmentWriter(const std::filesystem::path& directory, SegmentHeader start);

  [[nodiscard]] const SegmentHeader& header() const noexcept { return header_; }
  /// Adds the next chunk. @pre it is whole or the last one. @throws Error(kFailure)
  void append(const ValueChunk& chunk);
  /// Makes it a state of the heaps from `begin` on: what was appended are these, or their newest
  /// values. @pre the text is not empty. @throws Error(kFailure)
  void end_state(HeapSize begin, const std::string& text);
  /// The segment as it is, unsealed, under its temporary name, with a chunk that is not whole yet
  /// behind the others, or null: to be read before the next append(), not kept.
  /// @throws Error(kFailure)
  Segment snapshot(const ValueChunk* unfinished);
  /// Completes it as the successor of `previous`, in order: header, sync, name, directory.
  /// @throws Error(kFailure); then the segment does not count
  Segment seal(const Digest128& previous);
  /// The same without a chunk that is not wholly in the file: for a device that is full. Nothing if
  /// no chunk is, of a state, and after a seal that has failed: what a device may have lost is not
  /// sealed. @throws Error(kFailure)
  std::optional<Segment> seal_whole_chunks(const Digest128& previous);

 private:
  void write(const ValueChunk& chunk);

  SegmentHeader header_;
  AtomicFile place_;
  Descriptor file_;
  std::vector<std::byte> buffer_;
  std::vector<std::uint64_t> hashes_;       ///< of the chunks in the file
  std::uint64_t end_ = kSegmentHeaderSize;  ///< of what belongs to the segment
  bool closing_ = false;                    ///< a seal was begun
};

}  // namespace grundy
