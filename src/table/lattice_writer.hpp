/// @file
/// Writes the table of a lattice game: tiles come in any order, chunks are put together, compressed
/// in worker threads and written as they become whole.
///
/// What a table writer promises (table_writer.hpp) holds here too: a temporary name until the end,
/// at most two rewrites for wider values, nothing left behind. The order of entries is known only
/// once all of them are there, so statistics and digest are taken from what is read back from the
/// device, in that order; every chunk is compared with the digest it had when it was handed in.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include <grundy/lattice/layout.hpp>
#include <grundy/sink.hpp>
#include <grundy/table.hpp>

namespace grundy {

class Executor;

struct LatticeWriterOptions {
  bool sorted_tiles = false;  ///< tiles are those of the sorted shape, whatever the table is
  bool overwrite = false;     ///< replace an existing file (only at the final rename)
  bool reproducible = false;  ///< leave out everything that differs between equal runs
  std::filesystem::path workplace{};  ///< directory of the temporary file; empty: that of the table
};

/// A TileSink that ends in an HDF5 file. Calls come in the order put .., read_back, finish.
class LatticeWriter : public TileSink {
 public:
  /// Creates the temporary file.
  /// @throws Error(kUsage) if `path` exists and may not be overwritten, or its directory is missing
  ///   or not writable
  static std::unique_ptr<LatticeWriter> create(const std::filesystem::path& path,
                                               const LatticeLayout& layout, Executor& executor,
                                               const LatticeWriterOptions& options);

  /// Takes a tile. @throws Error(kFailure) if the disk is full or broken
  Flow put(const Tile& tile) override = 0;
  /// Hands the whole table to `census`, in the order of entries, until that says kStop; returns
  /// what it said last.
  /// @throws Error(kFailure) if entries are missing or do not read back as they were put
  virtual Flow read_back(BlockSink& census) = 0;
  /// Completes the file. `info.stats` is what the census counted, `p_positions` the entries of
  /// value 0 in ascending order, all of them or as many as are to be listed.
  /// @throws Error(kFailure); the target is left untouched
  virtual void finish(const TableInfo& info, std::span<const std::uint64_t> p_positions) = 0;

  /// Bytes of memory that a writer takes, about and at most.
  static std::uint64_t memory_bytes(const LatticeLayout& layout, bool sorted_tiles,
                                    Nimber max_value, std::size_t threads);
};

}  // namespace grundy
