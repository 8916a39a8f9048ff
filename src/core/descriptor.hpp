/// @file
/// A file descriptor that checks the result of every call.
///
/// Writing goes on after an interrupted or a short write. Any other failure is an Error(kFailure)
/// that names the file and the reason. A failed sync is never tried again: the kernel may have
/// dropped the pages and would report success the second time.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <grundy/error.hpp>

namespace grundy {

/// After so many bytes it is worth a call that the device begins to write them.
inline constexpr std::uint64_t kWriteBack = std::uint64_t{16} << 20;

class Descriptor {
 public:
  Descriptor() = default;
  /// Owns an open descriptor from now on; `name` appears in messages.
  Descriptor(int fd, std::string name) noexcept : fd_(fd), name_(std::move(name)) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  /// Closes and ignores a failure: for unwinding, and for files that were only read.
  ~Descriptor();

  /// open(2). The descriptor is not inherited by other programs.
  /// @throws Error(kFailure) "cannot open 'path': reason"
  static Descriptor open(const std::filesystem::path& path, int flags);

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }

  /// Writes all bytes. @throws Error(kFailure)
  void write(std::span<const std::byte> bytes) const;
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  /// Reads until `bytes` is full or the file ends; returns the number of bytes that were read.
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> bytes) const;
  [[nodiscard]] std::uint64_t size() const;
  /// Cuts the file off after `size` bytes. @throws Error(kFailure)
  void truncate(std::uint64_t size) const;
  /// Lets the device begin to write these bytes, if they are not written yet, so that sync() has
  /// little to wait for. A size of 0 is all bytes from `offset` on. This is advice: nothing is
  /// certain before sync().
  void begin_write_back(std::uint64_t offset, std::uint64_t size) const noexcept;
  /// Syncs the file to the device. @throws Error(kFailure)
  void sync() const;
  /// Closes. @throws Error(kFailure) if data that was written is lost
  void close();

 private:
  int fd_ = -1;
  std::string name_;
};

/// @throws Error(code) "cannot `action` 'name': reason", by errno
[[noreturn]] void throw_errno(std::string_view action, const std::string& name,
                              ErrorCode code = ErrorCode::kFailure);

/// Syncs the names in a directory to the device. @throws Error(kFailure)
void sync_directory(const std::filesystem::path& directory);

}  // namespace grundy
