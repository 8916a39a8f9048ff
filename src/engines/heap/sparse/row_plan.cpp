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

void RowPlan::collect(const RowKernels& kernels, const std::uint8_t* base, std::uint64_t* into,
                      std::size_t words) const noexcept {
  for (unsigned shift = 0; shift < 8; ++shift) {
    const std::size_t count = begin_[shift + 1] - begin_[shift];
    if (count == 0) continue;
    kernels.or_shifted(base, bytes_.data() + begin_[shift], count, shift, into, words);
  }
}

}  // namespace grundy::sparse
