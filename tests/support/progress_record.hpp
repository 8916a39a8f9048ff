/// @file
/// Records all progress reports that a sink receives.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <grundy/progress.hpp>

namespace grundy::testing_support {

class ProgressRecord final : public ProgressSink {
 public:
  void report(const Progress& progress) override { heard_.push_back(progress); }

  /// The share that is done never falls, and in the end all is done.
  void expect_to_rise_to_the_end() const {
    ASSERT_FALSE(heard_.empty());
    double share = 0;
    for (const Progress& progress : heard_) {
      ASSERT_GE(progress.share(), share);
      ASSERT_LE(progress.done, progress.total);
      share = progress.share();
    }
    EXPECT_GT(share, 1 - 1e-9);
    EXPECT_LE(share, 1);
    EXPECT_EQ(heard_.back().done, heard_.back().total);
  }
  /// The largest share that was done between two reports, or before the first one.
  [[nodiscard]] double largest_step() const {
    double share = 0, largest = 0;
    for (const Progress& progress : heard_) {
      largest = std::max(largest, progress.share() - share);
      share = progress.share();
    }
    return largest;
  }

 private:
  std::vector<Progress> heard_;
};

}  // namespace grundy::testing_support
