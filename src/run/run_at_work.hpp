/// @file
/// The directory of a run in the hands of a life: it is the one that the life means, and no other
/// process works there.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <grundy/checkpoint.hpp>
#include <grundy/machine.hpp>

#include "run/run_directory.hpp"
#include "run/self_check.hpp"
#include "table/chunk_codec.hpp"

namespace grundy {

/// What a life must know of its run.
struct RunTerms {
  std::filesystem::path output;  ///< the table; the directory stands beside it
  RunRecord record;              ///< of a new run; an old run must have the same identity
  HeapSize count = 0;            ///< the number of all values that the engine hands over
  bool force = false;            ///< take over any lock; drop sealed values beyond the last heap
  /// A run of one heap that was begun for another count takes the new count.
  bool change_range = false;
  CheckpointInterval checkpoint{};
  Matches matches = Matches::kAllowed;  ///< of the values to be sealed
  std::string engine, kernel;           ///< what will compute
  Executor* executor = nullptr;         ///< encodes the values to be sealed; never null
  /// Whether a file is the table that the run is to make.
  std::function<bool(const std::filesystem::path&)> is_the_table;
};

class RunAtWork {
 public:
  /// Opens or creates the run directory, and writes its record. @param game names values; must
  /// outlive this
  /// @throws Error(kUsage) if the output cannot be made, Error(kFailure) if another process works
  ///   on it, Error(kCorrupt) if the directory is damaged or is a run of something else
  RunAtWork(RunTerms terms, const NumberedGame& game,
            const std::function<void(const std::string&)>& narrate);

  /// Whether the file is already in its place, so that nothing is left to do.
  [[nodiscard]] bool finished() const noexcept { return finished_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return directory_.path(); }
  [[nodiscard]] const RunDirectory& directory() const noexcept { return directory_; }
  /// Notes that the file of a run that stays is in its place: it is the run's own from now on, and
  /// a later life must be asked again to replace it. @pre no seal is under way
  void note_published();

 protected:
  ~RunAtWork() = default;

  void say(const std::string& sentence) const;
  /// Says how many values are sealed, of those that are wanted.
  void say_frontier() const;
  /// Removes the directory, because the file is in its place.
  void remove();

  RunTerms terms_;
  const NumberedGame& game_;
  RunDirectory directory_;

 private:
  void check_record() const;

  std::function<void(const std::string&)> narrate_;
  bool finished_ = false;
};

}  // namespace grundy
