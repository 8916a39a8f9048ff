/// @file
/// Statistics of a run that keeps no values: those of the whole, at every power of two, and the
/// first P-positions.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/stats.hpp>

#include "analysis/stats_collector.hpp"
#include "kernels/kernels.hpp"

namespace grundy {

class Milestones final : public BlockSink {
 public:
  /// @param zeros so many heaps of value 0 are listed
  Milestones(const KernelSet& kernels, std::size_t zeros) : collector_(kernels), most_(zeros) {}

  Flow put(const Block& block) override;
  [[nodiscard]] std::vector<TableStats> take_milestones() { return std::move(milestones_); }
  [[nodiscard]] std::vector<HeapSize> take_zeros() { return std::move(zeros_); }

 private:
  StatsCollector collector_;
  std::size_t most_;
  std::vector<TableStats> milestones_;
  std::vector<HeapSize> zeros_;
};

}  // namespace grundy
