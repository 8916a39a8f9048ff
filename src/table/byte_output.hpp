/// @file
/// Where results go as bytes: standard output, or a file that appears under its name complete or
/// not at all.
///
/// commit() completes a file. The reader of standard output may leave early (`| head`). That is no
/// error: further bytes are dropped, and closed() says so.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/atomic_file.hpp"
#include "core/descriptor.hpp"

namespace grundy {

/// A buffered stream of bytes. Not copyable; SIGPIPE must be ignored by the process.
class ByteOutput {
 public:
  static ByteOutput standard_output();
  /// Creates the temporary file.
  /// @throws Error(kUsage) if `path` exists and may not be overwritten, or its directory is missing
  ///   or not writable
  static ByteOutput file(const std::filesystem::path& path, bool overwrite);

  /// @throws Error(kFailure) if the bytes cannot be written
  void write(std::string_view bytes);
  /// Passes on the buffered bytes. @throws Error(kFailure)
  void flush();
  /// Completes the output; a file gets its name here.
  /// @throws Error(kFailure), or Error(kUsage) if another process has created the target meanwhile
  void commit();
  /// Whether the reader of standard output has gone; further bytes are dropped.
  [[nodiscard]] bool closed() const noexcept { return closed_; }

 private:
  ByteOutput() = default;
  void write_standard_output(std::string_view bytes);

  std::optional<AtomicFile> place_;  ///< unset: standard output
  Descriptor file_;                  ///< the file of place_
  bool closed_ = false;
  std::string buffer_;
};

}  // namespace grundy
