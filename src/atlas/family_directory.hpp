/// @file
/// The directory FILE.atlas, in which finished games wait for the file of their family.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grundy::atlas {

class FamilyDirectory {
 public:
  /// @param output the file of the family; empty if there is none, and then no directory either
  explicit FamilyDirectory(const std::filesystem::path& output) {
    if (!output.empty()) (path_ = output) += ".atlas";
  }

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  /// Makes the directory if there is an output. @throws Error(kFailure)
  void make() const;

  /// The file for the table of a game; empty if there is no output.
  [[nodiscard]] std::filesystem::path table_of(const std::string& code) const;

  /// Removes the tables of these games, what killed runs left of them half-written, and the
  /// directory. Returns false if the directory stays, because it holds anything else.
  [[nodiscard]] bool remove(const std::vector<std::string>& codes) const;

 private:
  std::filesystem::path path_;
};

}  // namespace grundy::atlas
