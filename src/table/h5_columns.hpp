/// @file
/// Columns of numbers, written and read at once or, if they are long, in pieces.
///
/// A column of a few kilobytes lies in the file as it is. A longer one is cut into chunks, shuffled
/// and deflated.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "table/h5.hpp"

namespace grundy::h5 {

/// Writes rows of `columns` numbers (1: one-dimensional).
/// T: an unsigned integer of 1, 2, 4 or 8 bytes.
template <class T>
void put_column(const Object& parent, const std::string& name, std::span<const T> numbers,
                std::size_t columns = 1);

/// The same numbers at the least width that holds the largest of them: 1, 2 or 4 bytes.
void put_narrow_column(const Object& parent, const std::string& name,
                       std::span<const std::uint32_t> numbers);

/// The number of rows that read_column() would return, without reading them.
/// @throws Error(kCorrupt) like it
template <class T>
std::uint64_t column_rows(const Object& parent, const std::string& name, std::size_t columns = 1);

/// Reads a dataset of unsigned integers of at most the width of T.
/// @throws Error(kCorrupt) if it is no such dataset, or has another number of columns
template <class T>
std::vector<T> read_column(const Object& parent, const std::string& name, std::size_t columns = 1);

/// A column that is written in pieces, from its first row on.
template <class T>
class ColumnWriter {
 public:
  /// Makes the column, without rows yet. A row has `columns` numbers.
  ColumnWriter(const Object& parent, const std::string& name, std::size_t columns = 1);
  /// Writes the next rows.
  void put(std::span<const T> numbers);
  /// @throws Error(kFailure) if the last bytes do not reach the file
  void close() { dataset_.close(); }

 private:
  std::string action_;
  Object dataset_;
  std::size_t columns_;
  std::uint64_t next_ = 0;
};

/// The rows first .. first + count - 1 of the result of read_column().
/// @throws Error(kCorrupt) like it, and if there are fewer rows
template <class T>
std::vector<T> read_rows(const Object& parent, const std::string& name, std::uint64_t first,
                         std::uint64_t count, std::size_t columns = 1);

}  // namespace grundy::h5
