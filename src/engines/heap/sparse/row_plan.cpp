// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/row_plan.hpp"

#include <algorithm>

namespace grundy::sparse {

RowPlan::RowPlan(std::vector<Source> sources, std::size_t stride) {
  std::ranges::sort(sources, [](const Source& a, const Source& b) {
    return a.shift() != b.shift() ? a.shift() < b.shift() : a.offset < b.offset;
  });
  bytes_.reserve(sources.size());
  for (const Source& s : sources) {
    bytes_.push_back(s.byte(stride));
    for (std::size_t later = s.shift() + 1; later < begin_.size(); ++later) ++begin_[later];
  }
}

}  // namespace grundy::sparse
