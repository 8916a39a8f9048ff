// SPDX-License-Identifier: MIT
#include "core/atomic_directory.hpp"

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "core/descriptor.hpp"
#include "core/temporary_name.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_target(const fs::path& target, std::string_view why) {
  throw Error(ErrorCode::kUsage, fmt::format("'{}' {}", target.string(), why));
}

/// The directory itself, if the path is a link to it or ends with a slash.
fs::path real_target(const fs::path& target) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(target, error);
  if (error || real.empty()) return target;
  return real.has_filename() ? real : real.parent_path();
}

}  // namespace

AtomicDirectory::AtomicDirectory(const fs::path& target, bool replace)
    : target_(real_target(target)), replace_(replace) {
  std::error_code error;
  const fs::file_status status = fs::status(target_, error);
  if (fs::exists(status) && !fs::is_directory(status)) refuse_target(target, "is no directory");
  if (fs::exists(status) && !replace) {
    refuse_target(target, fmt::format("exists; choose another name or {}", kAllowReplacement));
  }
  if (!target_.has_filename() || !fs::is_directory(directory_of(target_), error)) {
    refuse_target(target, "cannot be created: there is no directory to hold it");
  }
  remove_abandoned(target_);
  temporary_ = temporary_name(target_);
  if (!fs::create_directory(temporary_, error)) {
    throw Error(ErrorCode::kFailure,
                fmt::format("cannot create '{}': {}", target.string(), error.message()));
  }
}

AtomicDirectory::~AtomicDirectory() {
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

void AtomicDirectory::exchange() const {
  if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
    return;
  }
  if (errno != EINVAL && errno != ENOSYS) throw_errno("rename to", target_.string());
  // If the file system cannot exchange names, neither name exists for a moment.
  fs::path old = temporary_;
  old += ".old";
  if (std::rename(target_.c_str(), old.c_str()) != 0) throw_errno("rename", target_.string());
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    std::rename(old.c_str(), target_.c_str());
    errno = error;
    throw_errno("rename to", target_.string());
  }
  if (std::rename(old.c_str(), temporary_.c_str()) != 0) throw_errno("rename", old.string());
}

void AtomicDirectory::publish() {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(temporary_)) {
    if (entry.is_directory()) {
      sync_directory(entry.path());
    } else {
      Descriptor::open(entry.path(), O_RDONLY).sync();
    }
  }
  sync_directory(temporary_);
  std::error_code error;
  if (replace_ && fs::exists(target_, error)) {
    exchange();
  } else if (::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(),
                         RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) refuse_target(target_, "exists; somebody else has made it meanwhile");
    // rename() does not replace a directory that is not empty.
    if ((errno != EINVAL && errno != ENOSYS) ||
        std::rename(temporary_.c_str(), target_.c_str()) != 0) {
      throw_errno("rename to", target_.string());
    }
  }
  sync_directory(directory_of(target_));
}

}  // namespace grundy
