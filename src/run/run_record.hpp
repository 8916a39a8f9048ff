/// @file
/// What a run directory is about: the file `run.json`, written before the first value.
///
/// The rule is the identity of a run: values of different rules must never meet. Its digest, the
/// *fingerprint*, is in every segment. Everything else may change from one life of a run to the
/// next (`grundy resume` can change the range), because no value depends on it. The identity of a
/// run of several heaps also has the shape, and the order in which the engine finds positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <grundy/checkpoint.hpp>
#include <grundy/known.hpp>
#include <grundy/stats.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// What the record of a run of several heaps holds in addition.
struct LatticeRecord {
  std::string shape{};                  ///< of the table: `100x200`
  bool sorted = false;                  ///< the table keeps one order of the heaps only
  std::string order{};                  ///< of the sealed values; see LatticeEngine::tile_order()
  std::optional<std::uint32_t> tile{};  ///< edge of a tile, if it was asked for
  std::string rules{};                  ///< the moves in words, besides those of the rule
  std::string reference{};              ///< where the game is treated
  bool in_parts = false;                ///< the table is kept in parts
};

struct RunRecord {
  std::string rule{};          ///< canonical notation
  HeapSize count = 0;          ///< heaps 0 .. count-1, or this number of entries, were asked for
  std::string game{};          ///< as typed
  std::string title{};         ///< for people
  std::string engine{};        ///< as asked for
  std::string kernel{};        ///< as asked for
  HeapSize chunk = 0;          ///< values per chunk of the table
  bool extend = true;          ///< stop computing once a period is certified
  bool overwrite = false;      ///< the table may replace a file
  bool reproducible = false;   ///< no times, no host in the table
  bool stats_only = false;     ///< keep no table: statistics only
  bool end_at_period = false;  ///< end once a period is certified; then `extend` is false
  std::string version{};       ///< the program that began the run
  std::string created{};       ///< when the run began; ISO 8601, UTC
  /// What the run has learnt of its engines, for its next life.
  EngineSlowness slowness{};
  CheckpointInterval checkpoint{};         ///< the interval of the first life
  std::optional<LatticeRecord> lattice{};  ///< for a game of several heaps

  /// The text that decides which values a run holds and in which order: the rule, and for several
  /// heaps the shape and the order.
  [[nodiscard]] std::string identity() const;
};

/// XXH3-128 of what identifies the values of a run.
Digest128 fingerprint_of(const std::string& identity);

/// The text of `run.json`: JSON that ends in a digest of itself.
std::string to_json(const RunRecord& record);

/// Whether the text is a record as it was written, or names another format.
bool is_whole_record(const std::string& text) noexcept;

/// The inverse. @throws Error(kCorrupt) if the text is damaged or of a newer format
RunRecord parse_run_record(const std::string& text, const std::filesystem::path& path);

}  // namespace grundy
