/// @file
/// The values of a table, read from one file or from its parts.
///
/// Every chunk is compared with its digest when it is decoded. The chunks that were used last stay
/// in memory, 64 MiB of them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <grundy/types.hpp>

#include "table/table_file.hpp"

namespace grundy {

class ValuesOfFiles {
 public:
  using Files = std::vector<std::unique_ptr<const TableFile>>;

  /// @param files the files; their entries follow each other, from entry 0 on
  explicit ValuesOfFiles(Files files);
  ~ValuesOfFiles();
  ValuesOfFiles(const ValuesOfFiles&) = delete;
  ValuesOfFiles& operator=(const ValuesOfFiles&) = delete;

  [[nodiscard]] const Files& files() const noexcept { return files_; }
  /// The number of entries of all files.
  [[nodiscard]] HeapSize count() const noexcept { return begins_.back(); }
  /// Copies the values of entries begin .. begin + out.size() - 1; from any number of threads.
  /// @pre they are there. @throws Error(kCorrupt) if a chunk does not match its digest
  void read(HeapSize begin, std::span<Nimber> out) const;

  /// Bytes that reading takes if all files have so many bytes of values.
  [[nodiscard]] static std::uint64_t memory_bytes(std::uint64_t values) noexcept;

 private:
  class ChunkCache;

  Files files_;
  /// First entry of each file; at the end: the number of all entries.
  std::vector<HeapSize> begins_;
  std::vector<std::uint64_t> first_chunks_;  ///< chunks of the files before each file
  std::unique_ptr<ChunkCache> cache_;
};

}  // namespace grundy
