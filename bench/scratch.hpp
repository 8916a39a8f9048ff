/// @file
/// A directory for the files of a bench.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

namespace grundy {

/// Empty at first, and gone when it ends.
class Scratch {
 public:
  explicit Scratch(const char* name)
      : path_(std::filesystem::temp_directory_path() / fmt::format("{}-{}", name, ::getpid())) {
    std::filesystem::create_directory(path_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code unknown;
    std::filesystem::remove_all(path_, unknown);
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace grundy
