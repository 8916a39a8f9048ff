/// @file
/// The directory in which a search for one value keeps what it has learnt: `FILE.run/` beside
/// `FILE`.
///
///   lock      who is at work, see run/run_lock.hpp
///   learnt    what was learnt up to the last seal
///   *.tmp     what is being written; removed by whoever opens the directory next
///
/// A seal replaces `learnt` by a new file in one step, so that the old or the new file is there,
/// whatever ends the process. What a search has learnt is true of the game and of nothing else: it
/// does not depend on threads, memory or the order of the search, so a later life may differ in all
/// of them. What took one position only is left out: it is learnt again in the time of reading it.
///
/// The file, little-endian:
///
// clang-format off
///   8 bytes   `GRNDYSCH`
///   4         format, 2
///   4         0x01020304
///   8         bytes of the text
///   16        XXH3-128 of the text
///   the text  JSON: the game, when the search began, what it has cost
///   pieces    each is
///               8   the number of its entries
///               16  XXH3-128 of the digest before it (for the first piece: of the text) and
///                   the entries
///               the entries, each the words of a key and one word that says what is known
///               (GraphSearch::hand_over())
///             The last piece has no entries.
// clang-format on
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <grundy/compute.hpp>
#include <grundy/graph/engine.hpp>

#include "core/stopwatch.hpp"
#include "run/run_lock.hpp"

namespace grundy {

/// What a search is about.
struct SearchRecord {
  std::string game{};       ///< the text by which the game is found again
  std::string title{};      ///< for people
  Digest128 fingerprint{};  ///< of the game itself, whatever its name
  unsigned entry_words = 0;
  bool overwrite = false;     ///< the result may replace a file
  bool reproducible = false;  ///< no times in the result
  std::string version{};      ///< the program that began the search
  std::string created{};      ///< when the search began; ISO 8601, UTC
  std::uint64_t lives = 1;
  double seconds = 0;          ///< of all lives until the seal
  std::uint64_t searched = 0;  ///< positions, likewise
};

/// A `learnt` file, checked.
struct SearchContents {
  SearchRecord record;
  std::uint64_t entries = 0, bytes = 0;
};

/// Whether a search has sealed something in the directory.
bool is_search_run(const std::filesystem::path& directory);

/// Reads what is sealed and hands the entries to `take`, if it is set.
/// @throws Error(kCorrupt) that names the file if it is damaged; some entries may have been handed
///   over by then
SearchContents read_search_run(
    const std::filesystem::path& directory,
    const std::function<void(std::span<const std::uint64_t>)>& take = {});

/// The request of the search in `directory`.
/// @throws Error(kCorrupt) if it is damaged, Error(kUsage) if its game is not found
Request request_of_search(const std::filesystem::path& directory);

/// The directory of a search that is at work.
class SearchRun {
 public:
  /// Takes the lock.
  /// @throws Error(kUsage) if the result cannot be written, or another computation works in the
  ///   directory; Error(kFailure) if another process is at work there; Error(kCorrupt)
  SearchRun(const Request& request, const GraphGame& game);
  /// Releases the lock; the directory goes with it unless something is sealed in it.
  ~SearchRun();
  SearchRun(const SearchRun&) = delete;
  SearchRun& operator=(const SearchRun&) = delete;

  /// Gives a search what earlier lives have learnt. Returns the number of components it knows then.
  /// @throws Error(kCorrupt) if the file is damaged
  std::uint64_t recall(GraphSearch& search) const;
  /// Seals what the search has learnt; the search may be at work meanwhile. Returns the number of
  /// entries. One thread at a time calls it. @throws Error(kFailure)
  std::uint64_t seal(const GraphSearch& search);
  /// Seconds that earlier lives took, and positions that they searched, until their last seals.
  [[nodiscard]] double seconds_before() const noexcept { return record_.seconds; }
  [[nodiscard]] std::uint64_t searched_before() const noexcept { return record_.searched; }
  /// Call it when the result is written: it removes what is no longer needed.
  void finish() noexcept;

 private:
  std::filesystem::path directory_;
  std::optional<RunLock> lock_;
  SearchRecord record_;
  Stopwatch time_{};
};

}  // namespace grundy
