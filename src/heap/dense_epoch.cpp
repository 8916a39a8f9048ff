// SPDX-License-Identifier: MIT
#include "heap/dense_epoch.hpp"

#include <algorithm>

#include "kernels/kernels.hpp"

namespace grundy {
namespace {

/// Heaps of one group: one task of a far layer.
constexpr HeapSize kGroup = 128;

constexpr bool is_near(std::uint64_t layer) noexcept {
  return layer % 2 == 1;
}

}  // namespace

template <class T>
DenseEpoch<T>::DenseEpoch(const HeapTask& task, const DenseRule& rule, const EpochShape& shape,
                          ValueBuffer& table, BlockSink& sink)
    : task_(task),
      rule_(rule),
      shape_(shape),
      table_(table),
      sink_(sink),
      values_(table.data<T>()),
      words_(shape.bound / 64),
      far_{rule, task.kernels, values_, words_, 4 * shape.bound, 16 * shape.bound},
      settled_(shape.begin) {}

template <class T>
EpochEnd DenseEpoch<T>::run() {
  if (run_layers(*this, task_.executor, task_.stop) == LayerStatus::kCancelled) {
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
  groups.resize((end - begin + kGroup - 1) / kGroup);
  return groups.size();
}

template <class T>
void DenseEpoch<T>::task(std::uint64_t layer, std::size_t index) {
  if (is_near(layer)) {
    settle_block(layer);
    return;
  }
  const auto [begin, end] = block(layer);
  const HeapSize first = begin + index * kGroup;
  const HeapSize border = layer >= 2 ? block(layer - 2).begin : shape_.begin;
  far_.run(groups_[layer / 2 % 2][index], first, std::min(kGroup, end - first), border);
}

template <class T>
void DenseEpoch<T>::settle_block(std::uint64_t layer) {
  for (FarGroup<T>& group : groups_[layer / 2 % 2]) {
    for (std::size_t lane = 0; lane < group.lanes; ++lane) {
      if (!settle(group.begin + lane, group)) {
        ending_ = EpochEnd::kNeedsRoom;
        return;
      }
      ++settled_;
    }
  }
}

/// Stores the value of heap n; false if there is no room for it.
template <class T>
bool DenseEpoch<T>::settle(HeapSize n, FarGroup<T>& group) {
  const std::size_t lane = n - group.begin;
  std::uint64_t* const witnessed = group.reached_by(lane, words_);
  const auto witness = [&](std::size_t v) { witnessed[v / 64] |= std::uint64_t{1} << (v % 64); };
  for (const HeapSize k : rule_.single) {
    if (n > k) witness(values_[n - k]);
  }
  for (const HeapSize k : rule_.whole) {
    if (n == k) witness(0);
  }
  for (const HeapSize k : rule_.halves) {
    if (n > k && (n - k) % 2 == 0) witness(0);
  }
  const T far_candidate = group.candidate[lane];
  std::size_t value = far_candidate;
  for (;; witness(value)) {
    value = task_.kernels.first_zero_bit(witnessed, value, words_);
    if (value > shape_.largest_value || value >= shape_.bound) return false;
    const auto candidate = static_cast<T>(value);
    // The far candidate was compared with all far pairs; later ones were not.
    const bool hit =
        candidate == far_candidate ? reached_near(n, group, candidate) : reached(n, candidate);
    if (!hit) break;
  }
  values_[n] = static_cast<T>(value);
  return true;
}

template <class T>
bool DenseEpoch<T>::reached_near(HeapSize n, const FarGroup<T>& group, T candidate) const {
  const auto within = [&](HeapSize removed, HeapSize begin, HeapSize end) {
    if (end <= begin) return false;
    const std::size_t pairs = end - begin;
    return task_.kernels.of<T>().find_pair(values_, begin, n - removed - begin, pairs, candidate) <
           pairs;
  };
  for (std::size_t r = 0; r < rule_.runs.size(); ++r) {
    const PairRun& run = rule_.runs[r];
    const PairRange far = group.far[r];
    if (within(run.removed, run.least, far.begin) || within(run.removed, far.end, run.end(n))) {
      return true;
    }
  }
  return false;
}

template <class T>
bool DenseEpoch<T>::reached(HeapSize n, T candidate) const {
  return std::any_of(rule_.runs.begin(), rule_.runs.end(), [&](const PairRun& run) {
    const HeapSize end = run.end(n);
    if (end <= run.least) return false;
    const std::size_t pairs = end - run.least;
    return task_.kernels.of<T>().find_pair(values_, run.least, n - run.removed - run.least, pairs,
                                           candidate) < pairs;
  });
}

template <class T>
bool DenseEpoch<T>::finish(std::uint64_t layer) {
  if (!is_near(layer)) return true;
  const HeapSize begin = block(layer).begin;
  table_.resize(settled_);
  if (settled_ > begin) {
    const Values all = table_.values();
    if (sink_.put({begin, all.subspan(begin, settled_ - begin), all}) == Flow::kStop) {
      ending_ = EpochEnd::kStoppedBySink;
    }
    if (task_.progress != nullptr) {
      const double share = static_cast<double>(settled_) / static_cast<double>(task_.count);
      task_.progress->report({settled_, task_.count, rule_.runs.empty() ? share : share * share});
    }
  }
  return ending_ == EpochEnd::kReachedEnd;
}

template class DenseEpoch<std::uint8_t>;
template class DenseEpoch<std::uint16_t>;
template class DenseEpoch<std::uint32_t>;

}  // namespace grundy
