/// @file
/// A seal waits for the device, so it has a thread of its own while the run goes on. Only one is
/// under way at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include <grundy/checkpoint.hpp>

#include "run/run_directory.hpp"
#include "run/segment_writer.hpp"

namespace grundy {

class BackgroundSeal {
 public:
  /// @param control hears how many values are sealed; null: nobody listens
  BackgroundSeal(RunDirectory& directory, CheckpointControl* control)
      : directory_(directory), control_(control) {}
  BackgroundSeal(const BackgroundSeal&) = delete;
  BackgroundSeal& operator=(const BackgroundSeal&) = delete;
  /// Waits for a seal that is under way.
  ~BackgroundSeal() {
    if (pending_.valid()) pending_.wait();
  }

  /// Begins to seal the segment. The directory belongs to the seal until it was waited for.
  /// @pre none was begun, or it was waited for
  void begin(std::unique_ptr<SegmentWriter> segment) {
    segment_ = std::move(segment);
    pending_ = std::async(std::launch::async, [this] { directory_.seal(*segment_); });
  }
  /// Whether a seal is under way; wait() would block.
  [[nodiscard]] bool is_under_way() const {
    return pending_.valid() &&
           pending_.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  }
  /// Waits for a seal that was begun. Returns whether there was one. @throws Error(kFailure) if it
  /// has failed
  bool wait() {
    if (!pending_.valid()) return false;
    pending_.get();
    segment_.reset();
    if (control_ != nullptr) control_->set_sealed(directory_.frontier());
    return true;
  }
  /// The segment of a seal that is under way or has failed; null if there is none.
  [[nodiscard]] SegmentWriter* segment() const noexcept { return segment_.get(); }

 private:
  RunDirectory& directory_;
  CheckpointControl* control_;
  std::unique_ptr<SegmentWriter> segment_;
  std::future<void> pending_;  ///< seals segment_
};

}  // namespace grundy
