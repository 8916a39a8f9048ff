// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/plan.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace grundy::sparse {
namespace {

/// Heaps whose codes make the statistics of a phase.
constexpr HeapSize kSample = 1u << 15;

}  // namespace

TapList::TapList(std::vector<Tap> taps) {
  std::ranges::sort(taps, {}, [](const Tap& t) { return std::pair(t.code, t.offset); });
  for (const Tap& tap : taps) {
    const auto end = static_cast<std::uint32_t>(offsets_.size());
    if (runs_.empty() || runs_.back().code != tap.code) runs_.push_back({tap.code, end, end});
    offsets_.push_back(tap.offset);
    runs_.back().end = end + 1;
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

void RowPlan::collect(const SparseKernels& kernels, const std::uint8_t* base, std::uint64_t* into,
                      std::size_t words) const noexcept {
  for (unsigned shift = 0; shift < 8; ++shift) {
    const std::size_t count = begin_[shift + 1] - begin_[shift];
    if (count == 0) continue;
    kernels.or_shifted(base, bytes_.data() + begin_[shift], count, shift, into, words);
  }
}

std::vector<Tap> all_taps(const SparseTable& table) {
  const Moves& moves = table.moves();
  const Split& split = table.split();
  std::vector<Tap> all;
  for (const SplitMove& move : moves.splits) {
    for (const HeapSize r : table.rare()) {
      all.push_back({move.take + r, split.squeeze(table.window()[r])});
    }
  }
  for (const HeapSize take : moves.singles) {
    // With the position in the split, an odd take turns common into rare: no tap. (Its rare heaps
    // would be one; a phase starts too late after the last rare heap to meet it.)
    if (!split.position || take % 2 == 0) all.push_back({take, 0});
  }
  return all;
}

TapLevels::TapLevels(const SparseTable& table, const PhaseShape& shape, HeapSize group) {
  std::vector<Tap> by_level[3];
  for (const Tap& tap : all_taps(table)) {
    reach = std::max(reach, tap.offset);
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
  far = TapList(std::move(by_level[0]));
  middle = TapList(std::move(by_level[1]));
  close = TapList(std::move(by_level[2]));
}

CodeDensity::CodeDensity(const SparseTable& table, Nimber code_limit)
    : count_(code_limit, 0),
      heaps_(std::min({table.size() / 2, table.size() - table.window().begin(), kSample})),
      rank_(code_limit) {
  for (HeapSize n = table.size() - heaps_; n < table.size(); ++n) {
    const Nimber value = table.window()[n];
    if (table.split().is_common(value, n)) ++count_[table.split().squeeze(value)];
  }
  std::vector<Nimber> order(code_limit);
  std::iota(order.begin(), order.end(), Nimber{0});
  std::ranges::stable_sort(order, std::greater(), [&](Nimber code) { return count_[code]; });
  for (std::uint32_t i = 0; i < code_limit; ++i) {
    rank_[order[i]] = i;
    if (count_[order[i]] > 0) occurring_ = i + 1;
  }
}

Nimber CodeDensity::quantile(HeapSize part) const noexcept {
  auto code = static_cast<Nimber>(count_.size());
  for (HeapSize above = 0; code > 0 && (above + count_[code - 1]) * part <= heaps_; --code) {
    above += count_[code - 1];
  }
  return code;
}

std::vector<RowPlan::Source> CodeDensity::densest(Nimber code, std::span<const Tap> taps,
                                                  std::size_t most) const {
  // Counting sort by rank.
  std::vector<std::size_t> place(occurring_ + 1, 0);
  for (const Tap& tap : taps) {
    const std::uint32_t rank = rank_[code ^ tap.code];
    if (rank < occurring_) ++place[rank + 1];
  }
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<RowPlan::Source> sources(place.back());
  for (const Tap& tap : taps) {
    const std::uint32_t rank = rank_[code ^ tap.code];
    if (rank < occurring_) sources[place[rank]++] = {code ^ tap.code, tap.offset};
  }
  sources.resize(std::min(most, sources.size()));
  return sources;
}

}  // namespace grundy::sparse
