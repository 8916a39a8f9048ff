// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/taps.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace grundy::sparse {

TapList::TapList(const std::vector<Tap>& taps) : offsets_(taps.size()) {
  Nimber codes = 0;
  for (const Tap& tap : taps) codes = std::max(codes, tap.code + 1);
  std::vector<std::uint32_t> next(codes, 0);  // by code: the place of its next tap
  for (const Tap& tap : taps) ++next[tap.code];
  std::uint32_t end = 0;
  for (Nimber code = 0; code < codes; ++code) {
    const std::uint32_t count = std::exchange(next[code], end);
    if (count > 0) runs_.push_back({code, end, end + count});
    end += count;
  }
  for (const Tap& tap : taps) offsets_[next[tap.code]++] = tap.offset;
}

TapRow::TapRow(const std::vector<Tap>& taps) {
  for (const Tap& tap : taps) {
    offsets_.push_back(tap.offset);
    codes_.push_back(static_cast<std::uint16_t>(tap.code));
  }
}

std::vector<Tap> all_taps(const SparseTable& table) {
  const TwoHeapMoves& moves = table.moves();
  const Split& split = table.split();
  std::vector<Tap> all;
  for (const HeapSize take : moves.singles) {
    // If the parity takes part in the split, removing an odd number leads from a common heap to a
    // value of the rare type. Such a value has no code, so this is not a tap. Removing an odd
    // number from a rare heap leads to a value of the common type. A phase meets no such heap,
    // because it begins late enough after the last rare one.
    if (!split.parity || take % 2 == 0) all.push_back({take, 0});
  }
  const std::vector<Tap> rare = rare_taps(table, moves.splits);
  const auto before = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), rare.begin(), rare.end());
  std::inplace_merge(all.begin(), all.begin() + before, all.end(), is_before);
  drop_duplicates(all);
  return all;
}

void drop_duplicates(std::vector<Tap>& taps) {
  const auto same = [](const Tap& a, const Tap& b) { return by_place(a) == by_place(b); };
  taps.erase(std::unique(taps.begin(), taps.end(), same), taps.end());
}

std::vector<Tap> rare_taps(const SparseTable& table, std::span<const SplitMove> splits) {
  std::vector<Tap> taps;
  for (const SplitMove& move : splits) {
    const auto before = static_cast<std::ptrdiff_t>(taps.size());
    for (const HeapSize r : table.rare()) {
      taps.push_back({move.take + r, table.split().squeeze(table.window()[r])});
    }
    std::inplace_merge(taps.begin(), taps.begin() + before, taps.end(), is_before);
  }
  return taps;
}

std::vector<Tap> pair_taps(const SparseTable& table, std::span<const SplitMove> splits,
                           HeapSize longest, HeapSize step) {
  std::vector<Tap> taps;
  const Split& split = table.split();
  for (HeapSize a = 1; a <= longest; a += step) {
    const Nimber value = table.window()[a];
    if (!split.is_common(value, a)) continue;
    for (const SplitMove& move : splits) {
      taps.push_back({a + move.take, split.squeeze(value)});
    }
  }
  return taps;
}

TapParts::TapParts(const std::vector<Tap>& taps, HeapSize offset) {
  for (const Tap& tap : taps) (tap.offset < offset ? below : from).push_back(tap);
}

TapLevels::TapLevels(const std::vector<Tap>& taps, HeapSize bound) {
  TapParts by_64(taps, 64);
  TapParts by_bound(by_64.below, bound);
  within_64 = std::move(by_64.below);
  from_64 = std::move(by_64.from);
  nearest = std::move(by_bound.below);
  // The taps for which a heap must wait longest come last.
  std::ranges::sort(nearest, std::greater(), &Tap::offset);
  close = TapList(by_bound.from);
}

}  // namespace grundy::sparse
