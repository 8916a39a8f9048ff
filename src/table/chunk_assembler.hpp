/// @file
/// Makes whole chunks of entries that come in any order.
///
/// A chunk takes memory from its first entry to its last one. Then a callback receives it. An array
/// in memory is a grid of one chunk.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include <grundy/types.hpp>

#include "table/chunk_codec.hpp"
#include "table/tile_scatter.hpp"

namespace grundy {

class ChunkAssembler final : public EntrySink {
 public:
  /// Takes a complete chunk; entries outside of the array are all ones.
  using Done = std::function<void(std::uint64_t chunk, Bytes bytes)>;

  /// Makes a buffer of `bytes` bytes, with any content.
  using Buffer = std::function<Bytes(std::size_t bytes)>;

  /// @param planes entries that come together: the last axis has this extent if it is not 1
  ChunkAssembler(const ChunkGrid& grid, unsigned planes, ValueWidth width, Buffer buffer,
                 Done done);

  [[nodiscard]] ValueWidth width() const noexcept { return width_; }
  /// @pre the values fit the width
  void put(ChunkGrid::Axes at, unsigned axis, Values values) override;
  /// Continues at a larger width.
  void widen(ValueWidth width);

 private:
  struct Chunk {
    Bytes bytes;
    std::uint64_t missing = 0;
  };

  [[nodiscard]] Chunk& open_chunk(std::uint64_t chunk);

  ChunkGrid grid_;
  std::uint64_t planes_;
  ValueWidth width_;
  Buffer buffer_;
  Done done_;
  std::unordered_map<std::uint64_t, Chunk> open_;
};

}  // namespace grundy
