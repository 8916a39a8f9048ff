/// @file
/// Values on their way into sealed segments.
///
/// Values are encoded as they come, in chunks of the table that the run makes (value_chunks.hpp),
/// and written. They are sealed when the checkpoint interval is over, when a value needs a larger
/// width, or when somebody asks. A seal waits for the device, so a thread of its own makes it while
/// the next segment grows. One seal is under way at a time, in order.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <grundy/checkpoint.hpp>
#include <grundy/machine.hpp>
#include <grundy/sink.hpp>

#include "run/run_directory.hpp"
#include "run/value_chunks.hpp"

namespace grundy {

class SegmentLog final : public ValueSink {
 public:
  /// The directory must have a record. `engine` and `kernel` go into the headers; the threads of
  /// `executor` encode.
  SegmentLog(RunDirectory& directory, const CheckpointInterval& interval, Executor& executor,
             std::string engine, std::string kernel, CheckpointControl* control);
  /// Waits for a seal that is under way; drops what is not sealed.
  ~SegmentLog() override;

  /// The engine of the segments that begin from now on.
  void set_engine(std::string engine) { next_.engine = std::move(engine); }
  void set_kernel(std::string kernel) { next_.kernel = std::move(kernel); }
  /// What later heaps depend on besides values, as a text.
  using StateText = std::function<std::string()>;

  /// Takes the next values. @throws Error(kFailure) if writing or an earlier seal has failed
  Flow put(const Stretch& block) override;
  /// The same; the values are sealed as a state if a seal is due, or `now`.
  void put(const Stretch& block, bool now, const StateText& text);
  /// Whether put_chunk() takes chunks of so many values of that width: those that it would make.
  [[nodiscard]] bool takes_chunks(HeapSize chunk, ValueWidth width) const noexcept {
    return chunk == next_.chunk && width >= next_.width && !next_.plain;
  }
  /// Takes the next values as a whole chunk, encoded. @pre takes_chunks(chunk.count, width), and it
  /// begins at a multiple of its size. @throws as put()
  void put_chunk(HeapSize begin, const ValueChunk& chunk, ValueWidth width);
  /// Takes the heaps begin .. end - 1, the next ones, without their values, from which on none are
  /// kept. If a seal is due, or `now`, or the heaps have grown by a part, it seals a state of the
  /// newest values. As long as they have not grown by that part, it takes the place of the state
  /// before it. @throws as put()
  void put_state(HeapSize begin, HeapSize end, Values newest, bool now, const StateText& text);
  /// Seals everything so far and waits for it. @throws Error(kFailure)
  void seal();
  /// Seals what it can after a failure, perhaps of a full device: the chunks in the file of the
  /// segment at hand. Nothing can be put after that.
  void rescue() noexcept;
  /// Takes the segments from number `first` on out of the chain, after which nothing can be put.
  /// @throws Error(kFailure)
  void set_aside(std::size_t first);
  /// Whether a seal is under way, so that segments() would have to wait.
  [[nodiscard]] bool sealing() const;
  /// All segments once no seal is under way, the last perhaps unsealed: to be read before the next
  /// put(). @throws Error(kFailure) if the last seal failed
  [[nodiscard]] std::vector<Segment> segments();
  /// grundy::replay_chunks() of all values, those that are not sealed included.
  Flow replay_chunks(HeapSize to, ValueWidth width, HeapSize chunk, const ChunkTaker& take,
                     ValueSink& sink);
  /// Headers of what is known to be sealed, from the first segment on.
  [[nodiscard]] std::span<const SegmentHeader> sealed() const noexcept { return sealed_; }
  /// Whether values that are not sealed took so long to compute that they are to be sealed before
  /// the table is completed, which takes less time.
  [[nodiscard]] bool is_worth_sealing() const { return unsealed_time() > kWorthSealing; }

 private:
  static constexpr std::chrono::minutes kWorthSealing{1};

  /// Time since something was sealed, or since the start.
  [[nodiscard]] std::chrono::duration<double> unsealed_time() const {
    return std::chrono::steady_clock::now() - last_seal_;
  }
  /// @throws Error(kFailure) unless this value is the next one
  void expect(HeapSize begin) const;
  [[nodiscard]] bool due() const;
  void begin_segment(ValueWidth width);
  /// Makes room in the open segment for values of that width.
  void open_segment_for(ValueWidth width);
  /// Ends the open segment if it is full, a seal is due, or `now`.
  void end_segment_in_time(bool now, const StateText& text);
  /// Ends the open segment, and begins to seal it: as a state if there is a text.
  void end_segment(const StateText& text = {});
  void start_seal(std::unique_ptr<SegmentWriter> segment);
  void wait_for_seal();

  RunDirectory& directory_;  ///< of the sealing thread while a seal is under way
  CheckpointInterval interval_;
  Executor& executor_;
  CheckpointControl* control_;
  SegmentHeader next_;  ///< of the segment that begins next
  std::vector<SegmentHeader> sealed_;
  HeapSize end_;                         ///< of what was taken
  HeapSize covered_;                     ///< end of the last segment, which may be growing;
                                         ///< not of a state that the next one replaces
  std::unique_ptr<SegmentWriter> open_;  ///< none: the next value begins a segment
  std::unique_ptr<ValueChunks> chunks_;  ///< of the open segment, and of earlier ones of its width
  std::unique_ptr<SegmentWriter> sealing_;
  std::future<void> pending_;  ///< seals sealing_
  std::chrono::steady_clock::time_point last_seal_ = std::chrono::steady_clock::now();
};

}  // namespace grundy
