/// @file
/// A directory that appears under its name whole, or not at all: the protocol of atomic_file.hpp
/// for many files.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace grundy {

/// A directory under a temporary name beside its target. If it was not published, the destructor
/// removes it with everything in it.
class AtomicDirectory {
 public:
  /// Removes what killed writers of `target` left, and makes the directory. @param replace whether
  /// `target` may exist
  /// @throws Error(kUsage) if `target` exists and must not be replaced, is no directory or has no
  ///   name, or if there is no directory to hold it; Error(kFailure) if it cannot be made
  AtomicDirectory(const std::filesystem::path& target, bool replace);
  ~AtomicDirectory();
  AtomicDirectory(const AtomicDirectory&) = delete;
  AtomicDirectory& operator=(const AtomicDirectory&) = delete;

  /// The temporary name, where to write until publish().
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return temporary_; }

  /// Syncs all files, and gives the directory its final name. Then removes the directory that had
  /// the name before.
  /// @throws Error(kFailure); kUsage if another process has taken the name
  void publish();

 private:
  void exchange() const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool replace_;
};

}  // namespace grundy
