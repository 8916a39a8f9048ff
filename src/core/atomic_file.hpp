/// @file
/// A file that appears under its name complete, or not at all.
///
/// The protocol: write under a temporary name on the same file system, fsync the file, rename,
/// fsync the directory. Nothing that exists is opened for writing, so no failure can damage it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>

namespace grundy {

/// What every temporary name ends in.
inline constexpr const char* kTemporarySuffix = ".tmp";

/// The directory that holds `path`.
std::filesystem::path directory_of(const std::filesystem::path& path);

/// Refuses a place where no file can appear.
/// @throws Error(kUsage) if `target` exists and `overwrite` is not set, is no regular file, or its
///   directory does not exist
void check_target(const std::filesystem::path& target, bool overwrite);

/// The temporary name of a file to be; removes the file unless it was published.
class AtomicFile {
 public:
  /// Picks a name that no other writer has, beside `target` or in `workplace`, which must be on the
  /// same file system. Creates nothing. @throws Error(kUsage) as check_target()
  AtomicFile(const std::filesystem::path& target, bool overwrite,
             const std::filesystem::path& workplace = {});
  ~AtomicFile();
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;

  /// The name to be.
  [[nodiscard]] const std::filesystem::path& target() const noexcept { return target_; }
  /// Where to write until publish().
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return temporary_; }

  /// Brings the closed file to the device and drops it from the page cache, so that reading it back
  /// reads what is there. @throws Error(kFailure)
  void sync() const;
  /// Gives the synced file its name, and makes that last.
  /// @throws Error(kFailure); kUsage if somebody else took the name
  void publish();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  bool overwrite_;
  bool published_ = false;
};

/// Writes `text` as a whole file. @throws Error
void write_whole_file(const std::filesystem::path& target, bool overwrite, std::string_view text);

}  // namespace grundy
