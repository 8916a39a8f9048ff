/// @file
/// The part of a lattice computation that outlives its process: the run directory of its tiles.
///
/// Sealed are the values as the engine hands them over, tile after tile. A later life lets the
/// engine take them up in the same order, all but those of the last few thousand positions (the
/// *window*), which are computed again and compared. The engine hands known tiles over like its
/// own, so the table is built from all of them, in every life anew. New values are checked by
/// samples before they are sealed (tile_check.hpp).
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <grundy/compute.hpp>

#include "core/digest.hpp"
#include "engines/lattice/value_order.hpp"
#include "run/run_directory.hpp"
#include "run/segment_log.hpp"
#include "session/setup.hpp"
#include "session/tile_check.hpp"

namespace grundy {

/// The rule of a run of several heaps. @throws Error(kCorrupt) if the record says none
LatticeRule rule_of(const RunRecord& record);
/// The table that such a run is to make. @pre record.lattice
/// @throws Error(kCorrupt) if the record says none
LatticeLayout table_layout(const RunRecord& record);
/// Which positions the values are that such a run seals, in order. @throws Error as table_layout()
ValueOrder order_of(const RunRecord& record);

class SealedTiles final : public TileSink, public KnownTiles {
 public:
  /// Values that are computed again, at least.
  static constexpr std::uint64_t kWindow = 4096;

  /// Opens or creates the run directory of the request's output. @pre setup.tile_order() is not
  /// empty
  /// @throws Error(kUsage) if the output cannot be made, Error(kFailure) if another process works
  ///   on it, Error(kCorrupt) if the directory is damaged or is a run of something else
  SealedTiles(const LatticeSetup& setup, CheckpointControl* control,
              const std::function<void(const std::string&)>& narrate);

  /// The table is in its place already; nothing is left to do.
  [[nodiscard]] bool finished() const noexcept { return finished_; }
  /// Values that are sealed by earlier lives.
  [[nodiscard]] std::uint64_t frontier() const noexcept { return frontier_; }
  [[nodiscard]] const RunDirectory& directory() const noexcept { return directory_; }
  [[nodiscard]] SegmentLog& log() noexcept { return *log_; }

  /// Where tiles go that were looked at.
  void set_next(TileSink& next) noexcept { next_ = &next; }
  /// Compares what was sealed with what the engine hands over, be it computed again or taken up,
  /// checks samples of what is new, and logs it. @throws Error(kMismatch) naming the first position
  /// that differs, or is not as it should be, or the first segment that does not have its digest
  Flow put(const Tile& tile) override;
  std::span<const Nimber> next(std::uint64_t count) override;

  /// Removes the directory: the table is in its place.
  void finish();

 private:
  void check_record(const LatticeSetup& setup, const RunRecord& wanted) const;
  void read(std::uint64_t count, std::vector<Nimber>& out) const;
  void compare_with_window(std::uint64_t begin, Values values) const;
  void compare_with_digests(std::uint64_t begin, Values values);

  RunDirectory directory_;
  const ValueOrder order_;
  TileCheck check_;
  std::optional<SegmentLog> log_;
  TileSink* next_ = nullptr;
  bool finished_ = false;
  std::uint64_t frontier_ = 0;
  std::vector<Nimber> tile_;  ///< the tile that was given last; at the end, the window
  std::uint64_t given_ = 0;   ///< values that the engine has taken up
  bool gives_ = true;         ///< until the window begins
  std::uint64_t taken_ = 0;   ///< values that the engine has handed over
  ValueDigest handed_;        ///< of those that belong to a segment of an earlier life
};

}  // namespace grundy
