/// @file
/// A segment that grows under a temporary name. It gets its name only when it is on the device.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include <grundy/types.hpp>

#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"
#include "core/digest.hpp"
#include "run/segment.hpp"
#include "run/value_chunks.hpp"

namespace grundy {

class SegmentWriter {
 public:
  /// @param start a header without count and digests. If a segment with its number exists, the new
  ///   one replaces it when it is sealed.
  SegmentWriter(const std::filesystem::path& directory, SegmentHeader start);

  [[nodiscard]] const SegmentHeader& header() const noexcept { return header_; }
  /// Adds the next chunk. @pre the chunk is whole or the last one. @throws Error(kFailure)
  void append(const ValueChunk& chunk);
  /// Adds to the text of a state. No value can be added after that. @throws Error(kFailure)
  void append_text(std::string_view text);
  /// Makes the segment a state of the heaps from `begin` on. The appended values are those of these
  /// heaps, or the newest of them. @pre there is a text
  void end_state(HeapSize begin) noexcept;
  /// The segment as it is, unsealed, under its temporary name. Read it before the next append(),
  /// and do not keep it.
  /// @param unfinished a chunk that is not whole yet, which is put behind the others; or null
  /// @throws Error(kFailure)
  Segment snapshot(const ValueChunk* unfinished);
  /// Completes the segment as the successor of `previous`, in this order: header, sync, name,
  /// directory.
  /// @throws Error(kFailure); the segment then does not count
  Segment seal(const Digest128& previous);
  /// Like seal(), for a full device: leaves out a chunk that is not wholly in the file. Returns
  /// nothing if no chunk is, for a state, and after a seal that has failed, because the device may
  /// have lost values. @throws Error(kFailure)
  std::optional<Segment> seal_whole_chunks(const Digest128& previous);

 private:
  std::uint64_t write(const ValueChunk& chunk);

  SegmentHeader header_;
  AtomicFile place_;
  Descriptor file_;
  std::vector<std::uint64_t> hashes_;       ///< of the chunks in the file
  std::uint64_t text_bytes_ = 0;            ///< of the text behind them
  SequentialDigest text_;                   ///< of the text
  std::uint64_t end_ = kSegmentHeaderSize;  ///< end of what belongs to the segment
  std::uint64_t written_back_ = 0;          ///< the device has begun to write the bytes before
  bool closing_ = false;                    ///< a seal has begun
};

}  // namespace grundy
