/// @file
/// Stops a run or a proof when half of it is done.
// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>

#include <grundy/progress.hpp>

namespace grundy::testing_support {

class StopsHalfWay final : public ProgressSink {
 public:
  void report(const Progress& progress) noexcept override {
    if (2 * progress.work_done >= progress.work_total) stop_.request_stop();
  }
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
};

}  // namespace grundy::testing_support
