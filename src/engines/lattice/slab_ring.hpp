/// @file
/// The values of the slabs in work, and of the slabs that look-ups reach.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include <grundy/types.hpp>

#include "engines/lattice/set_plan.hpp"

namespace grundy {

/// Slabs in groups of `thickness`; a group is a run of positions in the order of the table.
class SlabRing {
 public:
  SlabRing(const SetPlan& plan, unsigned planes, std::uint32_t thickness, std::size_t groups)
      : plan_(plan), planes_(planes), thickness_(thickness), ring_(groups) {}

  struct Group {
    std::uint64_t first = 0;  ///< number of the first position
    std::vector<Nimber> values;
  };

  /// All groups, in no order.
  [[nodiscard]] std::vector<Group>& groups() noexcept { return ring_; }
  [[nodiscard]] Group& group(std::uint64_t index) noexcept { return ring_[index % ring_.size()]; }

  /// Makes room for the group in place of one that is no longer needed.
  void open(std::uint64_t index) {
    const auto begin = [&](std::uint64_t slab) {
      if (slab >= plan_.extent[0]) {
        LatticePoint last{};
        for (unsigned i = 0; i < plan_.heaps; ++i) last[i] = plan_.extent[i] - 1;
        return plan_.position(last) + 1;
      }
      return plan_.position({static_cast<std::uint32_t>(slab)});
    };
    Group& group = this->group(index);
    group.first = begin(index * thickness_);
    group.values.resize((begin((index + 1) * thickness_) - group.first) * planes_);
  }

  /// The values of a position of an open group, one for each plane.
  [[nodiscard]] Nimber* at(const LatticePoint& y) noexcept {
    Group& group = this->group(y[0] / thickness_);
    return group.values.data() + (plan_.position(y) - group.first) * planes_;
  }

  /// The values of the position y - step, or null if there is no such position.
  [[nodiscard]] const Nimber* behind(LatticePoint y, const LatticePoint& step) noexcept {
    for (unsigned i = 0; i < plan_.heaps; ++i) {
      if (y[i] < step[i]) return nullptr;
      y[i] -= step[i];
    }
    if (plan_.sorted) std::sort(y.begin(), y.end(), std::greater<>());  // unused heaps are 0
    return at(y);
  }

 private:
  const SetPlan& plan_;
  unsigned planes_;
  std::uint32_t thickness_;
  std::vector<Group> ring_;
};

}  // namespace grundy
