/// @file
/// The two voices of the command: results on standard output, narration on standard error.
///
/// Results are stable and line-oriented; with `--json` they are one JSON object. Narration is
/// sentences for a person at the terminal and is silent with `--quiet`. A failure is the last line
/// of standard error: a sentence, or with `--json` an object.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/team.hpp>

#include "core/json.hpp"
#include "table/byte_output.hpp"

namespace grundy::cli {

/// The code that the command returns to the shell for an error. Without an error it returns 0.
int exit_code(ErrorCode code) noexcept;
/// The code after a signal that stopped the command; nothing is left half-written.
inline constexpr int kExitStopped = 75;

/// The value; null if it is not known.
Json or_null(const std::optional<std::uint64_t>& value);
Json or_null(const std::optional<double>& value);

class Console {
 public:
  bool json = false;
  bool quiet = false;
  std::string command_line;  ///< as given, for metadata
  /// The ranks that run this command together, at least two; null: this process is alone. Only rank
  /// 0 prints results.
  Team* team = nullptr;

  [[nodiscard]] bool is_first() const noexcept { return team == nullptr || team->rank() == 0; }

  /// Prints to standard output, verbatim.
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    out_.write(fmt::format(format, std::forward<Args>(args)...));
  }
  /// One line of a summary: a name and its text.
  void field(std::string_view name, std::string_view text);
  /// The JSON object that is the whole result.
  void print_json(const Json& object);
  [[nodiscard]] ByteOutput& out() noexcept { return out_; }

  /// One sentence on standard error, unless quiet.
  void note(const std::string& sentence) const noexcept;

  /// The last message of a command that has failed: one line on standard error, or with `json` an
  /// object `{"code": 2, "message": "…"}`. Returns the exit code.
  int fail(int code, std::string sentence) const;
  int fail(const Error& error) const;
  /// The same for a command that was stopped before it wrote its file.
  int stopped() const { return fail(kExitStopped, "stopped; no file was written"); }

 private:
  ByteOutput out_ = ByteOutput::standard_output();
};

/// Writes one line to standard error in one call, so that lines of two processes do not mix.
/// Failure is ignored: there is nowhere to report it.
void write_error_line(std::string_view line) noexcept;

}  // namespace grundy::cli
