/// @file
/// Turns values in their order into chunks in their form on disk, in worker threads.
///
/// A chunk ends at a multiple of its size, so that the chunks of heaps are the chunks of their
/// table. The hash of a chunk is taken while its values come, before they are copied. When the
/// chunk is whole, its copy is compared with the hash. So a bit that turns while a chunk waits for
/// its values is not sealed.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>

#include <grundy/machine.hpp>
#include <grundy/types.hpp>

#include "core/digest.hpp"
#include "run/segment_header.hpp"
#include "table/chunk_codec.hpp"
#include "table/chunk_pipeline.hpp"

namespace grundy {

/// Some consecutive values, encoded.
struct ValueChunk {
  HeapSize count = 0;
  std::uint64_t xxh3 = 0;  ///< XXH3-64 of the values as little-endian integers of their width
  const Bytes& encoded;
};

class ValueChunks {
 public:
  /// Called by the thread that calls put() and end(), in the order of the values.
  using Consumer = std::function<void(const ValueChunk& chunk)>;

  /// @param start the header of the segment that begins with the first value
  ValueChunks(Executor& executor, const SegmentHeader& start, Consumer consumer,
              Matches matches = Matches::kAllowed);

  [[nodiscard]] ValueWidth width() const noexcept { return width_; }
  /// Takes the next values. @pre they fit the width
  /// @throws Error(kFailure) if values have turned in memory; and what the consumer throws
  void put(Values values);
  /// Takes the next values as a whole chunk that is encoded already. @pre no chunk is begun
  /// @throws as put()
  void put_chunk(const ValueChunk& chunk);
  /// Ends the last chunk, and returns when all chunks are consumed. @throws as put()
  void end();
  /// Returns when all whole chunks are consumed. @throws as put()
  void drain() { pipeline_.drain(); }
  /// Hands the unfinished last chunk to `look`, as if it ended here; null if there is none.
  void with_unfinished(const std::function<void(const ValueChunk*)>& look);

 private:
  void end_chunk();
  /// The hash of the last chunk. @throws Error(kFailure) if it does not match its values
  [[nodiscard]] std::uint64_t checked_hash() const;

  struct Taken {
    HeapSize count;
    std::uint64_t xxh3;
  };

  ValueWidth width_;
  HeapSize chunk_;  ///< values of a whole chunk
  bool plain_;      ///< chunks are not encoded
  HeapSize next_;   ///< the number of the next value
  Consumer consumer_;
  ChunkCodec codec_;
  Bytes values_;       ///< values of the last chunk
  HeapSize used_ = 0;  ///< the number of these values
  ByteHash hash_;      ///< of the last chunk, taken before its values were copied
  std::deque<Taken> under_way_;
  ChunkPipeline pipeline_;
};

}  // namespace grundy
