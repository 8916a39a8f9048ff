/// @file
/// A place for files that nobody wants once their process has ended.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace grundy {

/// A new directory where the system keeps such files; removed with everything in it.
class ScratchDirectory {
 public:
  /// @throws Error(kFailure) if it cannot be made
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace grundy
