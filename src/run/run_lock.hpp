/// @file
/// One writer in a directory: a lock file that says who holds it.
///
/// The lock itself is flock(2). The kernel drops it when the process ends, however it ends. The
/// text in the file (host, process, start of the process, time) is for people. It also serves file
/// systems without flock, or with an flock that other hosts do not see: there a lock is stale only
/// if a process of this host took it and is gone. The start of the process tells it from a later
/// process with the same number. A lock of another host is taken over without `force` only by the
/// same job of Slurm after a restart: Slurm starts a job again when it has ended.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "core/descriptor.hpp"

namespace grundy {

class RunLock {
 public:
  /// Makes the directory if it is not there, takes its lock, and removes what an earlier process
  /// left under temporary names.
  /// @throws Error(kFailure) if another process holds the lock or may hold it, Error(kUsage) if the
  ///   directory cannot be made
  RunLock(const std::filesystem::path& directory, bool force);
  /// Releases the lock and removes the file.
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// The process that held the lock before and ended without releasing it; empty if none did.
  [[nodiscard]] const std::string& stale_holder() const noexcept { return stale_holder_; }

 private:
  void take(bool force);

  std::filesystem::path path_;
  Descriptor file_;
  std::string stale_holder_;
};

}  // namespace grundy
