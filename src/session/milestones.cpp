// SPDX-License-Identifier: MIT
#include "session/milestones.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

namespace grundy {

void Milestones::resume(HeapStatistics earlier, Values newest) {
  found_ = std::move(earlier);
  keep_tail(newest);
}

void Milestones::keep_tail(Values newest) {
  const HeapSize fresh = std::min<HeapSize>(kTailValues, newest.size());
  const HeapSize old = std::min<HeapSize>(kTailValues - fresh, found_.tail.size());
  found_.tail.erase(found_.tail.begin(), found_.tail.end() - static_cast<std::ptrdiff_t>(old));
  newest.subspan(newest.size() - fresh).visit([&](auto values) {
    found_.tail.insert(found_.tail.end(), values.begin(), values.end());
  });
}

void Milestones::count(const Stretch& block, StatsCollector& counter) {
  const HeapSize end = block.begin + block.values.size();
  for (HeapSize begin = block.begin; begin < end;) {
    // Up to the next power of two, or to the end of the block.
    const HeapSize stop = std::min(end, std::bit_ceil(begin + 1));
    counter.put({begin, block.values.subspan(begin - block.begin, stop - begin), {}});
    if (std::has_single_bit(stop)) found_.milestones.push_back(counter.stats());
    begin = stop;
  }
  list_zeros(block, kMilestoneZeros, found_.zeros);
  keep_tail(block.values);
}

void Milestones::note_seal(const SealedAt& seal) {
  std::vector<SealedAt>& seals = found_.seals;
  seals.push_back(seal);
  if (seals.size() <= kMilestoneSeals) return;
  const std::size_t kept = kMilestoneSeals / 4;
  for (std::size_t i = 0; i < kept; ++i) seals[i] = seals[2 * i + 1];
  const auto begin = seals.begin() + static_cast<std::ptrdiff_t>(kept);
  seals.erase(begin, begin + static_cast<std::ptrdiff_t>(kept));
}

void Milestones::note_rare(const Stretch& block) {
  if (block.sparse == nullptr) return;
  found_.sparse = *block.sparse;
  const auto listed = block.rare.first(std::min(block.rare.size(), kMilestoneRare));
  // Usually the list is unchanged or longer; another split makes another list.
  if (std::ranges::equal(listed, found_.rare_heaps)) return;
  found_.rare_heaps.assign(listed.begin(), listed.end());
}

std::optional<HeapSize> last_zero(const TableStats& counted, const HeapStatistics& found) {
  if (!found.zeros.empty() && found.zeros.size() == counted.zeros()) return found.zeros.back();
  return last_zero({counted.count - found.tail.size(), std::span<const Nimber>(found.tail), {}});
}

}  // namespace grundy
