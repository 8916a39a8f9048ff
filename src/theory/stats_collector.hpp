/// @file
/// Counts values while they pass by: histogram, records, maximum and digest.
///
/// Blocks whose largest value is no new maximum, nearly all of them in bounded games, cost one pass
/// for the maximum, one for the histogram and one for the digest, all while the block is in cache.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <grundy/sink.hpp>
#include <grundy/stats.hpp>

#include "core/digest.hpp"
#include "kernels/kernels.hpp"

namespace grundy {

/// A ValueSink that fills a TableStats.
class StatsCollector : public ValueSink {
 public:
  /// `kernels` must outlive the collector.
  explicit StatsCollector(const KernelSet& kernels) : kernels_(kernels) {}
  /// A collector that goes on after the entries that `stats` describes. `whole_sections` is what
  /// whole_sections() returned after them; `unfinished` are the values after the last whole
  /// section.
  /// @throws Error(kCorrupt) if these do not give the digest of `stats`
  static StatsCollector resume(const KernelSet& kernels, const TableStats& stats,
                               const Digest128& whole_sections, Values unfinished);

  /// @throws Error(kFailure) if the block does not start where the last one ended
  Flow put(const Stretch& block) override;
  /// The statistics of everything so far; more may follow.
  [[nodiscard]] TableStats stats() const;
  /// The digest of all whole sections so far (ValueDigest).
  [[nodiscard]] const Digest128& whole_sections() const noexcept {
    return digest_.whole_sections();
  }

 private:
  template <class T>
  void add(std::span<const T> values);

  const KernelSet& kernels_;
  TableStats stats_;  ///< all but the digest
  ValueDigest digest_;
};

/// The number of values of a stretch that are 0.
std::uint64_t count_zeros(const Stretch& stretch) noexcept;

/// Appends the indices of the zeros of a stretch, until `zeros` has `most`.
void list_zeros(const Stretch& stretch, std::size_t most, std::vector<std::uint64_t>& zeros);

/// The number of the last value 0 of a stretch; nothing if it has none.
std::optional<std::uint64_t> last_zero(const Stretch& stretch) noexcept;

}  // namespace grundy
