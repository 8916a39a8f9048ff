/// @file
/// What a run that keeps no values leaves: statistics at every power of two, the first P-positions,
/// the rare heaps, and the last values.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/stats.hpp>

#include "kernels/kernels.hpp"
#include "theory/stats_collector.hpp"

namespace grundy {

class Milestones final : public ValueSink {
 public:
  explicit Milestones(const KernelSet& kernels) : collector_(kernels) {}

  Flow put(const Stretch& block) override;
  /// Takes what the engine that computed the block says of the sparse space.
  void note_rare(const Stretch& block);
  [[nodiscard]] std::vector<TableStats> take_milestones() { return std::move(milestones_); }
  [[nodiscard]] std::vector<HeapSize> take_zeros() { return std::move(zeros_); }
  [[nodiscard]] std::vector<HeapSize> take_rare() { return std::move(rare_); }
  /// The values of the last heaps, at most kTailValues.
  [[nodiscard]] std::vector<Nimber> take_tail() { return std::move(tail_); }

 private:
  StatsCollector collector_;
  std::vector<TableStats> milestones_;
  std::vector<HeapSize> zeros_;
  std::vector<HeapSize> rare_;
  std::vector<Nimber> tail_;
};

}  // namespace grundy
