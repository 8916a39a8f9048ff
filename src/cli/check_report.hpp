/// @file
/// How a proof of any list ends.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/list_check.hpp>

#include "cli/attended_run.hpp"
#include "cli/certificate_output.hpp"
#include "cli/console.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace grundy::cli {

/// What was proved: all of a range, or some or all of the file.
inline std::string proved_text(const ListCheck& check) {
  const std::string whole = format_count(check.count);
  if (check.proved_range && check.proved < check.count) {
    return fmt::format("{} {} to {} of {}", check.unit, format_count(check.proved_range->first),
                       format_count(check.proved_range->last), whole);
  }
  return fmt::format("{} of {} {}", format_count(check.proved), whole, check.unit);
}

/// Adds how a proof ended to what describes its file. `proved` are the fields that count.
inline void put_check(Json& json, const ListCheck& check, const CertificateOutput& certificate,
                      const Json& proved) {
  json.update({{"ok", check.holds()}, {"complete", check.complete}});
  json.update(proved);
  const auto& range = check.proved_range;
  json.update(
      {{"proved_range", range ? Json{{"first", range->first}, {"last", range->last}} : Json()},
       {"wrong", check.wrong.empty() ? Json() : Json(check.wrong)},
       {"certificate", certificate.json()},
       {"seconds", check.seconds}});
}

/// Proves a list while the console attends to it, and writes the certificate of what was proved.
/// @param unit of the progress @param prove check_census() or another one of these
template <class Check>
Check attended_check(Console& console, const char* unit,
                     Check (*prove)(const ListCheckRequest&, const Hooks&),
                     const ListCheckRequest& request, CertificateOutput& certificate) {
  AttendedRun run(console, unit);
  Check check = prove(request, run.hooks());
  run.end();
  write_proved(certificate, check);
  return check;
}

/// Ends a command that has already printed JSON, if JSON was asked for.
/// @param stopped a sentence for a proof that was stopped
/// @param print prints the fields before the time
/// @param certificate was written if all was proved that it can state
/// @param reason why it was not written, if it was not
/// @return the exit code. @throws Error(kMismatch) if something is wrong
template <class Print>
int conclude_check(Console& console, const std::filesystem::path& file, const ListCheck& check,
                   const CertificateOutput& certificate, const std::string& stopped,
                   const Print& print,
                   const char* reason =
                       "a certificate states nothing of entries that were drawn; "
                       "--full proves all") {
  if (!check.wrong.empty()) {
    console.out().flush();
    throw Error(ErrorCode::kMismatch, fmt::format("'{}': {}", file.string(), check.wrong));
  }
  if (!check.complete) return console.fail(certificate.exit_code_if_stopped(), stopped);
  if (console.json) {
    certificate.note(console, reason);
    return 0;
  }
  print();
  console.field("time", format_duration(std::chrono::duration<double>(check.seconds)));
  certificate.print(console, reason);
  return 0;
}

}  // namespace grundy::cli
