// SPDX-License-Identifier: MIT
#include "store/atomic_file.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// A file descriptor.
class Descriptor {
 public:
  Descriptor(const fs::path& path, int flags) : fd_(::open(path.c_str(), flags | O_CLOEXEC)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const noexcept { return fd_; }

 private:
  int fd_;
};

std::string errno_text() {
  return std::generic_category().message(errno);
}

[[noreturn]] void fail(std::string_view action, const fs::path& path) {
  throw Error(ErrorCode::kFailure,
              fmt::format("cannot {} '{}': {}", action, path.string(), errno_text()));
}

[[noreturn]] void already_exists(const fs::path& path) {
  throw Error(
      ErrorCode::kUsage,
      fmt::format("'{}' exists; choose another name or allow it to be replaced", path.string()));
}

fs::path directory_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// The path itself, or what it links to if it is to be replaced: the link then stays.
fs::path resolved(const fs::path& path, bool overwrite) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return overwrite && !error ? real : path;
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target, bool overwrite)
    : target_(resolved(target, overwrite)), overwrite_(overwrite) {
  std::error_code error;
  const std::string name = target.string();
  if (!target_.has_filename()) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' does not name a file", name));
  }
  const fs::file_status status = fs::symlink_status(target_, error);
  if (fs::is_directory(status)) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is a directory; name a file in it", name));
  }
  if (fs::exists(status) && !overwrite) already_exists(target);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is no regular file", name));
  }
  const fs::path directory = directory_of(target_);
  if (!fs::is_directory(directory, error)) {
    throw Error(ErrorCode::kUsage, fmt::format("cannot create '{}': there is no directory '{}'",
                                               name, directory.string()));
  }
  std::random_device random;
  const std::uint64_t tag = std::uint64_t{random()} << 32 | random();
  temporary_ = target_;
  temporary_ += fmt::format(".{:016x}.tmp", tag);
}

AtomicFile::~AtomicFile() {
  if (!published_) ::unlink(temporary_.c_str());
}

void AtomicFile::sync() const {
  const Descriptor file(temporary_, O_RDONLY);
  if (file.get() < 0) fail("open", temporary_);
  if (::fsync(file.get()) != 0) fail("bring to disk", temporary_);
  // Advice only: some file systems live in the page cache.
  static_cast<void>(::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED));
}

void AtomicFile::publish() {
  if (overwrite_) {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename to", target_);
  } else if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(),
                         RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) already_exists(target_);
    if (errno != EINVAL && errno != ENOSYS) fail("rename to", target_);
    // A file system without that flag: a hard link refuses to replace as well.
    if (::link(temporary_.c_str(), target_.c_str()) != 0) {
      if (errno == EEXIST) already_exists(target_);
      fail("rename to", target_);
    }
    ::unlink(temporary_.c_str());
  }
  published_ = true;
  const fs::path directory = directory_of(target_);
  const Descriptor handle(directory, O_RDONLY | O_DIRECTORY);
  if (handle.get() < 0 || ::fsync(handle.get()) != 0) fail("bring to disk", directory);
}

}  // namespace grundy
