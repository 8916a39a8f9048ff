/// @file
/// Writes a Grundy table: values come in, chunks are put together, compressed in worker threads and
/// written by one thread, and the file appears under its name complete and checked, or not at all.
///
/// Values come as blocks of entries in their order, as engines of heap games make them, or as tiles
/// of a lattice game in any order. The file grows under a temporary name beside the target. It
/// starts with one byte a value and is rewritten when a value does not fit: that happens at most
/// twice. Destroying an unfinished writer removes the temporary file.
///
/// A table is published only if it reads back from the device as its values were before they were
/// sealed and put. Values that came as blocks must have the digest of the table. The order of tiles
/// is not that of the entries, so their statistics and digest can be taken only from what is read
/// back; sums over the places of the entries (written_check.hpp) prove that it is the same.
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
  /// Of the first file. A value that does not fit costs a new and wider file.
  ValueWidth width = ValueWidth::kU8;
  /// Values per chunk of a heap table; a power of two, at most 2^18.
  HeapSize chunk_size = 1u << 17;
  bool sorted_tiles = false;  ///< tiles are those of the sorted shape, whatever the table is
  bool overwrite = false;     ///< replace an existing file (only at the final rename)
  bool reproducible = false;  ///< leave out everything that differs between equal runs
  std::filesystem::path workplace{};  ///< directory of the temporary file; empty: that of the table
  /// The file is to hold this part of a lattice table only (table_of_parts.hpp).
  std::optional<TablePart> part{};
};

/// A sink that ends in an HDF5 file. Calls come in the order put (or put_chunk) .., read_back (if
/// at all), finish.
class TableWriter : public ValueSink {
 public:
  /// Creates the temporary file of a table with the entries of `layout`, or of a part of it.
  /// @throws Error(kUsage) if `path` exists and may not be overwritten, its directory is missing or
  ///   not writable, there is no such part, or tiles of sorted positions go to a part of a table
  ///   that is not sorted: the orders of their heaps lie in other parts, too
  static std::unique_ptr<TableWriter> create(const std::filesystem::path& path,
                                             const Layout& layout, Executor& executor,
                                             const TableWriterOptions& options);

  /// Of the file so far.
  [[nodiscard]] virtual ValueWidth width() const = 0;

  /// Takes the next entries, or a tile of a lattice table, numbered and placed as in the table also
  /// if the file holds a part. Waits only when compression falls behind by more than a few chunks.
  /// @throws Error(kFailure) if the disk is full or broken, or entries are not of the part; the
  ///   writer is dead from then on
  Flow put(const Stretch& stretch) override = 0;
  /// Takes the next entries of a table of heaps as a whole chunk in the form on disk of the file's
  /// width (ChunkCodec). It is decoded when the file is read back. @param begin the number of its
  /// first entry, a multiple of the chunk's size. @param digest XXH3-64 of its decoded bytes
  /// @throws as put()
  virtual void put_chunk(std::uint64_t begin, std::uint64_t digest, const Bytes& encoded) = 0;
  /// Hands all entries of the file to `census`, in their order and numbered from 0, until that says
  /// kStop; returns its last answer. For tables whose digest is not known yet.
  /// @param expected has taken the tiles before they were put
  /// @throws Error(kFailure) if entries are missing or are not those that `expected` has taken
  virtual Flow read_back(ValueSink& census, const WrittenCheck& expected) = 0;
  /// Completes the file. `info.stats` must describe exactly the values that were put; the census of
  /// read_back() counts those of tiles. `p_positions` are entries of value 0 of a lattice table in
  /// ascending order: all of them, or as many as the file lists. Of a part, `info.layout` is that
  /// of the table; statistics and P-positions are those of the part and numbered from its first
  /// entry. Of a table of one heap, `extension_state` is what TableFile::extension_state() is to
  /// be.
  /// @throws Error(kFailure) if writing or reading back fails; the target is left untouched
  virtual void finish(const TableInfo& info, std::span<const std::uint64_t> p_positions = {},
                      const std::string& extension_state = {}) = 0;

  /// Bytes of memory that the writer of a lattice table takes, about and at most.
  static std::uint64_t memory_bytes(const Layout& layout, bool sorted_tiles, Nimber max_value,
                                    std::size_t threads);
};

}  // namespace grundy
