/// @file
/// Statistics of a table of several heaps that is not kept: its tiles are counted as they come.
///
/// Tiles do not come in the order of the table. The histogram, the largest value and the first
/// positions of value 0 do not depend on the order. Records and the digest depend on it, and are
/// not taken.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/stats.hpp>

#include "kernels/kernels.hpp"
#include "table/chunk_grid.hpp"
#include "table/tile_scatter.hpp"

namespace grundy {

class EntryStatistics final : public ValueSink, private EntrySink {
 public:
  /// @param sorted_tiles see TileScatter
  /// @param zeros the number of entries of value 0 that are listed, at most
  EntryStatistics(const KernelSet& kernels, const Layout& layout, bool sorted_tiles,
                  std::size_t zeros);
  EntryStatistics(const EntryStatistics&) = delete;
  EntryStatistics& operator=(const EntryStatistics&) = delete;

  Flow put(const Stretch& stretch) override;

  /// What was counted. add() counts it as if these tiles had been put there.
  [[nodiscard]] std::string to_bytes() const;
  /// @throws Error(kFailure) if the bytes are not from to_bytes()
  void add(std::string_view bytes);

  /// Without records and digest.
  [[nodiscard]] const TableStats& stats() const noexcept { return stats_; }
  /// The first entries of value 0, ascending.
  [[nodiscard]] std::vector<std::uint64_t> zeros() const;

 private:
  void put(ChunkGrid::Axes at, unsigned axis, Values values) override;
  /// @param entry_of gives the entry of value number i
  template <class EntryOf>
  void count(Values values, const EntryOf& entry_of);
  /// Notes a value that is not smaller than any before, and the first entry that has it.
  void note_largest(Nimber value, std::uint64_t entry);
  void note_zero(std::uint64_t entry);

  const KernelSet& kernels_;
  std::size_t most_zeros_;
  ChunkGrid array_;
  std::uint64_t planes_;
  bool is_sorted_plane_;
  TileScatter scatter_;
  TableStats stats_;
  std::vector<std::uint64_t> zeros_;  ///< at most twice as many as are wanted, in any order
  std::uint64_t end_of_zeros_;        ///< no entry from here on is wanted
};

}  // namespace grundy
