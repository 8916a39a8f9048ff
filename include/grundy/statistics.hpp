/// @file
/// The statistics that a run without a table leaves, in memory and as a file: of one heap, and of
/// several heaps.
///
/// The format is specified in src/table/README.md.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <grundy/error.hpp>
#include <grundy/stats.hpp>
#include <grundy/table.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// The most heaps of value 0 that a statistics-only run lists.
inline constexpr std::size_t kMilestoneZeros = 1024;
/// The most rare heaps that such a run lists, and the number of last values that it keeps.
inline constexpr std::size_t kMilestoneRare = 1u << 16;
inline constexpr std::size_t kTailValues = 1024;
/// The most seals that such a run lists. Every state holds the list, and a run of weeks has tens of
/// thousands of seals.
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
  Nimber later = 0;  ///< the value of the heap one period later
  friend bool operator==(const LastException&, const LastException&) = default;
};

/// What such a run keeps besides the statistics of all heaps.
struct HeapStatistics {
  std::vector<TableStats> milestones{};  ///< of heaps 0 .. 2^k - 1, for every k
  std::vector<HeapSize> zeros{};         ///< heaps of value 0, the first kMilestoneZeros of them
  std::optional<SparseFacts> sparse{};   ///< what the engine `sparse` knows of the game
  /// With `sparse`: the first kMilestoneRare rare heaps, without heap 0.
  std::vector<HeapSize> rare_heaps{};
  std::vector<Nimber> tail{};  ///< values of the last kTailValues heaps
  /// Ascending; a run without an output seals nothing at its end. Where there are more than
  /// kMilestoneSeals, every second one of the older half is left out.
  std::vector<SealedAt> seals{};
  /// Set if a period was proved after the engine had let its values go, and does not hold from heap
  /// 0 on.
  std::optional<LastException> last_exception{};

  friend bool operator==(const HeapStatistics&, const HeapStatistics&) = default;
};

/// What a file of statistics says.
struct StatisticsFile {
  TableInfo info;
  HeapStatistics statistics;
  /// The text of a state (src/run/README.md), from which a longer run goes on. Empty if there is
  /// none: because the run was too short for its engine to let values go, because its engine never
  /// does, because a period has ended the run, or because the file is reproducible.
  std::string extension_state{};
};

/// Writes the file, complete and checked, or not at all.
/// @param reproducible leave out the time, and the state, which depends on interruptions
/// @param workplace a directory on the same file system in which the file is made; empty: the
///   directory of `path`
/// @throws Error(kUsage) if it exists and must not be overwritten, Error(kFailure)
void write_statistics(const std::filesystem::path& path, const StatisticsFile& file, bool overwrite,
                      bool reproducible, const std::filesystem::path& workplace = {});

/// @throws Error(kCorrupt) if it is foreign, damaged or of a newer format; Error(kUsage) if there
///   is no such file, or it is of another kind
StatisticsFile read_statistics(const std::filesystem::path& path);

/// What a file of statistics of several heaps says.
struct LatticeStatistics {
  TableInfo info;  ///< without digest and records (TableStats::in_order())
  /// The first entries of value 0, ascending, kMilestoneZeros of them at most.
  std::vector<std::uint64_t> zeros{};
};

/// Writes the file, complete and checked, or not at all. Parameters and errors are those of
/// write_statistics().
void write_lattice_statistics(const std::filesystem::path& path, const LatticeStatistics& file,
                              bool overwrite, bool reproducible,
                              const std::filesystem::path& workplace = {});

/// @throws Error as read_statistics()
LatticeStatistics read_lattice_statistics(const std::filesystem::path& path);

}  // namespace grundy
