/// @file
/// The part of a computation that outlives its process: its run directory, and how a later process
/// takes it up.
///
/// The values are the checkpoint. A later life gives the engine all sealed values but the last few
/// thousand (the *window*), lets it compute those again and compares: a machine, build or file that
/// has gone wrong shows there, before one new value is sealed.
// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <grundy/compute.hpp>

#include "core/value_buffer.hpp"
#include "run/run_directory.hpp"
#include "run/segment_log.hpp"
#include "session/self_check.hpp"
#include "session/setup.hpp"

namespace grundy {

class SealedRun final : public KnownValues {
 public:
  /// Values that are computed again, at least.
  static constexpr HeapSize kWindow = 4096;

  /// Opens or creates the run directory of the request's output.
  /// @throws Error(kUsage) if the output cannot be made, Error(kFailure) if another process works
  ///   on it, Error(kCorrupt) if the directory is damaged or is a run of something else
  SealedRun(const HeapSetup& setup, CheckpointControl* control,
            const std::function<void(const std::string&)>& narrate);

  /// The table is in its place already; nothing is left to do.
  [[nodiscard]] bool finished() const noexcept { return finished_; }
  /// Heaps below are sealed by earlier lives.
  [[nodiscard]] HeapSize frontier() const noexcept { return frontier_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return directory_.path(); }
  [[nodiscard]] const RunDirectory& directory() const noexcept { return directory_; }
  [[nodiscard]] SegmentLog& log() noexcept { return *log_; }

  /// Heaps that the engine is given: the sealed ones without the window.
  [[nodiscard]] HeapSize count() const noexcept override { return known_; }
  void replay(BlockSink& sink) const override;

  /// Compares what the engine has computed again with the window, and logs what is new.
  /// @throws Error(kMismatch) naming the first heap that differs
  void put(const Block& block);

  /// Lets `check` compare sealed segments with the table in memory.
  /// @throws Error(kMismatch) if they differ; what may depend on the difference is set aside
  void scrub(SelfCheck& check, Values table);

  /// Removes the directory: the table is in its place.
  void finish();

 private:
  void check_record(const HeapSetup& setup) const;
  void load_window(HeapSize first);
  void import_base(const HeapSetup& setup);

  RunDirectory directory_;
  std::optional<SegmentLog> log_;
  bool finished_ = false;
  HeapSize frontier_ = 0;
  HeapSize known_ = 0;
  ValueBuffer window_;  ///< heaps known_ .. frontier_-1, once the engine has begun
};

}  // namespace grundy
