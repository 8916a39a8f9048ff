// SPDX-License-Identifier: MIT
#include "theory/stats_collector.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/stats_counts.hpp"

namespace grundy {
namespace {

/// This many values are read several times while they stay in the second-level cache, at any width.
constexpr std::size_t kStride = 16384;
/// The values that are looked at one by one if one of them is a record.
constexpr std::size_t kRecordStrip = 512;

}  // namespace

StatsCollector StatsCollector::resume(const KernelSet& kernels, const TableStats& stats,
                                      const Digest128& whole_sections, Values unfinished) {
  StatsCollector collector(kernels);
  collector.stats_ = stats;
  collector.digest_ = ValueDigest::resume(stats.count, whole_sections, unfinished);
  if (collector.digest_.value() != stats.digest) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("statistics of {} entries have the digest {}, but their last section "
                            "and the sections before it give {}",
                            stats.count, to_hex(stats.digest), to_hex(collector.digest_.value())));
  }
  return collector;
}

Flow StatsCollector::put(const Stretch& block) {
  if (block.begin != stats_.count) {
    throw Error(ErrorCode::kFailure, fmt::format("a block starts at entry {} where entry {} is due",
                                                 block.begin, stats_.count));
  }
  for (std::size_t at = 0; at < block.values.size(); at += kStride) {
    const std::size_t size = std::min(kStride, block.values.size() - at);
    block.values.subspan(at, size).visit([this](auto values) { add(values); });
  }
  return Flow::kContinue;
}

TableStats StatsCollector::stats() const {
  TableStats stats = stats_;
  stats.digest = digest_.value();
  return stats;
}

template <class T>
void StatsCollector::add(std::span<const T> values) {
  const auto& kernels = kernels_.of<T>();
  const Nimber top = kernels.maximum(values.data(), values.size());
  if (top > stats_.max_value || stats_.count == 0) {
    // Few strips have a record, and a kernel passes over the others.
    for (std::size_t at = 0; at < values.size(); at += kRecordStrip) {
      const auto strip = values.subspan(at, std::min(kRecordStrip, values.size() - at));
      if (stats_.count + at > 0 &&
          kernels.maximum(strip.data(), strip.size()) <= stats_.max_value) {
        continue;
      }
      for (std::size_t i = 0; i < strip.size(); ++i) {
        note_record(stats_.count + at + i, strip[i], stats_);
      }
    }
    make_bins(top, stats_.histogram);
  }
  count_values(values, top, kernels.histogram, stats_.histogram);
  digest_.update(values);
  stats_.count += values.size();
}

std::uint64_t count_zeros(const Stretch& stretch) noexcept {
  constexpr std::size_t kStrip = 128;  // a byte counts its zeros
  std::uint64_t zeros = 0;
  stretch.values.visit([&]<class T>(std::span<const T> values) {
    for (std::size_t at = 0; at < values.size(); at += kStrip) {
      const auto strip = values.subspan(at, std::min(kStrip, values.size() - at));
      T count = 0;
      for (const T value : strip) count = static_cast<T>(count + (value == 0 ? 1 : 0));
      zeros += count;
    }
  });
  return zeros;
}

void list_zeros(const Stretch& stretch, std::size_t most, std::vector<std::uint64_t>& zeros) {
  constexpr std::size_t kStrip = 256;
  stretch.values.visit([&]<class T>(std::span<const T> values) {
    for (std::size_t at = 0; at < values.size() && zeros.size() < most; at += kStrip) {
      const auto strip = values.subspan(at, std::min(kStrip, values.size() - at));
      // Most strips hold no zero. Compilers vectorise a plain loop that finds this out.
      T any = 0;
      for (const T value : strip) any |= static_cast<T>(value == 0);
      if (any == 0) continue;
      for (std::size_t i = 0; i < strip.size() && zeros.size() < most; ++i) {
        if (strip[i] == 0) zeros.push_back(stretch.begin + at + i);
      }
    }
  });
}

std::optional<std::uint64_t> last_zero(const Stretch& stretch) noexcept {
  return stretch.values.visit([&](auto values) -> std::optional<std::uint64_t> {
    const auto found = std::find(values.rbegin(), values.rend(), 0);
    if (found == values.rend()) return std::nullopt;
    return stretch.begin + static_cast<std::uint64_t>(values.rend() - found) - 1;
  });
}

}  // namespace grundy
