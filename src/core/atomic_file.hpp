/// @file
/// A file that appears under its name complete, or not at all.
///
/// The protocol: write under a temporary name on the same file system, fsync the file, rename,
/// fsync the directory. No existing file is opened for writing, so no failure can damage one.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "core/temporary_name.hpp"

namespace grundy {

/// Refuses a place where no file can appear.
/// @throws Error(kUsage) if `target` exists and `overwrite` is not set, is no regular file, or its
///   directory does not exist
void check_target(const std::filesystem::path& target, bool overwrite);

/// A file under a temporary name. The destructor removes it unless it was published.
class AtomicFile {
 public:
  /// Picks a name that no other writer has, beside `target` or in `workplace`, a directory on the
  /// same file system. Removes what killed writers of `target` left there. Creates nothing. @throws
  /// Error(kUsage) as check_target()
  AtomicFile(const std::filesystem::path& target, bool overwrite,
             const std::filesystem::path& workplace = {});
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  /// The final name.
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// The temporary name, where to write until publish().
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return temporary_; }

  /// Syncs the closed file to the device and drops it from the page cache, so that a later read
  /// comes from the device. @throws Error(kFailure)
  void sync() const;
  /// Gives the synced file its final name and syncs the directory.
  /// @throws Error(kFailure); kUsage if another process has taken the name
  void publish();
  /// sync() and publish(), if `reads_back` finds that the file at path() holds what was written.
  /// @throws Error(kFailure) if it does not, or cannot be read
  void publish_if(const std::function<bool()>& reads_back);

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool overwrite_;
  bool published_ = false;
};

/// Writes `text` as a whole file. @throws Error
void write_whole_file(const std::filesystem::path& target, bool overwrite, std::string_view text);

}  // namespace grundy
