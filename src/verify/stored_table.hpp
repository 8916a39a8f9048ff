/// @file
/// A table of one-heap values as its verification sees it, wherever it is stored: in the file of a
/// finished table, or in the segments that an unfinished run has sealed.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/table.hpp>

#include "schedule/executor.hpp"

namespace grundy {

/// Of a run, info() has no statistics but the count, since none are recorded.
class StoredTable : public TableReader {
 public:
  [[nodiscard]] virtual const std::string& path() const noexcept = 0;
  /// Statistics that were recorded with the values; null if none were.
  [[nodiscard]] virtual const TableStats* recorded() const noexcept = 0;
  /// The heaps at which something new begins: a chunk, a segment.
  [[nodiscard]] virtual std::vector<HeapSize> borders() const = 0;
  /// Hands every value to `sink` once, in order, and compares all of them with their digests.
  /// @throws Error(kCorrupt) naming the first thing that is damaged
  virtual Flow scan(Executor& executor, BlockSink& sink) const = 0;
};

/// The table in a file, which `reader` has open. @pre it is one of heaps
std::unique_ptr<StoredTable> open_file_table(const std::filesystem::path& path,
                                             std::unique_ptr<TableReader> reader);

/// What the run in `directory` has sealed so far; the run may be at work.
/// @throws Error(kUsage) if nothing is sealed there, Error(kCorrupt) as read_run()
std::unique_ptr<StoredTable> open_run_table(const std::filesystem::path& directory);

}  // namespace grundy
