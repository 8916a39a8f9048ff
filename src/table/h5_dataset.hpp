/// @file
/// Values of a table in an HDF5 dataset, chunk by chunk in encoded form. The filter pipeline of the
/// library is not used, because it has a global lock.
///
/// A virtual dataset holds no values. It says which dataset of which other file holds which values.
/// It is for programs that read through the library. If a source is missing, the library returns
/// the fill value and no error, so nothing here reads values through a virtual dataset.
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

/// A file whose dataset is a part of a virtual dataset, from `first` on along the first axis. The
/// other axes are those of the virtual dataset.
struct Source {
  std::string file;  ///< relative to the directory of the file with the virtual dataset
  std::uint64_t first = 0;
  std::uint64_t count = 0;  ///< along the first axis
};

class Dataset : public Object {
 public:
  /// Creates the dataset `name` of `parent`.
  static Dataset create(const Object& parent, const std::string& name, ValueWidth width,
                        const ChunkGrid& grid);
  /// @throws Error(kCorrupt) unless type, shape, chunks and filters are those of create()
  static Dataset open(const Object& parent, const std::string& name);
  /// Creates a virtual dataset from datasets with the same name at the roots of their files. These
  /// may have a smaller width. The grid of the virtual dataset has one chunk.
  static Dataset create_virtual(const Object& parent, const std::string& name, ValueWidth width,
                                std::span<const std::uint64_t> extent,
                                std::span<const Source> sources);
  /// @throws Error(kCorrupt) unless type and shape are those of create_virtual(), and the number of
  ///   sources is `sources`
  static Dataset open_virtual(const Object& parent, const std::string& name, std::size_t sources);

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
