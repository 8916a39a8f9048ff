/// @file
/// A directory that appears under its name whole, or not at all: the protocol of atomic_file.hpp
/// for many files.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace grundy {

/// A directory under a temporary name beside its target. The destructor removes it with all that is
/// in it unless it was published.
class AtomicDirectory {
 public:
  /// Makes the directory. @param replace `target` may exist; else it must not
  /// @throws Error(kUsage) if `target` exists and must not be replaced, is no directory or has no
  ///   name, or if there is no directory to hold it; Error(kFailure) if it cannot be made
  AtomicDirectory(const std::filesystem::path& target, bool replace);
  ~AtomicDirectory();
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;

  /// The temporary name, where to write until publish().
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return temporary_; }

  /// Syncs all files, and gives the directory its final name. What had the name before is removed
  /// behind that.
  /// @throws Error(kFailure); kUsage if somebody else took the name
  void publish();

 private:
  void exchange() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool replace_;
};

}  // namespace grundy
