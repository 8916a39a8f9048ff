// SPDX-License-Identifier: MIT
#include "engines/heap/sparse/tap_ranking.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include <grundy/machine.hpp>
namespace grundy::sparse {
namespace {

constexpr HeapSize kSpan = 1u << 18;        ///< the sample is spread over at most this many heaps
constexpr std::size_t kLeastRound = 64;     ///< a round ranks at least this many taps
constexpr std::size_t kRoundPart = 2;       ///< and at least this part of all taps ranked before it
constexpr std::size_t kLikely = 2;          ///< it begins with as many times the taps that it ranks
constexpr std::size_t kTaskTaps = 1024;     ///< number of taps in a task
constexpr std::uint32_t kWhole = 1u << 16;  ///< weight of a code that is not reached

}  // namespace

TapRanking::TapRanking(const SparseTable& table, const CodeTables& codes, HeapSize reach,
                       HeapSize heaps)
    : lags_(LaggedSplits(table.moves().splits).lags), code_limit_(codes.code_limit()) {
  const HeapSize size = table.size();
  const HeapSize span = std::min({size / 4, size - table.window().begin(), kSpan});
  const auto none = static_cast<std::uint16_t>(code_limit_);
  newest_.assign(span + reach, none);
  const HeapSize known = std::min(newest_.size(), size - table.window().begin());
  for (HeapSize i = newest_.size() - known; i < newest_.size(); ++i) {
    const HeapSize n = size - newest_.size() + i;
    const Nimber value = table.window()[n];
    if (table.split().is_common(value, n)) {
      newest_[i] = static_cast<std::uint16_t>(table.split().squeeze(value));
    }
  }
  // The step is odd, so the sample has heaps of both parities.
  for (HeapSize i = reach; i < newest_.size(); i += span / heaps | 1) {
    if (newest_[i] == none) continue;
    sample_.push_back(i);
    codes_of_.push_back(newest_[i]);
    limits_.push_back(codes.limit(static_cast<HeapIndex>(size - newest_.size() + i), newest_[i]));
  }
}

std::vector<Tap> TapRanking::rank(std::span<const Tap> taps, std::span<const Nimber> bounds,
                                  std::optional<std::size_t> worth, Executor& executor) const {
  const std::size_t stride = 2 * std::size_t{code_limit_};  // distance from one heap to the next
  std::vector<std::uint32_t> weights(sample_.size() * stride);
  for (std::size_t i = 0; i < sample_.size(); ++i)
    std::fill_n(&weights[i * stride], bounds[i], kWhole);
  struct Scored {
    Tap tap;
    std::uint32_t score;
  };
  std::vector<Scored> left;
  for (const Tap& tap : taps) left.push_back({tap, std::numeric_limits<std::uint32_t>::max()});
  const auto is_better = [](const Scored& a, const Scored& b) {
    return std::tuple(b.score, a.tap.offset, a.tap.code) <
           std::tuple(a.score, b.tap.offset, b.tap.code);
  };
  const auto score = [&](std::span<Scored> all) {
    executor.parallel_for((all.size() + kTaskTaps - 1) / kTaskTaps, [&](std::size_t task) {
      const std::span some =
          all.subspan(task * kTaskTaps, std::min(kTaskTaps, all.size() - task * kTaskTaps));
      for (Scored& each : some) each.score = 0;
      for (std::size_t i = 0; i < sample_.size(); ++i) {
        const std::uint32_t* const weight = &weights[i * stride];
        for (Scored& each : some) {
          for_each_reached(i, each.tap, [&](Nimber code) { each.score += weight[code]; });
        }
      }
    });
  };

  std::vector<Tap> ranked;
  while (!left.empty()) {
    const std::size_t round =
        std::min(left.size(), std::max(kLeastRound, ranked.size() / kRoundPart));
    // Weights only fall, so the score of an earlier round is a bound. What has a bound below the
    // least of enough new scores is not ranked in this round, and needs no new score (M. Minoux,
    // Accelerated greedy algorithms, 1978).
    const auto end_of_round = left.begin() + static_cast<std::ptrdiff_t>(round);
    const std::size_t likely = std::min(left.size(), kLikely * round);
    const auto others = left.begin() + static_cast<std::ptrdiff_t>(likely);
    std::nth_element(left.begin(), others, left.end(), is_better);
    score(std::span(left).first(likely));
    std::nth_element(left.begin(), end_of_round - 1, others, is_better);
    const auto hopeless = std::partition(others, left.end(), [&](const Scored& each) {
      return each.score >= (end_of_round - 1)->score;
    });
    score(std::span(others, hopeless));
    std::partial_sort(left.begin(), end_of_round, hopeless, is_better);
    std::size_t first = 0;  // number of codes that this round is the first to reach
    for (const Scored& each : std::span(left).first(round)) {
      const Tap& tap = each.tap;
      for (std::size_t i = 0; i < sample_.size(); ++i) {
        for_each_reached(i, tap, [&](Nimber code) {
          std::uint32_t& weight = weights[i * stride + code];
          if (weight == kWhole) ++first;
          weight /= 2;
        });
      }
      ranked.push_back(tap);
    }
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(round));
    if (worth && first * *worth < round * sample_.size()) break;
  }
  return ranked;
}

std::vector<std::size_t> TapRanking::taps_until(std::span<const Tap> taps, std::size_t open) const {
  std::vector<std::size_t> needed;
  std::vector<std::uint8_t> is_open(2 * std::size_t{code_limit_});
  for (std::size_t i = 0; i < sample_.size(); ++i) {
    std::fill(is_open.begin(), is_open.end(), std::uint8_t{0});
    std::fill_n(is_open.begin(), codes_of_[i], std::uint8_t{1});
    std::size_t left = codes_of_[i];
    std::size_t used = 0;
    for (; left >= open && used < taps.size(); ++used) {
      for_each_reached(i, taps[used],
                       [&](Nimber code) { left -= std::exchange(is_open[code], 0); });
    }
    needed.push_back(used);
  }
  std::ranges::sort(needed);
  return needed;
}

}  // namespace grundy::sparse
