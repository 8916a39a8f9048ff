// SPDX-License-Identifier: MIT
#include "core/descriptor.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <grundy/error.hpp>

namespace grundy {

void throw_errno(std::string_view action, const std::string& name, ErrorCode code) {
  throw Error(code, fmt::format("cannot {} '{}': {}", action, name,
                                std::generic_category().message(errno)));
}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), name_(std::move(other.name_)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(name_, other.name_);
  return *this;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) ::close(fd_);
}

Descriptor Descriptor::open(const std::filesystem::path& path, int flags) {
  Descriptor file(::open(path.c_str(), flags | O_CLOEXEC, 0666), path.string());
  if (!file.is_open()) throw_errno("open", file.name_);
  return file;
}

void Descriptor::write(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      throw_errno("write to", name_);
    }
  }
}

void Descriptor::write_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    } else if (errno != EINTR) {
      throw_errno("write to", name_);
    }
  }
}

std::size_t Descriptor::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t read =
        ::pread(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (read == 0) break;
    if (read > 0) {
      done += static_cast<std::size_t>(read);
    } else if (errno != EINTR) {
      throw_errno("read", name_);
    }
  }
  return done;
}

std::uint64_t Descriptor::size() const {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) throw_errno("look at", name_);
  return static_cast<std::uint64_t>(info.st_size);
}

void Descriptor::truncate(std::uint64_t size) const {
  if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) throw_errno("cut off", name_);
}

void Descriptor::begin_write_back(std::uint64_t offset, std::uint64_t size) const noexcept {
  static_cast<void>(::sync_file_range(fd_, static_cast<off_t>(offset), static_cast<off_t>(size),
                                      SYNC_FILE_RANGE_WRITE));
}

void Descriptor::sync() const {
  if (::fsync(fd_) != 0) throw_errno("bring to disk", name_);
}

void Descriptor::close() {
  if (::close(std::exchange(fd_, -1)) != 0) throw_errno("close", name_);
}

void sync_directory(const std::filesystem::path& directory) {
  Descriptor::open(directory, O_RDONLY | O_DIRECTORY).sync();
}

}  // namespace grundy
