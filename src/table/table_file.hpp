/// @file
/// An opened and validated file with the values of a table or of one of its parts: metadata in
/// memory, values chunk by chunk.
///
/// Opening trusts nothing. It first checks kind, version, completeness and the seal over all
/// metadata (file_kind.hpp), then every field against its type, its range and the other fields.
/// Each chunk of values is checked when it is decoded.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <grundy/machine.hpp>
#include <grundy/sink.hpp>

#include "table/chunk_codec.hpp"
#include "table/file_kind.hpp"
#include "table/schema.hpp"
#include "table/seal.hpp"

namespace grundy {

/// A chunk of a table of one heap as it is in the file, and its values.
struct StoredChunk {
  HeapSize begin = 0;      ///< the heap of its first value
  std::uint64_t xxh3 = 0;  ///< digest of the decoded bytes, padding included
  const Bytes& encoded;
  Values values;  ///< without the padding
};

class TableFile {
 public:
  /// @param kind a table or a part
  /// @throws Error(kCorrupt), or kUsage if there is no such file or it cannot be opened
  explicit TableFile(const std::filesystem::path& path, FileKind kind = FileKind::kTable);

  [[nodiscard]] const std::string& path() const noexcept { return frame_.values.context().path; }
  /// The metadata of the file, with `info` and the layout of the whole table (schema.hpp).
  [[nodiscard]] const Metadata& metadata() const noexcept { return metadata_; }
  [[nodiscard]] const TableInfo& info() const noexcept { return metadata_.info; }
  [[nodiscard]] ValueWidth width() const noexcept { return frame_.values.width(); }
  [[nodiscard]] const ChunkGrid& grid() const noexcept { return frame_.values.grid(); }
  [[nodiscard]] HeapSize chunk_size() const noexcept { return grid().chunk_size(); }
  /// XXH3-64 of every decoded chunk.
  [[nodiscard]] const std::vector<std::uint64_t>& chunk_digests() const noexcept {
    return metadata_.chunk_digests;
  }
  [[nodiscard]] std::uint64_t chunk_count() const noexcept {
    return metadata_.chunk_digests.size();
  }

  /// The seal of the file. It tells files with different metadata or values apart.
  [[nodiscard]] std::uint64_t seal() const { return seal_of(frame_.integrity); }
  /// The listed P-positions of a lattice table. @throws Error(kCorrupt)
  [[nodiscard]] std::vector<std::uint64_t> p_positions() const {
    return read_p_positions(frame_.root, info().layout);
  }

  /// The state from which an extension of a table of one heap goes on: a text of the room
  /// `session`. Empty if there is none. @throws Error(kCorrupt)
  [[nodiscard]] std::string extension_state() const { return read_extension_state(frame_.root); }

  /// Hands the chunks of a table of one heap to `take`, in their order, each compared with its
  /// digest. Threads decode; this thread calls `take`. @throws Error(kCorrupt)
  Flow scan(Executor& executor, const std::function<Flow(const StoredChunk&)>& take) const;

  /// A chunk as it is on disk. One thread at a time reads; others wait.
  [[nodiscard]] Bytes read_encoded(std::uint64_t chunk) const {
    return frame_.values.read_chunk(chunk);
  }
  /// Decodes a chunk, in any number of threads at a time. @throws Error(kCorrupt)
  [[nodiscard]] Bytes decode(const Bytes& encoded) const;
  /// The buffers of decode().
  [[nodiscard]] ChunkBuffers& buffers() const noexcept { return codec_.buffers(); }
  /// Compares a decoded chunk with its digest. @throws Error(kCorrupt)
  void verify(std::uint64_t chunk, const Bytes& decoded) const;

 private:
  void check_padding(Values padding) const;

  SealedFile sealed_;  ///< its objects are in frame_
  Frame frame_;
  Metadata metadata_;
  ChunkCodec codec_;
};

}  // namespace grundy
