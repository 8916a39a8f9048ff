/// @file
/// One writer: a lock file that says who holds it.
///
/// The lock itself is flock(2), which the kernel drops with its process, however that ends. The
/// text (host, process, start of the process, time) is for people, and for file systems without
/// flock or with one that ends at the machine: there a lock counts as stale only if it was taken on
/// this host by a process that is gone (a number that was given to another process has another
/// start). A lock of another host is never taken over without `force`.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include "core/descriptor.hpp"

namespace grundy {

class RunLock {
 public:
  /// Takes the lock. @throws Error(kFailure) if another process holds it or may hold it
  RunLock(const std::filesystem::path& path, bool force);
  /// Releases it and removes the file.
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// Who held the lock before and ended without releasing it; empty if nobody did.
  [[nodiscard]] const std::string& stale_holder() const noexcept { return stale_holder_; }

 private:
  std::filesystem::path path_;
  Descriptor file_;
  std::string stale_holder_;
};

}  // namespace grundy
