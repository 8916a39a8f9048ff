/// @file
/// The common progress of many pieces of one work, reported from any thread.
///
/// Pieces cost unequal work, so the share of the work differs from the share of the values. Both
/// are counted.
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
  double work = 0;  ///< their cost, in the unit of the whole
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

  /// Sets the whole. If the whole becomes less, the share that is done grows.
  void expect(Piece whole) {
    const std::lock_guard lock(mutex_);
    whole_ = whole;
    tell();
  }
  /// The same if every value costs as much as any other.
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
    // Rounding may make sums of fractions larger than the whole.
    sink_->report({std::min(done_.values, whole_.values), whole_.values,
                   std::min(done_.work, whole_.work), whole_.work});
  }

  ProgressSink* sink_;
  std::mutex mutex_;
  Piece done_, whole_;
};

/// The progress of an engine on one piece, as a part of the whole.
class PieceProgress final : public ProgressSink {
 public:
  PieceProgress(SharedProgress& whole, Piece piece) : whole_(whole), piece_(piece) {}

  void report(const Progress& progress) override { advance_to(std::min(1.0, progress.share())); }
  /// All of the piece is done, whatever was reported.
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

/// The progress of an engine that goes on from heap `from`, as a part of `total` heaps of which
/// `done` were computed before.
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
