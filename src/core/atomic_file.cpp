// SPDX-License-Identifier: MIT
#include "core/atomic_file.hpp"

#include <cerrno>
#include <cstdio>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/descriptor.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void already_exists(const fs::path& path) {
  throw Error(ErrorCode::kUsage, fmt::format("'{}' exists; choose another name or {}",
                                             path.string(), kAllowReplacement));
}

/// The path itself; if the file is to be replaced, the target of its link, so that the link stays.
fs::path resolved(const fs::path& path, bool overwrite) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return overwrite && !error ? real : path;
}

}  // namespace

void check_target(const fs::path& target, bool overwrite) {
  std::error_code error;
  const fs::path real = resolved(target, overwrite);
  const std::string name = target.string();
  if (!real.has_filename()) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' does not name a file", name));
  }
  const fs::file_status status = fs::symlink_status(real, error);
  if (fs::is_directory(status)) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is a directory; name a file in it", name));
  }
  if (fs::exists(status) && !overwrite) already_exists(target);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is no regular file", name));
  }
  const fs::path directory = directory_of(real);
  if (!fs::is_directory(directory, error)) {
    throw Error(ErrorCode::kUsage, fmt::format("cannot create '{}': there is no directory '{}'",
                                               name, directory.string()));
  }
}

AtomicFile::AtomicFile(const fs::path& target, bool overwrite, const fs::path& workplace)
    : target_(resolved(target, overwrite)), overwrite_(overwrite) {
  check_target(target, overwrite);
  const fs::path place = workplace.empty() ? target_ : workplace / target_.filename();
  remove_abandoned(place);
  temporary_ = temporary_name(place);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      overwrite_(other.overwrite_),
      published_(std::exchange(other.published_, true)) {}

AtomicFile::~AtomicFile() {
  if (!published_) ::unlink(temporary_.c_str());
}

void AtomicFile::sync() const {
  const Descriptor file = Descriptor::open(temporary_, O_RDONLY);
  file.sync();
  // This call is advice: some file systems live in the page cache.
  static_cast<void>(::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED));
}

void AtomicFile::publish() {
  if (overwrite_) {
    if (::rename(temporary_.c_str(), target_.c_str()) != 0)
      throw_errno("rename to", target_.string());
  } else if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(),
                         RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) already_exists(target_);
    if (errno != EINVAL && errno != ENOSYS) throw_errno("rename to", target_.string());
    // On a file system without that flag, a hard link refuses to replace a file as well.
    if (::link(temporary_.c_str(), target_.c_str()) != 0) {
      if (errno == EEXIST) already_exists(target_);
      throw_errno("rename to", target_.string());
    }
    ::unlink(temporary_.c_str());
  }
  published_ = true;
  sync_directory(directory_of(target_));
}

void AtomicFile::publish_if(const std::function<bool()>& reads_back) {
  sync();
  bool same = false;
  std::string difference = " as it was";
  try {
    same = reads_back();
  } catch (const Error& error) {
    difference = fmt::format(": {}", error.what());
    // People do not know the temporary name.
    if (const auto at = difference.find(temporary_.string()); at != std::string::npos) {
      difference.replace(at, temporary_.string().size(), target_.string());
    }
  }
  if (!same) {
    throw Error(ErrorCode::kFailure, fmt::format("'{}' was not written: it does not read back{}",
                                                 target_.string(), difference));
  }
  publish();
}

void write_whole_file(const fs::path& target, bool overwrite, std::string_view text) {
  AtomicFile place(target, overwrite);
  Descriptor file = Descriptor::open(place.path(), O_WRONLY | O_CREAT | O_EXCL);
  file.write(std::as_bytes(std::span(text)));
  file.sync();
  file.close();
  place.publish();
}

}  // namespace grundy
