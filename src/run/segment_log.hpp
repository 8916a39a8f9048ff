/// @file
/// Values on their way into sealed segments.
///
/// Values are encoded as they come, in chunks of the table that the run makes (value_chunks.hpp),
/// and written. They are sealed when the checkpoint interval is over, when a value needs a larger
/// width, or when a seal is requested. A seal waits for the device, so it has a thread of its own
/// while the next segment grows. Only one seal is under way at a time, in order.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <grundy/checkpoint.hpp>
#include <grundy/machine.hpp>
#include <grundy/sink.hpp>

#include "run/background_seal.hpp"
#include "run/run_directory.hpp"
#include "run/value_chunks.hpp"

namespace grundy {

class SegmentLog final : public ValueSink {
 public:
  /// @pre the directory has a record
  /// @param engine, kernel go into the headers
  /// @param executor its threads encode
  /// @param matches how they encode
  SegmentLog(RunDirectory& directory, const CheckpointInterval& interval, Executor& executor,
             std::string engine, std::string kernel, CheckpointControl* control,
             Matches matches = Matches::kAllowed);
  /// Sets the engine of the segments that begin from now on.
  void set_engine(std::string engine) { next_.engine = std::move(engine); }
  void set_kernel(std::string kernel) { next_.kernel = std::move(kernel); }
  /// The text with everything but values on which later heaps depend.
  using StateText = std::function<std::string()>;

  /// Takes the next values. @throws Error(kFailure) if writing or an earlier seal has failed
  Flow put(const Stretch& block) override;
  /// The same, but the values are sealed as a state if a seal is due, or if `now` is set.
  void put(const Stretch& block, bool now, const StateText& text);
  /// Whether put_chunk() takes chunks of `chunk` values of `width`: chunks like its own.
  [[nodiscard]] bool takes_chunks(HeapSize chunk, ValueWidth width) const noexcept {
    return chunk == next_.chunk && width >= next_.width && !next_.plain;
  }
  /// Takes the next values as a whole, encoded chunk. @pre takes_chunks(chunk.count, width), and
  /// the chunk begins at a multiple of its size. @throws as put()
  void put_chunk(HeapSize begin, const ValueChunk& chunk, ValueWidth width);
  /// Takes the next heaps, begin .. end - 1, without their values. From then on no values are kept.
  /// Seals a state of the newest values if a seal is due, if `now` is set, or if the heaps have
  /// grown by a certain part. As long as they have not grown by that part, the new state replaces
  /// the one before it. Without a text nothing is sealed: no life can go on from there.
  /// @throws as put()
  void put_state(HeapSize begin, HeapSize end, Values newest, bool now, const StateText& text);
  /// Seals everything so far, and waits until it is sealed. @throws Error(kFailure)
  void seal();
  /// Waits for a seal that is under way. The segments of the directory may be read then, until
  /// something is put. @throws Error(kFailure) if it has failed
  void wait_for_seal();
  /// Seals what it can after a failure, such as a full device: the chunks that are in the file of
  /// the open segment. Nothing can be put after that.
  void rescue() noexcept;
  /// Takes the segments from number `first` on out of the chain. Nothing can be put after that.
  /// @throws Error(kFailure)
  void set_aside(std::size_t first);
  /// Whether a seal is under way; segments() would wait for it.
  [[nodiscard]] bool sealing() const { return seal_.is_under_way(); }
  /// All segments when no seal is under way; the last one may not be sealed. Read them before the
  /// next put(). @throws Error(kFailure) if the last seal failed
  [[nodiscard]] std::vector<Segment> segments();
  /// grundy::replay_chunks() for all values, including those that are not sealed.
  Flow replay_chunks(HeapSize to, ValueWidth width, HeapSize chunk, const ChunkTaker& take,
                     ValueSink& sink);
  /// Headers of the segments that are known to be sealed, from the first one on.
  [[nodiscard]] std::span<const SegmentHeader> sealed() const noexcept { return sealed_; }
  /// Whether unsealed values took so long to compute that they are sealed before the table is
  /// completed. Completing it takes less time.
  [[nodiscard]] bool is_worth_sealing() const { return unsealed_time() > kWorthSealing; }

 private:
  static constexpr std::chrono::minutes kWorthSealing{1};

  /// Time since something was sealed, or since the start.
  [[nodiscard]] std::chrono::duration<double> unsealed_time() const {
    return std::chrono::steady_clock::now() - last_seal_;
  }
  /// @throws Error(kFailure) unless `begin` is the number of the next value
  void expect(HeapSize begin) const;
  [[nodiscard]] bool due() const;
  void begin_segment(ValueWidth width);
  /// Makes room in the open segment for values of `width`.
  void open_segment_for(ValueWidth width);
  /// Ends the open segment if it is full, if a seal is due, or if `now` is set.
  void end_segment_in_time(bool now, const StateText& text);
  /// Ends the open segment, and begins to seal it; as a state if there is a text.
  void end_segment(const StateText& text = {});
  void start_seal(std::unique_ptr<SegmentWriter> segment);

  RunDirectory& directory_;  ///< belongs to a seal that is under way
  CheckpointInterval interval_;
  Executor& executor_;
  CheckpointControl* control_;
  SegmentHeader next_;  ///< of the segment that begins next
  std::vector<SegmentHeader> sealed_;
  HeapSize end_;      ///< of the values that were taken
  HeapSize covered_;  ///< end of the last segment, which may be growing;
                      ///< not of a state that the next one replaces
  const Matches matches_;
  std::unique_ptr<SegmentWriter> open_;  ///< null: the next value begins a segment
  /// The chunks of the open segment, and of earlier segments of its width.
  std::unique_ptr<ValueChunks> chunks_;
  BackgroundSeal seal_;
  std::chrono::steady_clock::time_point last_seal_ = std::chrono::steady_clock::now();
};

}  // namespace grundy
