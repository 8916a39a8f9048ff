/// @file
/// The mex of values that come one after the other.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <vector>

#include <grundy/types.hpp>

namespace grundy {

/// The least number that was not marked. Memory grows with the largest marked one.
class Mex {
 public:
  void mark(Nimber value) {
    if (value >= marked_.size()) marked_.resize(value + 1);
    marked_[value] = true;
  }
  /// Begins anew, and keeps the memory.
  void clear() noexcept { marked_.clear(); }
  /// Whether nothing was marked.
  [[nodiscard]] bool empty() const noexcept { return marked_.empty(); }
  [[nodiscard]] Nimber value() const {
    return static_cast<Nimber>(std::ranges::find(marked_, false) - marked_.begin());
  }

 private:
  std::vector<bool> marked_;
};

}  // namespace grundy
