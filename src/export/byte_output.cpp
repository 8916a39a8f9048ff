// SPDX-License-Identifier: MIT
#include "export/byte_output.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <grundy/error.hpp>

namespace grundy {
namespace {

constexpr std::size_t kBufferSize = 1u << 16;

std::string reason(int error) {
  return std::generic_category().message(error);
}

Error exists_error(const std::filesystem::path& path) {
  return {ErrorCode::kUsage,
          fmt::format("{} exists already; choose another name or add --force", path.string())};
}

}  // namespace

ByteOutput ByteOutput::standard_output() {
  ByteOutput out;
  out.descriptor_ = STDOUT_FILENO;
  return out;
}

ByteOutput ByteOutput::file(const std::filesystem::path& path, bool overwrite) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {
    // A rename would replace a directory entry such as /dev/null, whatever it is.
    if (!std::filesystem::is_regular_file(path, ignored)) {
      throw Error(ErrorCode::kUsage, fmt::format("{} is no regular file", path.string()));
    }
    if (!overwrite) throw exists_error(path);
  }

  ByteOutput out;
  out.target_ = path;
  out.overwrite_ = overwrite;
  const auto temporary =
      path.parent_path() / fmt::format(".{}.{}.tmp", path.filename().string(), ::getpid());
  out.descriptor_ = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (out.descriptor_ < 0) {
    throw Error(ErrorCode::kUsage,
                fmt::format("cannot create {}: {}", path.string(), reason(errno)));
  }
  out.temporary_ = temporary;
  return out;
}

ByteOutput::ByteOutput(ByteOutput&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      closed_(other.closed_),
      overwrite_(other.overwrite_),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      buffer_(std::move(other.buffer_)) {}

ByteOutput::~ByteOutput() {
  if (target_.empty()) return;
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void ByteOutput::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBufferSize) flush();
}

void ByteOutput::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty() && !closed_) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE && target_.empty()) {
      closed_ = true;
    } else if (errno != EINTR) {
      const int error = errno;
      buffer_.clear();
      throw Error(
          ErrorCode::kFailure,
          fmt::format("cannot write to {}: {}",
                      target_.empty() ? "standard output" : target_.string(), reason(error)));
    }
  }
  buffer_.clear();
}

void ByteOutput::commit() {
  flush();
  if (target_.empty()) return;
  if (::fsync(descriptor_) != 0 || ::close(std::exchange(descriptor_, -1)) != 0) {
    throw Error(ErrorCode::kFailure,
                fmt::format("cannot write to {}: {}", target_.string(), reason(errno)));
  }
  int result = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, target_.c_str(),
                           overwrite_ ? 0 : RENAME_NOREPLACE);
  // Some network file systems know no RENAME_NOREPLACE; file() has looked for the target before.
  if (result != 0 && errno == EINVAL) result = ::rename(temporary_.c_str(), target_.c_str());
  if (result != 0) {
    if (errno == EEXIST) throw exists_error(target_);
    throw Error(ErrorCode::kFailure, fmt::format("cannot name the finished file {}: {}",
                                                 target_.string(), reason(errno)));
  }
  temporary_.clear();
}

}  // namespace grundy
