/// @file
/// The positions of ascending entries of a layout.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <grundy/layout.hpp>

namespace grundy {

/// For a sorted layout, Layout::position_at() takes binary searches with binomials. Here an entry
/// near the last one costs one step for each value of the larger heaps between them.
class PositionWalk {
 public:
  explicit PositionWalk(const Layout& layout) noexcept : layout_(layout) {}

  /// @pre entries ascend from call to call
  const LatticePoint& at(std::uint64_t entry) noexcept {
    constexpr int kMostSteps = 256;
    const std::uint64_t index = entry / layout_.planes;
    for (int steps = 0; layout_.sorted && steps < kMostSteps; ++steps) {
      if (index - base_ <= p_[1]) {
        p_[0] = static_cast<std::uint32_t>(index - base_);
        return p_;
      }
      base_ += p_[1] + 1;
      unsigned turned = 1;
      while (turned + 1 < layout_.heaps && p_[turned] == p_[turned + 1]) p_[turned++] = 0;
      ++p_[turned];
    }
    p_ = layout_.position_at(entry);
    base_ = index - p_[0];
    return p_;
  }

  /// Appends the sizes of the heaps of an entry, and its plane if there are several.
  /// @pre as for at()
  void append_row(std::uint64_t entry, std::vector<std::uint32_t>& row) {
    const LatticePoint& p = at(entry);
    row.insert(row.end(), p.begin(), p.begin() + layout_.heaps);
    if (layout_.planes > 1) row.push_back(layout_.plane_of(entry));
  }

 private:
  const Layout& layout_;
  LatticePoint p_{};
  std::uint64_t base_ = 0;  ///< for a sorted layout, the index of p_ with no token in heap 0
};

}  // namespace grundy
