// SPDX-License-Identifier: MIT
#include "engines/heap/dense/epoch.hpp"

#include <algorithm>
#include <optional>

#include "kernels/kernels.hpp"

namespace grundy {
namespace {

/// The limit of marks. Few values of the epoch will exceed it; a heap with such a value is filtered
/// through all larger values. Marks cost the same up to the next multiple of kOpenRow.
std::size_t expected_limit(const EpochShape& shape, std::size_t largest) {
  const std::size_t needed = largest + largest / 16 + 2;
  return std::min(shape.bound, (needed + kOpenRow - 1) / kOpenRow * kOpenRow);
}

/// The number of values in a slice. A heap is filtered through as many slices as its value needs,
/// and a pair costs less if an open set has one half only.
template <class T>
std::size_t slice_of(const T* values, HeapSize begin) {
  constexpr double kBothHalves = 1.25;
  std::uint64_t halves = 0, sets = 0;
  for (HeapSize n = begin / 2; n < begin; ++n) {
    halves += values[n] / (kOpenValues / 2) + 1;
    sets += values[n] / kOpenValues + 1;
  }
  return static_cast<double>(halves) < kBothHalves * static_cast<double>(sets) ? kOpenValues / 2
                                                                               : kOpenValues;
}

/// The number of hot taps of an epoch. More taps leave fewer values open; each tap costs a mark in
/// every heap.
std::size_t taps_of(const EpochShape& shape) {
  return static_cast<std::size_t>(std::min<HeapSize>(2 * shape.bound, shape.begin / 16));
}

constexpr bool is_near(std::uint64_t layer) noexcept {
  return layer % 2 == 1;
}

}  // namespace

bool hand_over(const HeapTask& task, const TwoHeapMoves& moves, const ValueBuffer& table,
               HeapSize begin, ValueSink& sink) {
  const Values all = table.values();
  const bool goes_on =
      sink.put({begin, all.subspan(begin, all.size() - begin), all}) != Flow::kStop;
  if (task.progress != nullptr) {
    const double share = static_cast<double>(all.size()) / static_cast<double>(task.count);
    task.progress->report({all.size(), task.count, moves.splits.empty() ? share : share * share});
  }
  return goes_on;
}

template <class T>
DenseEpoch<T>::DenseEpoch(const HeapTask& task, const TwoHeapMoves& moves, const EpochShape& shape,
                          Company& company, ValueBuffer& table, ValueSink& sink)
    : task_(task),
      moves_(moves),
      shape_(shape),
      company_(company),
      table_(table),
      sink_(sink),
      values_(table.data<T>()),
      bytes_(shape.end),
      far_{moves,
           task.kernels.filters,
           values_,
           bytes_.view(),
           shape.bound,
           expected_limit(shape, task.kernels.of<T>().maximum(values_, shape.begin)),
           slice_of(values_, shape.begin),
           hot_taps(moves.splits, values_, shape.begin, shape.bound, taps_of(shape)),
           company.share()},
      settled_(shape.begin) {
  for (HeapSize n = 0; n < shape.begin; ++n) bytes_.set(n, values_[n]);
}

template <class T>
EpochEnd DenseEpoch<T>::run() {
  // One of several ranks must not stop alone.
  const std::stop_token stop = company_.is_alone() ? task_.stop : std::stop_token();
  if (run_layers(*this, task_.executor, stop) == LayerStatus::kCancelled) {
    return EpochEnd::kCancelled;
  }
  return ending_;
}

template <class T>
std::uint64_t DenseEpoch<T>::layer_count() const {
  return 2 * ((shape_.end - shape_.begin + shape_.block - 1) / shape_.block);
}

template <class T>
void DenseEpoch<T>::dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const {
  if (is_near(layer)) {
    out.push_back(layer - 1);
    if (layer >= 2) out.push_back(layer - 2);
  } else if (layer >= 3) {
    out.push_back(layer - 3);
  }
}

template <class T>
auto DenseEpoch<T>::block(std::uint64_t layer) const noexcept -> BlockRange {
  const HeapSize begin = shape_.begin + layer / 2 * shape_.block;
  return {begin, std::min(begin + shape_.block, shape_.end)};
}

template <class T>
std::size_t DenseEpoch<T>::prepare(std::uint64_t layer) {
  if (is_near(layer)) return 1;
  const auto [begin, end] = block(layer);
  auto& groups = groups_[layer / 2 % 2];
  groups.resize((end - begin + shape_.group - 1) / shape_.group);
  return groups.size();
}

template <class T>
void DenseEpoch<T>::task(std::uint64_t layer, std::size_t index) {
  if (is_near(layer)) {
    settle_block(layer);
    return;
  }
  const auto [begin, end] = block(layer);
  const HeapSize first = begin + index * shape_.group;
  const HeapSize border = layer >= 2 ? block(layer - 2).begin : shape_.begin;
  far_.run(groups_[layer / 2 % 2][index], first, std::min(shape_.group, end - first), border,
           far_.share.has(index));
}

template <class T>
void DenseEpoch<T>::settle_block(std::uint64_t layer) {
  if (!company_.intersect(groups_[layer / 2 % 2], far_.slice)) {
    ending_ = company_.is_refused() ? EpochEnd::kStoppedBySink : EpochEnd::kCancelled;
    return;
  }
  for (FarGroup& group : groups_[layer / 2 % 2]) {
    for (std::size_t lane = 0; lane < group.lanes; ++lane) {
      if (!settle(group.begin + lane, group)) {
        ending_ = EpochEnd::kNeedsRoom;
        return;
      }
      ++settled_;
    }
  }
}

/// Stores the value of heap n. Returns false if there is no room for it.
template <class T>
bool DenseEpoch<T>::settle(HeapSize n, FarGroup& group) {
  const std::size_t lane = n - group.begin;
  OpenSet& open = group.open[lane];
  filter_near(n, group, open);
  filter_others(n, open);
  std::optional<std::size_t> value = least(open);
  while (!value && group.end[lane] < shape_.bound) {
    far_.open_next_slice(group, lane);
    filter_all(n, open);
    filter_others(n, open);
    value = least(open);
  }
  if (!value || *value > shape_.largest_value || *value >= shape_.bound) return false;
  values_[n] = static_cast<T>(*value);
  bytes_.set(n, values_[n]);
  return true;
}

template <class T>
void DenseEpoch<T>::filter_near(HeapSize n, const FarGroup& group, OpenSet& open) const {
  for (std::size_t i = 0; i < moves_.splits.size(); ++i) {
    const SplitMove& split = moves_.splits[i];
    const PairRange far = group.far[i];
    far_.filter(split, {1, far.begin}, n, open);
    far_.filter(split, {far.end, split.pairs(n) + 1}, n, open);
  }
}

template <class T>
void DenseEpoch<T>::filter_all(HeapSize n, OpenSet& open) const {
  for (const SplitMove& split : moves_.splits) {
    far_.filter(split, {1, split.pairs(n) + 1}, n, open);
  }
}

/// Filters the options that are not splits.
template <class T>
void DenseEpoch<T>::filter_others(HeapSize n, OpenSet& open) const {
  for (const HeapSize k : moves_.singles) {
    if (n > k) open.remove(values_[n - k]);
  }
  for (const HeapSize k : moves_.wholes) {
    if (n == k) open.remove(0);
  }
  for (const HeapSize k : moves_.halves) {
    if (n > k && (n - k) % 2 == 0) open.remove(0);
  }
}

template <class T>
bool DenseEpoch<T>::finish(std::uint64_t layer) {
  if (!is_near(layer)) return true;
  const HeapSize begin = block(layer).begin;
  table_.resize(settled_);
  if (settled_ > begin && !company_.is_refused()) {
    if (!hand_over(task_, moves_, table_, begin, sink_)) {
      company_.note_refused();
      if (company_.is_alone()) ending_ = EpochEnd::kStoppedBySink;
    }
  }
  return ending_ == EpochEnd::kReachedEnd;
}

template class DenseEpoch<std::uint8_t>;
template class DenseEpoch<std::uint16_t>;
template class DenseEpoch<std::uint32_t>;

}  // namespace grundy
