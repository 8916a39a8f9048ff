/// @file
/// A table file while it is written: chunks of one width go in, compressed in worker threads.
///
/// Everything happens under a temporary name; whoever destroys the object before publish() leaves
/// nothing behind.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "store/atomic_file.hpp"
#include "store/chunk_codec.hpp"
#include "store/chunk_pipeline.hpp"
#include "store/h5.hpp"
#include "store/schema.hpp"

namespace grundy {

class ChunkFile {
 public:
  /// Creates the temporary file beside `target`. @throws Error(kUsage)
  ChunkFile(const std::filesystem::path& target, bool overwrite, ValueWidth width,
            HeapSize chunk_size, Executor& executor);

  [[nodiscard]] ValueWidth width() const noexcept { return frame_.values.width(); }
  [[nodiscard]] std::size_t chunk_bytes() const noexcept { return frame_.values.chunk_bytes(); }
  /// XXH3-64 of every chunk, taken when it was handed in.
  [[nodiscard]] const std::vector<std::uint64_t>& digests() const noexcept { return digests_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return place_.path(); }

  /// Takes the next chunk; `size` is the number of values of the table up to its end, which for
  /// the last chunk leaves out the padding. @throws Error(kFailure)
  void append(Bytes chunk, HeapSize size);
  /// Waits until every chunk is written.
  void drain() { pipeline_.drain(); }
  /// Hands every chunk to `consumer`, in order, decoded from what was written and verified.
  void replay(const std::function<void(const Bytes&)>& consumer);

  /// Writes the metadata, seals, closes and syncs. No chunks can follow.
  void complete(const Metadata& metadata);
  /// Gives the complete file its name.
  void publish() { place_.publish(); }

 private:
  void write(const Bytes& encoded);

  Executor& executor_;
  AtomicFile place_;
  h5::File file_;
  Frame frame_;
  ChunkCodec codec_;
  HeapSize size_ = 0;
  std::uint64_t written_ = 0;
  std::vector<std::uint64_t> digests_;
  ChunkPipeline pipeline_;
};

/// Decodes `count` chunks in parallel and hands them over in order.
/// @param read gives a chunk as it is on disk; called by this thread
/// @param decode called from several threads
void decode_in_order(Executor& executor, std::uint64_t count,
                     const std::function<Bytes(std::uint64_t)>& read,
                     const ChunkPipeline::Transform& decode,
                     const std::function<void(std::uint64_t, const Bytes&)>& consumer);

}  // namespace grundy
