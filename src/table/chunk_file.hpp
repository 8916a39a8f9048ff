/// @file
/// A table file while it is written: takes chunks of one width, and compresses them in threads.
///
/// The file has a temporary name until publish(). Without publish() the destructor removes it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <grundy/sink.hpp>

#include "core/atomic_file.hpp"
#include "table/chunk_codec.hpp"
#include "table/chunk_pipeline.hpp"
#include "table/h5.hpp"
#include "table/schema.hpp"

namespace grundy {

class ChunkFile {
 public:
  /// kStop: no more chunks are needed.
  using Consumer = std::function<Flow(std::uint64_t index, const Bytes& chunk)>;

  /// Creates the temporary file. @throws Error(kFailure)
  ChunkFile(AtomicFile place, ValueWidth width, const ChunkGrid& grid, Executor& executor);

  [[nodiscard]] ValueWidth width() const noexcept { return frame_.values.width(); }
  [[nodiscard]] const ChunkGrid& grid() const noexcept { return frame_.values.grid(); }
  [[nodiscard]] std::size_t chunk_bytes() const noexcept { return frame_.values.chunk_bytes(); }
  /// XXH3-64 of every chunk, by its number; taken when the chunk was handed in.
  [[nodiscard]] const std::vector<std::uint64_t>& digests() const noexcept { return digests_; }
  /// The number of chunks that were handed in.
  [[nodiscard]] std::uint64_t taken() const noexcept { return order_.size(); }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return place_.path(); }

  /// A buffer for a chunk, with any content.
  [[nodiscard]] Bytes take_buffer() { return codec_.buffers().take(chunk_bytes()); }
  /// Takes a chunk; each comes once, in any order. @throws Error(kFailure)
  void put(std::uint64_t index, Bytes chunk);
  /// The same for a chunk in its form on disk. @param digest XXH3-64 of its decoded bytes
  void put_encoded(std::uint64_t index, std::uint64_t digest, const Bytes& encoded);
  /// Reads every chunk back, in the order in which the chunks came, and hands it to `consumer`,
  /// decoded and verified.
  void replay(const Consumer& consumer);
  /// Waits until every chunk is written, and drops all chunks from the page cache. Later reads come
  /// from the device.
  void sync();
  /// Hands all chunks to `consumer`, in the order of their numbers, decoded and verified, until it
  /// returns kStop. Returns its last answer. @pre all chunks are written
  Flow read(const Consumer& consumer);

  /// Writes the metadata, seals, closes and syncs. No chunks can follow.
  void complete(const Metadata& metadata);
  /// Gives the complete file its name.
  void publish() { place_.publish(); }

 private:
  void write(const Bytes& encoded);
  Flow read(std::span<const std::uint64_t> chunks, const Consumer& consumer);

  Executor& executor_;
  AtomicFile place_;
  h5::File file_;
  Frame frame_;
  ChunkCodec codec_;
  std::vector<std::uint64_t> order_;  ///< numbers of the chunks, as they came
  std::size_t in_file_ = 0;           ///< the number of chunks in the file
  std::size_t unwritten_ = 0;         ///< bytes since the device began to write
  std::vector<std::uint64_t> digests_;
  ChunkPipeline pipeline_;
};

/// Decodes `count` chunks in parallel and hands them over in order, until `consumer` returns kStop.
/// Returns its last answer.
/// @param buffers the buffers of the codec that decodes
/// @param read gives the i-th chunk as it is on disk; called by this thread
/// @param decode called from several threads
Flow decode_in_order(Executor& executor, ChunkBuffers& buffers, std::uint64_t count,
                     const std::function<Bytes(std::uint64_t)>& read,
                     const ChunkPipeline::Transform& decode, const ChunkFile::Consumer& consumer);

}  // namespace grundy
