// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/taps.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace grundy::sparse {

TapList::TapList(std::vector<Tap> taps) {
  std::ranges::sort(taps, {}, [](const Tap& t) { return std::pair(t.code, t.offset); });
  for (const Tap& tap : taps) {
    const auto end = static_cast<std::uint32_t>(offsets_.size());
    if (runs_.empty() || runs_.back().code != tap.code) runs_.push_back({tap.code, end, end});
    offsets_.push_back(tap.offset);
    runs_.back().end = end + 1;
  }
}

TapRow::TapRow(const std::vector<Tap>& taps) {
  for (const Tap& tap : taps) {
    offsets_.push_back(tap.offset);
    codes_.push_back(static_cast<std::uint16_t>(tap.code));
  }
}

template <class T>
NearTapList<T>::NearTapList(const std::vector<Tap>& taps) {
  for (const Tap& tap : taps) {
    std::size_t layer = 0;
    while (layer < offsets_.size() && (offsets_[layer] >> tap.offset & 1) != 0) ++layer;
    if (layer == offsets_.size()) {
      offsets_.push_back(0);
      codes_.resize(codes_.size() + 3 * kGroupHeaps<T>, 0);
    }
    offsets_[layer] |= 1u << tap.offset;
    codes_[(3 * layer + 1) * kGroupHeaps<T> + tap.offset] = static_cast<T>(tap.code);
  }
}

template class NearTapList<std::uint8_t>;
template class NearTapList<std::uint16_t>;

bool contains(const std::vector<Tap>& taps, const Tap& tap) noexcept {
  return std::ranges::binary_search(taps, by_place(tap), {}, by_place);
}

std::vector<Tap> all_taps(const SparseTable& table) {
  const TwoHeapMoves& moves = table.moves();
  const Split& split = table.split();
  std::vector<Tap> all;
  for (const SplitMove& move : moves.splits) {
    for (const HeapSize r : table.rare()) {
      all.push_back({move.take + r, split.squeeze(table.window()[r])});
    }
  }
  for (const HeapSize take : moves.singles) {
    // If the parity takes part in the split, removing an odd number leads from a common heap to a
    // value of the rare type. Such a value has no code, so this is not a tap. Removing an odd
    // number from a rare heap leads to a value of the common type. A phase meets no such heap,
    // because it begins late enough after the last rare one.
    if (!split.parity || take % 2 == 0) all.push_back({take, 0});
  }
  return all;
}

std::vector<Tap> pair_taps(const SparseTable& table, HeapSize longest, HeapSize step) {
  std::vector<Tap> taps;
  const Split& split = table.split();
  for (HeapSize a = 1; a <= longest; a += step) {
    const Nimber value = table.window()[a];
    if (!split.is_common(value, a)) continue;
    for (const SplitMove& move : table.moves().splits) {
      taps.push_back({a + move.take, split.squeeze(value)});
    }
  }
  return taps;
}

TapLevels::TapLevels(const std::vector<Tap>& taps, const PhaseShape& shape, HeapSize group) {
  std::vector<Tap> by_level[3];
  for (const Tap& tap : taps) {
    (tap.offset >= 64 ? from_64 : within_64).push_back(tap);
    if (tap.offset >= 2 * shape.block) {
      by_level[0].push_back(tap);
    } else if (tap.offset >= 64) {
      by_level[1].push_back(tap);
    } else if (tap.offset >= group) {
      by_level[2].push_back(tap);
    } else {
      nearest.push_back(tap);
    }
  }
  // The taps for which a heap must wait longest come last.
  std::ranges::sort(nearest, std::greater(), &Tap::offset);
  far = TapList(std::move(by_level[0]));
  middle = TapList(std::move(by_level[1]));
  close = TapList(std::move(by_level[2]));
}

}  // namespace grundy::sparse
