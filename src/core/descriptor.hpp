/// @file
/// A file descriptor whose every call is looked at.
///
/// Writing retries what was interrupted or cut short; anything else that the system refuses is an
/// Error(kFailure) that names the file and the reason. A failed sync is never tried again: the
/// kernel may have dropped the pages and would report success the second time.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace grundy {

class Descriptor {
 public:
  Descriptor() = default;
  /// Takes over an open descriptor; `name` is for messages.
  Descriptor(int fd, std::string name) noexcept : fd_(fd), name_(std::move(name)) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  /// Closes without a word: for unwinding, and for what was only read.
  ~Descriptor();

  /// open(2). The descriptor is not inherited by other programs.
  /// @throws Error(kFailure) "cannot open 'path': reason"
  static Descriptor open(const std::filesystem::path& path, int flags);

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }

  /// Writes all of it. @throws Error(kFailure)
  void write(std::span<const std::byte> bytes) const;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  /// Reads until `bytes` is full or the file ends; returns how many were read.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  [[nodiscard]] std::uint64_t size() const;
  /// Brings the file to the device. @throws Error(kFailure)
  void sync() const;
  /// @throws Error(kFailure) if something that was written is lost
  void close();

 private:
  int fd_ = -1;
  std::string name_;
};

/// @throws Error(kFailure) "cannot `action` 'name': reason", by errno
[[noreturn]] void throw_errno(std::string_view action, const std::string& name);

/// Brings the names in a directory to the device. @throws Error(kFailure)
void sync_directory(const std::filesystem::path& directory);

}  // namespace grundy
