/// @file
/// The progress of a run that goes on after its last value: it copies the values into the file, and
/// reads the file back.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <grundy/progress.hpp>

namespace grundy {

class ReadingProgress final : public ProgressSink {
 public:
  /// @param share the time after the last value, as a share of the time of the engine in this life
  ReadingProgress(ProgressSink& sink, double share) : sink_(sink), share_(share) {}

  /// Progress of the engine.
  void report(const Progress& progress) override;
  /// @param part the part of the work after the last value that is done
  void read(double part);

 private:
  ProgressSink& sink_;
  double share_;
  std::optional<double> begun_;  ///< work that was done at the first report of this cost model
  Progress engine_;
};

}  // namespace grundy
