/// @file
/// What a run of one heap that keeps no table leaves, in memory and as a file.
///
/// The format is specified in src/table/README.md.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <grundy/stats.hpp>
#include <grundy/table.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// Heaps of value 0 that a statistics-only run lists, at most.
inline constexpr std::size_t kMilestoneZeros = 1024;
/// Rare heaps that it lists, at most, and last values that it keeps.
inline constexpr std::size_t kMilestoneRare = 1u << 16;
inline constexpr std::size_t kTailValues = 1024;
/// Seals that it lists, at most. Every state tells the list, and a run of weeks has ten thousands.
inline constexpr std::size_t kMilestoneSeals = 2048;

/// Where a run was sealed: the digest of all values below `heap`.
struct SealedAt {
  HeapSize heap = 0;
  Digest128 digest{};
  friend bool operator==(const SealedAt&, const SealedAt&) = default;
};

/// The last heap at which a period fails.
struct LastException {
  HeapSize heap = 0;
  Nimber value = 0;
  Nimber later = 0;  ///< the value of the heap a period behind it
  friend bool operator==(const LastException&, const LastException&) = default;
};

/// Besides the statistics of all heaps.
struct HeapStatistics {
  std::vector<TableStats> milestones{};  ///< of heaps 0 .. 2^k - 1, for every k
  std::vector<HeapSize> zeros{};         ///< heaps of value 0, the first kMilestoneZeros of them
  std::optional<SparseFacts> sparse{};   ///< what the engine `sparse` knows of the game
  /// With `sparse`: the first kMilestoneRare rare heaps, without heap 0.
  std::vector<HeapSize> rare_heaps{};
  std::vector<Nimber> tail{};  ///< values of the last kTailValues heaps
  /// Ascending; of a run without an output: none. Where there are more than kMilestoneSeals, every
  /// second one of the older half is left out.
  std::vector<SealedAt> seals{};
  /// Of a period that was proved when the engine had let its values go. Else, and from heap 0 on:
  /// none.
  std::optional<LastException> last_exception{};

  friend bool operator==(const HeapStatistics&, const HeapStatistics&) = default;
};

/// What such a file says.
struct StatisticsFile {
  TableInfo info;
  HeapStatistics statistics;
  /// What a longer run goes on from: the text of a state (src/run/README.md). Empty if there is
  /// none: the run was so short that its engine kept all values, or its engine always does, a
  /// period has ended it, or the file is reproducible.
  std::string extension_state{};
};

/// Writes the file, complete and checked, or not at all.
/// @param reproducible leave out the time, and the state, which depends on interruptions
/// @param workplace a directory on the same file system in which it is made; empty: where it goes
/// @throws Error(kUsage) if it exists and must not be overwritten, Error(kFailure)
void write_statistics(const std::filesystem::path& path, const StatisticsFile& file, bool overwrite,
                      bool reproducible, const std::filesystem::path& workplace = {});

/// @throws Error(kCorrupt) if the file is none, is damaged or of a newer format; Error(kUsage) if
///   there is none
StatisticsFile read_statistics(const std::filesystem::path& path);

}  // namespace grundy
