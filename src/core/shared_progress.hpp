/// @file
/// Progress of many pieces of a work together, told from any thread.
///
/// Pieces cost unequal work, so a share of the work is no share of the values: both are counted.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <mutex>
#include <span>

#include <grundy/progress.hpp>

namespace grundy {

/// A piece of a work, or a part of one.
struct Piece {
  HeapSize values = 0;
  double work = 0;  ///< what they cost, in a unit of the whole
};

inline Piece whole_of(std::span<const Piece> pieces) {
  Piece whole;
  for (const Piece& piece : pieces) {
    whole.values += piece.values;
    whole.work += piece.work;
  }
  return whole;
}

class SharedProgress {
 public:
  /// @param sink null: nobody listens
  explicit SharedProgress(ProgressSink* sink) : sink_(sink) {}

  /// How much there will be. Where it turns out to be less, the share that is done grows.
  void expect(Piece whole) {
    const std::lock_guard lock(mutex_);
    whole_ = whole;
    tell();
  }
  /// The same where every value costs as much.
  void expect(HeapSize values) { expect({values, static_cast<double>(values)}); }

  void advance(Piece done) {
    const std::lock_guard lock(mutex_);
    done_.values += done.values;
    done_.work += done.work;
    tell();
  }
  void advance(HeapSize values) { advance({values, static_cast<double>(values)}); }

 private:
  void tell() {
    if (sink_ == nullptr || whole_.values == 0) return;
    // Sums of fractions may exceed the whole by a rounding.
    sink_->report({std::min(done_.values, whole_.values), whole_.values,
                   std::min(done_.work, whole_.work), whole_.work});
  }

  ProgressSink* sink_;
  std::mutex mutex_;
  Piece done_, whole_;
};

/// What the engine of one piece tells, as a part of the whole.
class PieceProgress final : public ProgressSink {
 public:
  PieceProgress(SharedProgress& whole, Piece piece) : whole_(whole), piece_(piece) {}

  void report(const Progress& progress) override { advance_to(std::min(1.0, progress.share())); }
  /// All of it is done, whatever was told.
  void finish() { advance_to(1); }

 private:
  void advance_to(double share) {
    const auto values = static_cast<HeapSize>(share * static_cast<double>(piece_.values));
    const double work = share * piece_.work;
    if (work <= told_.work && values <= told_.values) return;
    whole_.advance({values - told_.values, work - told_.work});
    told_ = {values, work};
  }

  SharedProgress& whole_;
  Piece piece_;
  Piece told_;
};

/// What an engine tells that goes on from heap `from`, as a part of `total` heaps of which `done`
/// were computed before.
class HeapsDone final : public ProgressSink {
 public:
  HeapsDone(ProgressSink& told, HeapSize from, HeapSize done, HeapSize total)
      : told_(told), from_(from), done_(done), total_(total) {}

  void report(const Progress& progress) override {
    const HeapSize done = std::min(done_ + std::max(progress.done, from_) - from_, total_);
    told_.report({done, total_, static_cast<double>(done) / static_cast<double>(total_)});
  }

 private:
  ProgressSink& told_;
  HeapSize from_;
  HeapSize done_;
  HeapSize total_;
};

}  // namespace grundy
