/// @file
/// Writes a Grundy table: values stream in as blocks, chunks are compressed in worker threads and
/// written by one thread, and the file appears under its name complete and checked, or not at all.
///
/// The file grows under a temporary name beside the target. It starts with one byte a value and is
/// rewritten when a value does not fit: that happens at most twice. finish() writes the metadata,
/// closes, syncs, reads every value back against the digest of what was handed in, and renames.
/// Destroying an unfinished writer removes the temporary file.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <grundy/sink.hpp>
#include <grundy/table.hpp>

namespace grundy {

class Executor;

/// Version of the HDF5 library in use: `1.10.8`.
std::string hdf5_version();

struct TableWriterOptions {
  /// Of the file to begin with; a value that does not fit costs a new and wider file.
  ValueWidth width = ValueWidth::kU8;
  HeapSize chunk_size = 1u << 17;     ///< values per chunk; a power of two, at most 2^18
  bool overwrite = false;             ///< replace an existing file (only at the final rename)
  bool reproducible = false;          ///< leave out everything that differs between equal runs
  std::filesystem::path workplace{};  ///< directory of the temporary file; empty: that of the table
};

/// A BlockSink that ends in an HDF5 file.
class TableWriter : public BlockSink {
 public:
  /// Creates the temporary file.
  /// @throws Error(kUsage) if `path` exists and may not be overwritten, or its directory is missing
  ///   or not writable
  static std::unique_ptr<TableWriter> create(const std::filesystem::path& path, Executor& executor,
                                             const TableWriterOptions& options);

  /// Of the file so far.
  [[nodiscard]] virtual ValueWidth width() const = 0;

  /// Takes the next block; waits only when compression falls behind by more than a few chunks.
  /// @throws Error(kFailure) if the disk is full or broken; the writer is dead from then on
  Flow put(const Block& block) override = 0;

  /// Completes the file. `info.stats` must describe exactly the values that were put.
  /// @throws Error(kFailure) if writing or reading back fails; the target is left untouched
  virtual void finish(const TableInfo& info) = 0;
};

}  // namespace grundy
