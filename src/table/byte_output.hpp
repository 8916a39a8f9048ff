/// @file
/// Where results go as bytes: standard output, or a file that appears under its name complete or
/// not at all.
///
/// commit() completes a file. The reader of standard output may leave early (`| head`). That is no
/// error: further bytes are dropped, and closed() says so. It says so, too, when the person who
/// waits for a file wants it no more.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
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
  /// @param stop nobody wants the file when it is requested
  /// @throws Error(kUsage) if `path` exists and may not be overwritten, or its directory is missing
  ///   or not writable
  static ByteOutput file(const std::filesystem::path& path, bool overwrite,
                         std::stop_token stop = {});

  /// @throws Error(kFailure) if the bytes cannot be written
  void write(std::string_view bytes);
  /// Passes on the buffered bytes. @throws Error(kFailure)
  void flush();
  /// Completes the output; a file gets its name here.
  /// @throws Error(kFailure), or Error(kUsage) if another process has created the target meanwhile
  void commit();
  /// Whether nobody wants further bytes. Those for standard output are dropped.
  [[nodiscard]] bool closed() const noexcept { return closed_ || stop_.stop_requested(); }

 private:
  ByteOutput() = default;
  void write_standard_output(std::string_view bytes);

  std::optional<AtomicFile> place_;  ///< unset: standard output
  Descriptor file_;                  ///< the file of place_
  std::stop_token stop_;
  bool closed_ = false;  ///< the reader of standard output has gone
  std::string buffer_;
};

}  // namespace grundy
