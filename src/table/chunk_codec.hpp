/// @file
/// One chunk of values to and from its form on disk: byte shuffle, then a zlib stream.
///
/// The HDF5 filters `shuffle` (2) and `deflate` (1) decode the result, so any HDF5 program reads
/// it. It is not the stream that they would write. The compression is done here, so that threads
/// compress in parallel; the library's own pipeline has one global lock. Shuffling puts all first
/// bytes before all second bytes, and so on: the high bytes of Grundy values are nearly all zero.
/// Higher levels of deflate gain at most 5 % on real tables and cost a factor of 2 to 4 in time.
///
/// The low bytes and the high bytes of values differ, so each byte column is written in its own
/// way: as it is, as letters, as runs (huffman_deflate.hpp), or with matches. The way with the
/// least product of the size, taken from a sample, and a factor for the time is chosen. For
/// example, matches shorten the low bytes of Wythoff's game by 3 %, but take many times as long as
/// storing them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

using Bytes = std::vector<std::byte>;

/// Buffers of raw chunks for reuse: the system clears new memory first, page by page. For any
/// number of threads.
class ChunkBuffers {
 public:
  /// A buffer with any content.
  [[nodiscard]] Bytes take(std::size_t size);
  /// Keeps the buffer if it has the size that was taken last.
  void give_back(Bytes buffer);

 private:
  std::mutex mutex_;
  std::vector<Bytes> idle_;  ///< at most as many as were in use at a time
  std::size_t size_ = 0;     ///< of each buffer
};

/// Whether columns may be written with matches, which take some twenty times as long as letters
/// and runs. What is kept is worth it.
enum class Matches { kAllowed, kNone };

/// Encodes and decodes from any number of threads; keeps the compressor states for reuse.
class ChunkCodec {
 public:
  explicit ChunkCodec(ValueWidth width, Matches matches = Matches::kAllowed);
  ~ChunkCodec();

  /// The form on disk of `raw`, little-endian values of the codec's width.
  /// @pre raw.size() is a multiple of the width and less than 2^28
  [[nodiscard]] Bytes encode(std::span<const std::byte> raw) const;

  /// The `size` bytes that `encoded` stands for. Never reads or writes past the given sizes.
  /// @throws Error(kCorrupt) if `encoded` is not the form of exactly `size` bytes
  [[nodiscard]] Bytes decode(std::span<const std::byte> encoded, std::size_t size) const;

  /// The buffers of decode(), which others may use, too.
  [[nodiscard]] ChunkBuffers& buffers() const noexcept;

 private:
  struct Streams;
  std::unique_ptr<Streams> streams_;
  ValueWidth width_;
  Matches allowed_;
};

/// The largest size that the encoded form of `size` bytes can sensibly have.
std::size_t largest_encoded_size(std::size_t size) noexcept;

}  // namespace grundy
