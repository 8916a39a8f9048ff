/// @file
/// The part of a computation that outlives its process: the values that it has found, in the order
/// in which its engine hands them over, and how a later process takes them up.
///
/// The values are the checkpoint. Of one heap their order is that of the heaps; of several heaps it
/// is part of what identifies the run (run_record.hpp). A later life gives the engine all sealed
/// values but the last few thousand (the *window*). The engine computes the window again, and its
/// values are compared: a machine, build or file that has gone wrong shows there, before one new
/// value is sealed. An engine may also hand all values of earlier lives over, from the first one
/// on. They are then compared with the digests of the segments.
///
/// A run that keeps no table seals values as long as its engine keeps all of them, and *states*
/// from then on. A later life gives the engine the first values and those of the last state,
/// without the window.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <grundy/checkpoint.hpp>
#include <grundy/known.hpp>
#include <grundy/machine.hpp>
#include <grundy/sink.hpp>

#include "core/value_buffer.hpp"
#include "run/run_directory.hpp"
#include "run/sealed_heaps.hpp"
#include "run/segment_log.hpp"
#include "run/self_check.hpp"

namespace grundy {

/// What SealedValues has to know of a run.
struct RunTerms {
  std::filesystem::path output;  ///< the table; the directory stands beside it
  RunRecord record;              ///< of a new run; an old one must be of the same identity
  HeapSize count = 0;            ///< all values that the engine hands over
  bool force = false;            ///< take over any lock; drop sealed values beyond the last
  bool change_range = false;     ///< a run of one heap that was begun for another count takes this
  CheckpointInterval checkpoint{};
  std::string engine, kernel;    ///< names of what will compute
  Executor* executor = nullptr;  ///< encodes what is sealed; never null
  /// Whether a file is the table that the run is to make.
  std::function<bool(const std::filesystem::path&)> is_the_table;
};

class SealedValues final : public KnownTiles {
 public:
  /// Opens or creates the run directory. @param game names values; must outlive this
  /// @throws Error(kUsage) if the output cannot be made, Error(kFailure) if another process works
  ///   on it, Error(kCorrupt) if the directory is damaged or is a run of something else
  SealedValues(RunTerms terms, const NumberedGame& game, CheckpointControl* control,
               const std::function<void(const std::string&)>& narrate);

  /// The table is in its place already; nothing is left to do.
  [[nodiscard]] bool finished() const noexcept { return finished_; }
  /// Values that are sealed by earlier lives.
  [[nodiscard]] HeapSize frontier() const noexcept { return earlier_.frontier(); }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return directory_.path(); }
  [[nodiscard]] const RunDirectory& directory() const noexcept { return directory_; }
  [[nodiscard]] SegmentLog& log() noexcept { return *log_; }

  /// For engines of one heap: what earlier lives have sealed. A thread of its own may read it while
  /// this life adds to the directory.
  [[nodiscard]] SealedHeaps& heaps() noexcept { return earlier_; }

  /// Another engine is at work from now on. The record keeps what was learned of engines.
  void set_engine(const std::string& engine, const EngineSlowness& slowness);

  /// Seals the values that `fill` logs as if an earlier life had found them. @pre frontier() == 0
  void begin_with(const std::function<void(SegmentLog&)>& fill);

  /// For engines of several heaps: the next `count` of them, or none from the window on.
  std::span<const Nimber> next(std::uint64_t count) override;

  /// Compares sealed values with those that the engine hands over, computed again or taken up, and
  /// logs new ones. @throws Error(kMismatch) naming the first value that differs, or the first
  /// segment that does not have its digest
  void put(const Stretch& block);
  /// The same where the engine lets values go: with them a state is sealed that a later life goes
  /// on from, or, if the run keeps no values, in place of them. SegmentLog has what is sealed when.
  void put(const Stretch& block, bool now, const SegmentLog::StateText& text);
  void put_state(const Stretch& block, bool now, const SegmentLog::StateText& text);

  /// Lets `check` compare sealed segments with the values that the engine has in memory: all of
  /// them, or the first and the newest.
  /// @throws Error(kMismatch) if they differ; what may depend on the difference is set aside
  void scrub(SelfCheck& check, const Stretch& stretch);

  /// Whether a seal is under way, for which earlier() would have to wait.
  [[nodiscard]] bool sealing() const { return log_->sealing(); }
  /// All values so far, as they are in the files; to be asked before the next put() or earlier().
  [[nodiscard]] ValueOf earlier();

  /// Removes the directory: the table is in its place.
  void finish();

 private:
  void say(const std::string& sentence) const;
  void check_record() const;
  void look_at_earlier_lives();
  void compare_with_earlier(HeapSize begin, Values values);
  void compare_with_window(HeapSize begin, Values values);
  void compare_with_digests(HeapSize begin, Values values);
  /// Whether those of the `kept` values that the segment has are those in its file; nothing if it
  /// has none of them. @param begin the number of the first one
  [[nodiscard]] std::optional<bool> compare_with_file(const SegmentHeader& segment, HeapSize begin,
                                                      Values kept) const;

  RunTerms terms_;
  const NumberedGame& game_;
  std::function<void(const std::string&)> narrate_;
  RunDirectory directory_;
  std::optional<SegmentLog> log_;
  bool finished_ = false;
  SealedHeaps earlier_;  ///< also of several heaps: values by their numbers
  ValueBuffer window_;   ///< values from count() to the frontier, once they are needed
  HeapSize given_ = 0;   ///< values that next() has handed out
  std::optional<SegmentCursor> giving_;
  std::optional<SegmentCursor> looked_up_;  ///< of earlier()
  bool gives_ = true;                       ///< until the window begins
  std::vector<Nimber> piece_;               ///< those of the last call
  HeapSize handed_ = 0;  ///< values of earlier lives that the engine has handed over
  std::optional<SegmentDigest> digest_;  ///< of those of the segment that has value handed_
};

}  // namespace grundy
