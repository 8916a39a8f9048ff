// SPDX-License-Identifier: MIT
#include "engines/heap/dense/hot_taps.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

namespace grundy {
namespace {

constexpr HeapSize kSample = 32;

/// Calls visit(smaller heap, larger heap, value) for the pairs of `split` of heap n.
template <class T, class Visit>
void for_pairs(const SplitMove& split, const T* values, HeapSize n, Visit visit) {
  for (HeapSize a = 1; a <= split.pairs(n); ++a) {
    const HeapSize c = n - split.take - a;
    visit(a, c, static_cast<std::size_t>(values[a] ^ values[c]));
  }
}

/// By value: the worth of a witness for it to heap n. Scarce values are worth more than in
/// proportion.
template <class T>
std::vector<float> worth(const std::vector<SplitMove>& splits, const T* values, HeapSize n,
                         std::size_t bound) {
  std::vector<std::uint32_t> witnesses(bound);
  for (const SplitMove& split : splits) {
    for_pairs(split, values, n, [&](HeapSize, HeapSize, std::size_t v) { ++witnesses[v]; });
  }
  std::vector<float> result(bound);
  for (std::size_t v = 0; v < values[n]; ++v) {
    const auto count = static_cast<float>(witnesses[v]);
    if (count > 0) result[v] = 1 / (count * count);
  }
  return result;
}

}  // namespace

template <class T>
std::vector<HotTap> hot_taps(const std::vector<SplitMove>& splits, const T* values, HeapSize heaps,
                             std::size_t bound, std::size_t count) {
  if (count == 0) return {};
  // The sample is spread over the upper half of the table.
  std::vector<HeapSize> sample;
  for (HeapSize i = 0; i < std::min(kSample, heaps / 2); ++i) {
    sample.push_back(heaps - 1 - i * (heaps / 2) / kSample);
  }
  std::vector<std::vector<float>> worths;
  for (const HeapSize n : sample) worths.push_back(worth(splits, values, n, bound));

  struct Scored {
    float score;
    HotTap tap;
  };
  const auto hotter = [](const Scored& a, const Scored& b) { return a.score > b.score; };
  std::vector<Scored> best;
  const auto keep_best = [&] {
    if (best.size() <= count) return;
    std::nth_element(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count), best.end(),
                     hotter);
    best.resize(count);
  };
  std::vector<float> score(heaps);
  const LaggedSplits lagged(splits);
  for (const SplitMove& first : lagged.splits) {
    std::fill(score.begin(), score.end(), 0.0f);
    bool unequal = false;
    for (const SplitMove& split : lagged.are_shared() ? std::span(splits) : std::span(&first, 1)) {
      unequal |= split.unequal;
      for (std::size_t i = 0; i < sample.size(); ++i) {
        for_pairs(split, values, sample[i], [&](HeapSize a, HeapSize c, std::size_t v) {
          score[a] += worths[i][v];
          score[c] += worths[i][v];
        });
      }
    }
    for (HeapSize a = 1; a < heaps; ++a) {
      if (score[a] > 0) best.push_back({score[a], {first.take, a, unequal}});
      if (best.size() >= 4 * count) keep_best();
    }
  }
  keep_best();
  std::vector<HotTap> taps;
  for (const Scored& scored : best) taps.push_back(scored.tap);
  // Marks then go through the table from one end to the other, and not from page to page.
  std::ranges::sort(taps, {}, [](const HotTap& tap) { return tap.take + tap.first; });
  return taps;
}

template std::vector<HotTap> hot_taps(const std::vector<SplitMove>&, const std::uint8_t*, HeapSize,
                                      std::size_t, std::size_t);
template std::vector<HotTap> hot_taps(const std::vector<SplitMove>&, const std::uint16_t*, HeapSize,
                                      std::size_t, std::size_t);
template std::vector<HotTap> hot_taps(const std::vector<SplitMove>&, const std::uint32_t*, HeapSize,
                                      std::size_t, std::size_t);

}  // namespace grundy
