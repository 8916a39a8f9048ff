/// @file
/// Values of a table in an HDF5 dataset, chunk by chunk in encoded form. The filter pipeline of the
/// library, which has a global lock, is not used.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include <grundy/types.hpp>

#include "table/chunk_codec.hpp"
#include "table/chunk_grid.hpp"
#include "table/h5.hpp"

namespace grundy::h5 {

class Dataset : public Object {
 public:
  /// Creates the dataset `name` of `parent`.
  static Dataset create(const Object& parent, const std::string& name, ValueWidth width,
                        const ChunkGrid& grid);
  /// @throws Error(kCorrupt) unless type, shape, chunks and filters are those of create()
  static Dataset open(const Object& parent, const std::string& name);

  [[nodiscard]] ValueWidth width() const noexcept { return width_; }
  [[nodiscard]] const ChunkGrid& grid() const noexcept { return grid_; }
  /// Bytes of one decoded chunk.
  [[nodiscard]] std::size_t chunk_bytes() const noexcept {
    return grid_.chunk_size() * byte_count(width_);
  }

  void write_chunk(std::uint64_t index, std::span<const std::byte> encoded);
  [[nodiscard]] Bytes read_chunk(std::uint64_t index) const;

 private:
  Dataset(Object object, ValueWidth width, const ChunkGrid& grid)
      : Object(std::move(object)), width_(width), grid_(grid) {}

  ValueWidth width_;
  ChunkGrid grid_;
};

}  // namespace grundy::h5
