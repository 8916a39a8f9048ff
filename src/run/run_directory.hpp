/// @file
/// The directory in which a run keeps what it has finished: `FILE.h5.run/` beside `FILE.h5`.
///
///   lock            who is at work, see run_lock.hpp
///   run.json        what the run is about, see run_record.hpp
///   seg-NNN.gseg    sealed values, see segment.hpp
///   *.suspect       a segment that was taken out of the chain, see RunDirectory::set_aside()
///   *.tmp           what is being written; removed by whoever opens the directory next
///   finished        run.json under its last name: the table is in its place, the rest can go
///
/// No list of segments exists that could disagree with them: the frontier is the end of the longest
/// valid chain. README.md tells why, and what happens after a crash at each point.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/sink.hpp>

#include "run/run_lock.hpp"
#include "run/run_record.hpp"
#include "run/segment.hpp"
#include "run/segment_writer.hpp"

namespace grundy {

/// The record, in the directory of a run.
inline constexpr const char* kRunRecordName = "run.json";
/// The file of a search for one value (session/search_run.hpp), which takes the directory of its
/// output, too.
inline constexpr const char* kLearntName = "learnt";

/// Where the run for the table `output` works.
std::filesystem::path run_directory_for(const std::filesystem::path& output);

/// The table that the run in `directory` is to make. @throws Error(kUsage) if it is no directory of
/// a run
std::filesystem::path output_of(const std::filesystem::path& directory);

/// The record and the chain of a directory, read without the lock, to look at them and check them.
struct RunContents {
  std::optional<RunRecord> record;  ///< nothing if the run has sealed nothing
  std::vector<Segment> segments;
  bool was_lost = false;  ///< the record is the one that was given
};

/// @param lost stands for a record that is damaged or missing, if the segments are of its run
/// @throws Error(kCorrupt) naming the file if anything in the chain is damaged, missing or foreign
RunContents read_run(const std::filesystem::path& directory, const RunRecord* lost = nullptr);

/// Hands the values of heaps `from` .. `to` - 1 to `sink`. @throws Error(kCorrupt)
Flow replay(const std::vector<Segment>& segments, HeapSize from, HeapSize to, ValueSink& sink);

/// Takes a chunk as it is sealed: the number of its first value, and what SegmentReader reads.
using ChunkTaker = std::function<Flow(HeapSize begin, const SegmentReader::Encoded& chunk)>;

/// Hands over the heaps below `to` in their order. Whole chunks of `chunk` values of `width` go to
/// `take` as they are, all other values to `sink`. @throws Error(kCorrupt)
Flow replay_chunks(const std::vector<Segment>& segments, HeapSize to, ValueWidth width,
                   HeapSize chunk, const ChunkTaker& take, ValueSink& sink);

/// The names of engines (or kernels) in the headers, each once, in order.
std::vector<std::string> makers_of(const std::vector<Segment>& segments,
                                   std::string SegmentHeader::*maker);
/// The same as one text with commas, and `current` at the end if it is new.
std::string makers(const std::vector<Segment>& segments, std::string SegmentHeader::*maker,
                   std::string_view current);

/// The directory of a run that is at work.
class RunDirectory {
 public:
  /// Takes the lock of `path`, which is created if it does not exist; removes what an earlier
  /// process left unsealed.
  /// @param lost as of read_run()
  /// @throws Error(kFailure) if another process is at work there, Error(kCorrupt) as read_run(),
  ///   Error(kUsage) if the directory cannot be made, or is that of a search for one value
  RunDirectory(const std::filesystem::path& path, bool force, const RunRecord* lost = nullptr);
  /// Releases the lock; the directory goes with it unless something is sealed in it.
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] const std::optional<RunRecord>& record() const noexcept { return contents_.record; }
  /// Whether the directory has the record: it does not at the beginning, and if it was lost.
  [[nodiscard]] bool has_record() const noexcept { return contents_.record && !contents_.was_lost; }
  [[nodiscard]] const std::vector<Segment>& segments() const noexcept { return contents_.segments; }
  /// The number of sealed values: heaps below it are sealed, or the first values in the order of
  /// the engine.
  [[nodiscard]] HeapSize frontier() const noexcept {
    return segments().empty() ? 0 : segments().back().header.end();
  }
  /// Whether an earlier process put the table in its place, and died while it removed the
  /// directory.
  [[nodiscard]] bool was_finished() const noexcept { return was_finished_; }
  /// The process that ended without releasing the lock; empty if none did.
  [[nodiscard]] const std::string& stale_holder() const noexcept { return lock_->stale_holder(); }

  /// Writes the record, durably. Nothing can be sealed before. @throws Error(kFailure)
  void write_record(const RunRecord& record);
  /// Seals the segment as the next one of the chain, or in the place of the last one if it has the
  /// same number. @pre record() is set, and the header continues the chain. @throws Error(kFailure)
  void seal(SegmentWriter& segment);
  /// Seals the part of the segment that SegmentWriter::seal_whole_chunks() keeps.
  /// @throws Error(kFailure)
  void seal_whole_chunks(SegmentWriter& segment);
  /// Takes the segments from number `first` on out of the chain; their files stay as `.suspect`.
  /// @throws Error(kFailure)
  void set_aside(std::size_t first);
  /// Removes the directory, because the table is in its place.
  void finish();

 private:
  /// The chain digest that the next segment continues.
  [[nodiscard]] const Digest128& previous_of(const SegmentWriter& segment) const noexcept;
  void remove_all() noexcept;

  std::filesystem::path path_;
  std::optional<RunLock> lock_;
  RunContents contents_;
  bool was_finished_ = false;
};

}  // namespace grundy
