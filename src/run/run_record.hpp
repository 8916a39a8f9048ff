/// @file
/// What a run directory is about: the file `run.json`, written before the first value.
///
/// The rule is the identity of a run: values of other rules must never meet. Its digest, the
/// *fingerprint*, is in every segment. All the rest may change from one life of a run to the next
/// (`grundy resume` can change the range), because no value depends on it.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

struct RunRecord {
  std::string rule{};         ///< canonical notation
  HeapSize count = 0;         ///< heaps 0 .. count-1 were asked for
  std::string game{};         ///< as typed
  std::string title{};        ///< for people
  std::string engine{};       ///< as asked for
  std::string kernel{};       ///< likewise
  HeapSize chunk = 0;         ///< values per chunk of the table
  bool extend = true;         ///< stop computing once a period is certified
  bool overwrite = false;     ///< the table may replace a file
  bool reproducible = false;  ///< no times, no host in the table
  std::string version{};      ///< program that began the run
  std::string created{};      ///< when; ISO 8601, UTC
};

/// XXH3-128 of what identifies the values of a rule.
Digest128 fingerprint_of(const std::string& rule);

/// The text of `run.json`: JSON that ends in a digest of itself.
std::string to_json(const RunRecord& record);

/// The inverse. @throws Error(kCorrupt) if the text is damaged or of a newer format
RunRecord parse_run_record(const std::string& text, const std::filesystem::path& path);

}  // namespace grundy
