// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/code_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace grundy::sparse {
namespace {

/// Number of heaps that are read at once, in tasks of a quarter. Offsets that differ by more are of
/// two bands.
constexpr HeapIndex kAtOnce = HeapIndex{1} << 18;
constexpr HeapIndex kTask = kAtOnce / 4;
/// Kernels read whole vectors and groups of heaps: entries next to a partner.
constexpr HeapIndex kMargin = 64;

/// The codes of all values, for even and for odd heaps: a multiple of 16, as translate() wants.
template <class T>
std::array<std::vector<T>, 2> codes_of_values(const SparseTable& table) {
  const Split& split = table.split();
  std::array<std::vector<T>, 2> codes;
  for (HeapSize parity = 0; parity < 2; ++parity) {
    for (Nimber value = 0; value < table.value_limit(); ++value) {
      codes[parity].push_back(split.is_common(value, parity) ? static_cast<T>(split.squeeze(value))
                                                             : kNoCode<T>);
    }
    codes[parity].resize((codes[parity].size() + 15) / 16 * 16, kNoCode<T>);
  }
  return codes;
}

}  // namespace

template <class T>
CodeReader<T>::CodeReader(const SparseTable& table, const PhaseShape& shape,
                          const CodeKernels& kernels, Executor& executor)
    : table_(table),
      kernels_(kernels),
      executor_(executor),
      lookback_(shape.lookback),
      size_(static_cast<HeapIndex>(table.size())),
      code_of_(codes_of_values<T>(table)) {
  find_bands();
}

template <class T>
void CodeReader<T>::find_bands() {
  // Bit rows and pairs of codes look back over all heaps of the lookback.
  bands_ = {{0, lookback_}};
  for (const HeapSize r : table_.rare()) {
    if (r > bands_.back().most + kAtOnce) bands_.push_back({r, r});
    bands_.back().most = std::max(bands_.back().most, r + table_.moves().largest_take);
  }
}

template <class T>
void CodeReader<T>::go_on(HeapIndex final) {
  there_.back().end = final;
  size_ = static_cast<HeapIndex>(table_.size());
  find_bands();
}

template <class T>
HeapSize CodeReader<T>::reach() const noexcept {
  return bands_.back().most + kMargin;
}

template <class T>
void CodeReader<T>::read_below(HeapIndex end, SlidingWindow<T>& codes) {
  for (const Band& band : bands_) {
    const HeapIndex begin = size_ - static_cast<HeapIndex>(band.most) - kMargin;
    const HeapIndex needed = std::min(size_, end - static_cast<HeapIndex>(band.least) + kMargin);
    const auto it = std::ranges::upper_bound(there_, begin, {}, &HeapRange::begin);
    if (it != there_.begin() && std::prev(it)->end >= needed) continue;
    complete({begin, std::min(size_, needed + kAtOnce)}, codes);
  }
}

template <class T>
void CodeReader<T>::complete(HeapRange heaps, SlidingWindow<T>& codes) {
  // The ranges that touch these heaps become one with them.
  auto it = std::ranges::lower_bound(there_, heaps.begin, {}, &HeapRange::end);
  HeapRange joined = heaps;
  for (HeapIndex next = heaps.begin; next < heaps.end;) {
    const bool touches = it != there_.end() && it->begin <= heaps.end;
    const HeapIndex stop = touches ? std::max(next, it->begin) : heaps.end;
    if (next < stop) read(next, stop, codes);
    next = stop;
    if (!touches) break;
    next = std::max(next, it->end);
    joined = {std::min(joined.begin, it->begin), std::max(joined.end, it->end)};
    it = there_.erase(it);
  }
  there_.insert(it, joined);
}

template <class T>
void CodeReader<T>::read(HeapIndex begin, HeapIndex end, SlidingWindow<T>& codes) const {
  const HeapIndex first = std::clamp<HeapIndex>(1, begin, end);
  std::fill(codes.at(begin), codes.at(first), kNoCode<T>);  // heaps that do not exist, and heap 0
  const auto tasks = static_cast<std::size_t>((end - first + kTask - 1) / kTask);
  executor_.parallel_for(tasks, [&](std::size_t task) {
    const HeapIndex from = first + static_cast<HeapIndex>(task) * kTask;
    const HeapIndex to = std::min(end, from + kTask);
    T* const out = codes.at(from);
    const Values values =
        table_.window().values(static_cast<HeapSize>(from), static_cast<HeapSize>(to - from));
    const std::vector<T>& even = code_of_[from % 2];
    const std::vector<T>& odd = code_of_[1 - from % 2];
    values.visit([&](auto run) {
      if constexpr (sizeof(T) == 1 && sizeof(run[0]) == 1) {
        kernels_.translate(run.data(), run.size(), {even.data(), odd.data(), even.size()}, out);
      } else {
        for (std::size_t i = 0; i < run.size(); ++i) out[i] = (i % 2 == 0 ? even : odd)[run[i]];
      }
    });
  });
}

template class CodeReader<std::uint8_t>;
template class CodeReader<std::uint16_t>;

}  // namespace grundy::sparse
