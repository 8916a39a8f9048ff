// SPDX-License-Identifier: MIT
#include "session/milestones.hpp"

#include <algorithm>
#include <bit>

#include <grundy/compute.hpp>

namespace grundy {

Flow Milestones::put(const Stretch& block) {
  const HeapSize end = block.begin + block.values.size();
  for (HeapSize begin = block.begin; begin < end;) {
    // Up to the next power of two, or to the end of the block.
    const HeapSize stop = std::min(end, std::bit_ceil(begin + 1));
    collector_.put({begin, block.values.subspan(begin - block.begin, stop - begin), {}});
    if (std::has_single_bit(stop)) milestones_.push_back(collector_.stats());
    begin = stop;
  }
  list_zeros(block, kMilestoneZeros, zeros_);
  const HeapSize fresh = std::min<HeapSize>(kTailValues, block.values.size());
  const HeapSize old = std::min<HeapSize>(kTailValues - fresh, tail_.size());
  tail_.erase(tail_.begin(), tail_.end() - static_cast<std::ptrdiff_t>(old));
  block.values.subspan(block.values.size() - fresh, fresh).visit([&](auto values) {
    tail_.insert(tail_.end(), values.begin(), values.end());
  });
  return Flow::kContinue;
}

void Milestones::note_rare(const Stretch& block) {
  if (block.sparse == nullptr) return;
  const auto listed = block.rare.first(std::min(block.rare.size(), kMilestoneRare));
  // Mostly the list is what it was, or longer; another split makes another list.
  if (std::ranges::equal(listed, rare_)) return;
  rare_.assign(listed.begin(), listed.end());
}

}  // namespace grundy
