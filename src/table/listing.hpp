/// @file
/// A file of any kind as it is: its texts, its numbers and its columns, by their names.
///
/// Names are those of README.md: `p_positions` is an attribute of the root, `class/0.07@engine` an
/// attribute of a group, `class/0.07/grundy` a column, and a text dataset is a text.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "table/file_kind.hpp"
#include "table/h5_columns.hpp"

namespace grundy {

/// Unsigned integers in rows.
struct ListedColumn {
  unsigned bytes = 0;      ///< of one integer: 1, 2, 4 or 8
  std::uint64_t rows = 0;  ///< of the column
  std::size_t width = 1;   ///< integers in a row
};

class Listing {
 public:
  /// Compares the seal and reads everything but the columns. @throws Error(kCorrupt) if the file is
  /// damaged, Error(kUsage) if there is no such file
  Listing(const std::filesystem::path& path, FileKind kind);

  [[nodiscard]] const std::map<std::string, std::string>& texts() const noexcept { return texts_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& numbers() const noexcept {
    return numbers_;
  }
  [[nodiscard]] const std::map<std::string, ListedColumn>& columns() const noexcept {
    return columns_;
  }
  /// Rows first .. first + count - 1 of a column; T has its bytes.
  /// @throws Error(kCorrupt) if there are fewer rows
  template <class T>
  [[nodiscard]] std::vector<T> read(const std::string& name, std::uint64_t first,
                                    std::uint64_t count) const {
    return h5::read_rows<T>(file_.root, name, first, count, columns_.at(name).width);
  }

 private:
  void list_attributes(const h5::Object& object, const std::string& prefix);
  void list_members(const h5::Object& group, const std::string& prefix, unsigned depth);
  void list_dataset(const h5::Object& parent, const std::string& name, const h5::Object& dataset);

  SealedFile file_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::uint64_t> numbers_;
  std::map<std::string, ListedColumn> columns_;
};

}  // namespace grundy
