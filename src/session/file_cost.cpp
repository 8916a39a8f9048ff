// SPDX-License-Identifier: MIT
#include "session/file_cost.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include <grundy/stats.hpp>

#include "core/digest.hpp"
#include "core/stopwatch.hpp"
#include "core/value_copy.hpp"
#include "table/chunk_codec.hpp"

namespace grundy {
namespace {

/// Bytes of a chunk besides its values: index and digests.
constexpr std::uint64_t kChunkOverhead = 64;

/// Approximate bytes of the histogram and of the records of a table of `count` values. Both are
/// compressed: a number takes little more than the bytes in which it differs from its neighbours.
std::uint64_t statistics_bytes(Nimber maximum, HeapSize count) {
  constexpr std::uint64_t kRecordBytes = 3;
  const std::uint64_t values = std::uint64_t{maximum} + 1;
  const std::uint64_t count_bytes = (std::bit_width(count / values) + 7) / 8;
  return count_bytes * std::min<std::uint64_t>(values, TableStats::kHistogramLimit) +
         kRecordBytes * std::min<std::uint64_t>(values, TableStats::kRecordLimit);
}

}  // namespace

FileCost file_cost(Values sample, Nimber maximum) {
  constexpr int kRounds = 3;  // the first one warms up
  const ValueWidth width = width_for(maximum);
  const ChunkCodec codec(width);
  const auto values = static_cast<double>(sample.size());
  FileCost cost{.seconds = std::numeric_limits<double>::max()};
  for (int round = 0; round < kRounds; ++round) {
    const double begun = processor_seconds();
    Bytes raw = codec.buffers().take(sample.size() * byte_count(width));
    copy_to_width(sample, width, raw.data());
    const Bytes encoded = codec.encode(raw);
    Bytes decoded = codec.decode(encoded, raw.size());
    // The digest of the table counts values, and counts them again when they are read back.
    for (int time = 0; time < 2; ++time) {
      SequentialDigest digest;
      digest.update(sample);
      static_cast<void>(digest.value());
    }
    codec.buffers().give_back(std::move(raw));
    codec.buffers().give_back(std::move(decoded));
    cost = {static_cast<double>(encoded.size()) / values,
            std::min(cost.seconds, (processor_seconds() - begun) / values)};
  }
  return cost;
}

std::uint64_t metadata_bytes(Nimber maximum, HeapSize count, HeapSize chunk) noexcept {
  return kFileOverhead + statistics_bytes(maximum, count) + (count / chunk + 1) * kChunkOverhead;
}

}  // namespace grundy
