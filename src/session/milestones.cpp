// SPDX-License-Identifier: MIT
#include "session/milestones.hpp"

#include <algorithm>
#include <bit>

namespace grundy {

Flow Milestones::put(const Block& block) {
  const HeapSize end = block.begin + block.values.size();
  for (HeapSize begin = block.begin; begin < end;) {
    // Up to the next power of two, or to the end of the block.
    const HeapSize stop = std::min(end, std::bit_ceil(begin + 1));
    collector_.put({begin, block.values.subspan(begin - block.begin, stop - begin), {}});
    if (std::has_single_bit(stop)) milestones_.push_back(collector_.stats());
    begin = stop;
  }
  if (zeros_.size() < most_) {
    block.values.visit([&](auto values) {
      for (auto at = std::ranges::find(values, 0); at != values.end() && zeros_.size() < most_;
           at = std::find(at + 1, values.end(), 0)) {
        zeros_.push_back(block.begin + static_cast<HeapSize>(at - values.begin()));
      }
    });
  }
  return Flow::kContinue;
}

}  // namespace grundy
