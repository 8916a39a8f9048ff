/// @file
/// A table as its verification sees it, wherever it is stored: in the file of a finished table, or
/// in the segments that an unfinished run has sealed. For games of several heaps, read "entry" for
/// "heap": in the order of the table for a file, in the order of the sealed values for a run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>
#include <grundy/sink.hpp>
#include <grundy/table.hpp>

#include "engines/lattice/value_order.hpp"

namespace grundy {

/// For a run, info() has only the count of its statistics, since a run records no others.
class StoredTable : public TableReader {
 public:
  [[nodiscard]] virtual const std::string& path() const noexcept = 0;
  /// The statistics that were recorded with the values; null if there are none.
  [[nodiscard]] virtual const TableStats* recorded() const noexcept = 0;
  /// The position of each entry; null for one heap.
  [[nodiscard]] virtual const ValueOrder* order() const noexcept = 0;
  /// The word for what is counted by the index of a value, for messages.
  [[nodiscard]] const char* unit() const noexcept {
    return order() == nullptr ? "heaps" : "entries";
  }
  /// The heaps at which a chunk or a segment begins.
  [[nodiscard]] virtual std::vector<HeapSize> borders() const = 0;
  /// Hands every value to `sink` once, in order, and compares all values with their digests.
  /// @throws Error(kCorrupt) naming the first thing that is damaged
  virtual Flow scan(Executor& executor, ValueSink& sink) const = 0;
};

/// The table in a file. @throws Error as TableReader::open()
std::unique_ptr<StoredTable> open_file_table(const std::filesystem::path& path);

/// The values that the run in `directory` has sealed so far; the run may be at work.
/// @throws Error(kUsage) if nothing is sealed there, Error(kCorrupt) as read_run()
std::unique_ptr<StoredTable> open_run_table(const std::filesystem::path& directory);

/// The rule of a table. @throws Error(kCorrupt) if the rule in the table cannot be read
template <class Rule>
Rule rule_of(const StoredTable& table) {
  try {
    return Rule::parse(table.info().canonical);
  } catch (const Error& error) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' holds a rule that cannot be read: {}",
                                                 table.path(), error.what()));
  }
}

}  // namespace grundy
