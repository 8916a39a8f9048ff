/// @file
/// The certificate of a proof: where the command writes it.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include <grundy/list_check.hpp>
#include <grundy/verify.hpp>

#include "cli/console.hpp"
#include "core/json.hpp"
#include "table/byte_output.hpp"

namespace grundy::cli {

/// A file for a certificate, or none. It stands under its name once there is a certificate.
class CertificateOutput {
 public:
  /// @param path empty: no certificate is wanted
  /// @param replace an existing file
  /// @throws Error(kUsage) if the file cannot be written
  CertificateOutput(std::string path, bool replace);
  /// The certificate of a range.
  /// @param earlier what `path` holds already, if the proof goes on from it: what is written states
  ///   both
  CertificateOutput(std::string path, bool replace, std::optional<Certificate> earlier);

  /// Writes a certificate, if one is wanted.
  void write(const Certificate& certificate);
  /// The exit code of a proof that was stopped. A range that is proved in several lives has failed
  /// if a life leaves no certificate.
  [[nodiscard]] int exit_code_if_stopped() const noexcept {
    return of_range_ && !is_written_ ? exit_code(ErrorCode::kFailure) : kExitStopped;
  }
  /// The name of the file, or null if none was written.
  [[nodiscard]] Json json() const;
  /// Prints the name of the file, or a note if one was wanted and not written.
  /// @param reason why none was written, and how to prove what a certificate can state
  void print(Console& console, const char* reason) const;
  /// The note alone.
  void note(Console& console, const char* reason) const;

 private:
  std::string path_;
  std::optional<ByteOutput> out_;
  std::optional<Certificate> earlier_;
  bool of_range_ = false;
  bool is_written_ = false;
};

/// Writes the certificate of a check of a list if it proves anything.
void write_proved(CertificateOutput& output, const ListCheck& check);

}  // namespace grundy::cli
