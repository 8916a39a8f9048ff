// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/tap_ranking.hpp"

#include <algorithm>
#include <tuple>

#include <grundy/machine.hpp>

namespace grundy::sparse {
namespace {

constexpr HeapSize kSpan = 1u << 18;        ///< heaps that the sample is spread over, at most
constexpr HeapSize kSample = 128;           ///< heaps of the sample
constexpr std::size_t kLeastRound = 64;     ///< taps that are taken at a time, and
constexpr std::size_t kRoundPart = 2;       ///< part of those before that is, if more
constexpr std::size_t kChunk = 1024;        ///< taps per task
constexpr std::uint32_t kWhole = 1u << 16;  ///< weight of a code that is not reached

}  // namespace

TapRanking::TapRanking(const SparseTable& table, const CodeTables& codes, HeapSize reach)
    : code_limit_(codes.code_limit()) {
  const HeapSize size = table.size();
  const HeapSize span = std::min({size / 4, size - table.window().begin(), kSpan});
  const auto none = static_cast<std::uint16_t>(code_limit_);
  window_.assign(span + reach, none);
  const HeapSize known = std::min(window_.size(), size - table.window().begin());
  for (HeapSize i = window_.size() - known; i < window_.size(); ++i) {
    const HeapSize n = size - window_.size() + i;
    const Nimber value = table.window()[n];
    if (table.split().is_common(value, n)) {
      window_[i] = static_cast<std::uint16_t>(table.split().squeeze(value));
    }
  }
  // An odd step: heaps of both parities.
  for (HeapSize i = reach; i < window_.size(); i += span / kSample | 1) {
    if (window_[i] == none) continue;
    sample_.push_back(i);
    codes_of_.push_back(window_[i]);
    limits_.push_back(codes.limit(static_cast<HeapIndex>(size - window_.size() + i), window_[i]));
  }
}

RankedTaps TapRanking::rank(std::span<const Tap> taps, std::span<const Nimber> bounds,
                            std::size_t worth, std::size_t next, Executor& executor) const {
  const std::size_t row = 2 * std::size_t{code_limit_};
  std::vector<std::uint32_t> weights(sample_.size() * row);
  for (std::size_t i = 0; i < sample_.size(); ++i)
    std::fill_n(&weights[i * row], bounds[i], kWhole);
  struct Scored {
    Tap tap;
    std::uint32_t score = 0;
  };
  std::vector<Scored> left;
  for (const Tap& tap : taps) left.push_back({tap});

  RankedTaps ranked;
  bool marking = true;
  while (!left.empty() && (marking || ranked.taps.size() < ranked.marked + next)) {
    executor.parallel_for((left.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
      const std::span some =
          std::span(left).subspan(chunk * kChunk, std::min(kChunk, left.size() - chunk * kChunk));
      for (Scored& each : some) each.score = 0;
      for (std::size_t i = 0; i < sample_.size(); ++i) {
        const std::uint32_t* const weight = &weights[i * row];
        for (Scored& each : some) {
          each.score += weight[*(at(i) - each.tap.offset) ^ each.tap.code];
        }
      }
    });
    const std::size_t round =
        std::min(left.size(), std::max(kLeastRound, ranked.taps.size() / kRoundPart));
    std::ranges::partial_sort(left, left.begin() + static_cast<std::ptrdiff_t>(round),
                              [](const Scored& a, const Scored& b) {
                                return std::tuple(b.score, a.tap.offset, a.tap.code) <
                                       std::tuple(a.score, b.tap.offset, b.tap.code);
                              });
    std::size_t first = 0;  // reached by none before
    for (const Scored& each : std::span(left).first(round)) {
      const Tap& tap = each.tap;
      for (std::size_t i = 0; i < sample_.size(); ++i) {
        std::uint32_t& weight = weights[i * row + (*(at(i) - tap.offset) ^ tap.code)];
        if (weight == kWhole) ++first;
        weight /= 2;
      }
      ranked.taps.push_back(tap);
    }
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(round));
    marking = marking && first * worth >= round * sample_.size();
    if (marking) ranked.marked = ranked.taps.size();
  }
  return ranked;
}

}  // namespace grundy::sparse
