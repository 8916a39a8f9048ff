/// @file
/// The part of a computation that outlives its process: the values that it has found, in the order
/// in which its engine hands them over, and how a later process takes them up.
///
/// The values are the checkpoint. For one heap their order is that of the heaps; for several heaps
/// the order is part of the identity of the run (run_record.hpp). A later life gives the engine all
/// sealed values but the last few thousand (the *window*). The engine computes the window again,
/// and the values are compared. So a machine, build or file that has gone wrong shows before one
/// new value is sealed. An engine may also hand over all values of earlier lives, from the first
/// one on. They are then compared with the digests of the segments.
///
/// A run whose engine knows a sparse space seals *states*: with the values, or, if it makes no
/// table and its engine lets values go, without them. A later life gives the engine the first
/// values and those of the last state, without the window.
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
#include "run/run_at_work.hpp"
#include "run/sealed_heaps.hpp"
#include "run/segment_log.hpp"
#include "run/self_check.hpp"

namespace grundy {

class SealedValues final : public RunAtWork, public KnownTiles {
 public:
  /// @throws Error as RunAtWork does
  SealedValues(RunTerms terms, const NumberedGame& game, CheckpointControl* control,
               const std::function<void(const std::string&)>& narrate);

  /// The number of values that earlier lives have sealed.
  [[nodiscard]] HeapSize frontier() const noexcept { return earlier_.frontier(); }
  [[nodiscard]] SegmentLog& log() noexcept { return *log_; }

  /// What earlier lives have sealed, for engines of one heap. Another thread may read it while this
  /// life adds to the directory.
  [[nodiscard]] SealedHeaps& heaps() noexcept { return earlier_; }

  /// Notes that another engine is at work from now on. The record keeps what was learnt of engines.
  void set_engine(const std::string& engine, const EngineSlowness& slowness);

  /// Seals the values that `fill` puts into the log, from the frontier on, as if an earlier life
  /// had found them with this engine and these kernels.
  void begin_with(const std::string& engine, const std::string& kernel,
                  const std::function<void(SegmentLog&)>& fill);

  /// The next `count` values, for engines of several heaps; empty from the window on.
  std::span<const Nimber> next(std::uint64_t count) override;

  /// Compares sealed values with those that the engine hands over, whether it computed them again
  /// or took them up, and logs new values. @throws Error(kMismatch) that names the first wrong
  /// value, or the first segment that does not match its digest
  void put(const Stretch& block);
  /// Like put() for an engine that lets values go. The first form seals values and a state from
  /// which a later life goes on. put_state() seals a state in place of values, for a run that keeps
  /// no values. SegmentLog says what is sealed when.
  void put(const Stretch& block, bool now, const SegmentLog::StateText& text);
  void put_state(const Stretch& block, bool now, const SegmentLog::StateText& text);

  /// Lets `check` compare sealed segments with the values in the engine's memory: all of them, or
  /// the first and the newest.
  /// @throws Error(kMismatch) if they differ; what may depend on the difference is set aside
  void scrub(SelfCheck& check, const Stretch& stretch);

  /// Whether a seal is under way; earlier() would wait for it.
  [[nodiscard]] bool sealing() const { return log_->sealing(); }
  /// All values so far, as they are in the files. Call it before the next put() or earlier().
  [[nodiscard]] ValueOf earlier();

  /// Removes the directory, because the table is in its place.
  void finish();

 private:
  void look_at_earlier_lives();
  void compare_with_earlier(HeapSize begin, Values values);
  void compare_with_window(HeapSize begin, Values values);
  void compare_with_digests(HeapSize begin, Values values);
  /// Whether the `kept` values agree with the file of the segment; nothing if the segment has none
  /// of them. @param begin the number of the first kept value
  [[nodiscard]] std::optional<bool> compare_with_file(const SegmentHeader& segment, HeapSize begin,
                                                      Values kept) const;

  std::optional<SegmentLog> log_;
  SealedHeaps earlier_;  ///< what is sealed; for several heaps, too: values by their numbers
  ValueBuffer window_;   ///< values from count() to the frontier; empty until they are needed
  HeapSize given_ = 0;   ///< values that next() has handed out
  std::optional<SegmentCursor> giving_;
  std::optional<SegmentCursor> looked_up_;  ///< of earlier()
  bool gives_ = true;                       ///< false from the window on
  std::vector<Nimber> piece_;               ///< the values of the last call of next()
  HeapSize handed_ = 0;  ///< values of earlier lives that the engine has handed over
  /// The digest of the handed values of the segment that has value handed_.
  std::optional<SegmentDigest> digest_;
};

}  // namespace grundy
