/// @file
/// Writes a Grundy table. Values come in; chunks are put together, compressed in worker threads and
/// written by one thread. The file appears under its name complete and checked, or not at all.
///
/// Values come as blocks of entries in their order, as engines of heap games make them, or as tiles
/// of a lattice game in any order. The file grows under a temporary name beside the target. It
/// starts with one byte a value and is rewritten when a value does not fit, which happens at most
/// twice. Destroying an unfinished writer removes the temporary file.
///
/// A table is published only if it reads back from the device with the values that came in. Values
/// that came as blocks must have the digest of the table. Tiles do not come in the order of the
/// entries, so their statistics and digest can be taken only from what is read back. Sums over the
/// places of the entries (written_check.hpp) prove that these are the same values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <grundy/layout.hpp>
#include <grundy/sink.hpp>
#include <grundy/table.hpp>

#include "table/chunk_codec.hpp"
#include "table/table_part.hpp"

namespace grundy {

class Executor;
class WrittenCheck;

/// Version of the HDF5 library in use: `1.10.8`.
std::string hdf5_version();

struct TableWriterOptions {
  /// Width of the first file. A value that does not fit costs a new, wider file.
  ValueWidth width = ValueWidth::kU8;
  /// Values per chunk of a heap table; a power of two, at most 2^18.
  HeapSize chunk_size = 1u << 17;
  /// The tiles are those of the sorted shape, whether the table is sorted or not.
  bool sorted_tiles = false;
  bool overwrite = false;     ///< replace an existing file (only at the final rename)
  bool reproducible = false;  ///< leave out everything that differs between equal runs
  /// Directory of the temporary file; empty: the directory of the table.
  std::filesystem::path workplace{};
  /// Set: the file is to hold only this part of a lattice table (table_of_parts.hpp).
  std::optional<TablePart> part{};
};

/// A sink that writes an HDF5 file. Calls come in this order: put or put_chunk, as often as needed;
/// read_back, if at all; finish.
class TableWriter : public ValueSink {
 public:
  /// Creates the temporary file of a table with the entries of `layout`, or of a part of it.
  /// @throws Error(kUsage) if `path` exists and may not be overwritten, its directory is missing or
  ///   not writable, there is no such part, or tiles of sorted positions go to a part of a table
  ///   that is not sorted, because other orders of their heaps lie in other parts
  static std::unique_ptr<TableWriter> create(const std::filesystem::path& path,
                                             const Layout& layout, Executor& executor,
                                             const TableWriterOptions& options);

  /// Width of the file so far.
  [[nodiscard]] virtual ValueWidth width() const = 0;

  /// Takes the next entries, or a tile of a lattice table. They are numbered and placed as in the
  /// table, even if the file holds a part. Waits only if compression falls behind by more than a
  /// few chunks.
  /// @throws Error(kFailure) if the disk is full or broken, or entries are not of the part; the
  ///   writer is dead from then on
  Flow put(const Stretch& stretch) override = 0;
  /// Takes the next entries of a table of heaps as a whole chunk, in its form on disk at the width
  /// of the file (ChunkCodec). It is decoded when the file is read back.
  /// @param begin the number of its first entry, a multiple of the size of a chunk
  /// @param digest XXH3-64 of its decoded bytes
  /// @throws as put()
  virtual void put_chunk(std::uint64_t begin, std::uint64_t digest, const Bytes& encoded) = 0;
  /// Hands all entries of the file to `census`, in their order and numbered from 0, until it
  /// returns kStop. Returns its last answer. For tables whose digest is not known yet.
  /// @param expected took the tiles before they were put
  /// @throws Error(kFailure) if entries are missing or differ from those that `expected` took
  virtual Flow read_back(ValueSink& census, const WrittenCheck& expected) = 0;
  /// Completes the file.
  /// @param info its `stats` must describe exactly the values that were put; for tiles, the census
  ///   of read_back() counts them. For a part, `info.layout` is the layout of the table, and
  ///   statistics and P-positions are those of the part, numbered from its first entry
  /// @param p_positions entries of value 0 of a lattice table in ascending order: all of them, or
  ///   as many as the file lists
  /// @param extension_state TableFile::extension_state() of a table of one heap
  /// @throws Error(kFailure) if writing or reading back fails; the target is left untouched
  virtual void finish(const TableInfo& info, std::span<const std::uint64_t> p_positions = {},
                      const std::string& extension_state = {}) = 0;

  /// The approximate most bytes of memory that the writer of a lattice table takes.
  static std::uint64_t memory_bytes(const Layout& layout, bool sorted_tiles, Nimber max_value,
                                    std::size_t threads);
};

}  // namespace grundy
