/// @file
/// A file that appears under its name complete, or not at all.
///
/// The protocol: write under a temporary name in the same directory, fsync the file, rename, fsync
/// the directory. Nothing that exists is opened for writing, so no failure can damage it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace grundy {

/// The temporary name of a file to be; removes the file unless it was published.
class AtomicFile {
 public:
  /// Picks a name beside `target` that no other writer has. Creates nothing.
  /// @throws Error(kUsage) if `target` exists and `overwrite` is not set, is no regular file, or
  ///   its directory does not exist
  AtomicFile(const std::filesystem::path& target, bool overwrite);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Where to write until publish().
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return temporary_; }

  /// Brings the closed file to the device and drops it from the page cache, so that reading it back
  /// reads what is there. @throws Error(kFailure)
  void sync() const;
  /// Gives the file its name. @throws Error(kFailure); kUsage if somebody else took the name
  void publish();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool overwrite_;
  bool published_ = false;
};

}  // namespace grundy
