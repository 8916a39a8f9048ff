/// @file
/// Progress of many games together, told from any thread.
// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

#include <grundy/progress.hpp>

namespace grundy::atlas {

class SharedProgress {
 public:
  /// @param sink null: nobody listens
  explicit SharedProgress(ProgressSink* sink) : sink_(sink) {}

  /// How many there will be.
  void expect(HeapSize total) noexcept { total_ = total; }
  void advance(HeapSize done) {
    if (sink_ == nullptr) return;
    const std::lock_guard lock(mutex_);
    done_ += done;
    sink_->report({done_, total_, static_cast<double>(done_) / static_cast<double>(total_)});
  }

 private:
  ProgressSink* sink_;
  std::mutex mutex_;
  HeapSize done_ = 0, total_ = 0;
};

}  // namespace grundy::atlas
