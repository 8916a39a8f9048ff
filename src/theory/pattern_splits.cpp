// SPDX-License-Identifier: MIT
#include "theory/pattern_splits.hpp"

#include <algorithm>
#include <functional>

namespace grundy {

bool PatternSplits::for_each(std::size_t removed, std::int64_t least,
                             const std::function<bool(const Split&)>& body) {
  const Digit& digit = rule_.digits[removed];
  for (unsigned heaps = 1; heaps <= digit.max_heaps(); ++heaps) {
    if (digit.constraint(heaps) && !extend(heaps, 0, {{}, 0, {1}}, least, body)) return false;
  }
  return true;
}

/// Adds `more` heaps, of the kinds from `from` on, to the split.
bool PatternSplits::extend(unsigned more, std::size_t from, const Split& split, std::int64_t least,
                           const std::function<bool(const Split&)>& body) {
  if (more == 0) return body(split);
  const auto period = static_cast<std::int64_t>(values_.pattern().period);
  const auto saltus = static_cast<std::int64_t>(values_.pattern().saltus);
  const auto fewest = std::ranges::find(split.tokens, 1) - split.tokens.begin();
  const auto excess = [&](std::uint64_t sum) {
    return period * static_cast<std::int64_t>(sum) - least;  // of a split without tokens
  };
  for (std::size_t k = from; k < kinds_.size(); ++k) {
    const HeapKind& kind = kinds_[k];
    if (excess(split.sum) - saltus * fewest + std::int64_t{more} * kind.excess < 0) return true;
    Split next{split.terms, split.sum + kind.value.value, {}};
    next.terms.push_back(kind.value);
    // With more tokens than this the excess is too small, whatever the other heaps are.
    const std::int64_t most = (excess(next.sum) + std::int64_t{more - 1} * kind.excess) / saltus;
    if (most < fewest + static_cast<std::int64_t>(kind.sizes.front())) continue;
    next.tokens.resize(
        std::min(static_cast<std::size_t>(most) + 1, split.tokens.size() + kind.sizes.back()));
    for (const HeapSize size : kind.sizes) {
      if (size >= next.tokens.size()) break;
      const std::size_t count = std::min(split.tokens.size(), next.tokens.size() - size);
      const auto to = next.tokens.begin() + static_cast<std::ptrdiff_t>(size);
      std::transform(split.tokens.begin(),
                     split.tokens.begin() + static_cast<std::ptrdiff_t>(count), to, to,
                     std::bit_or<>());
      steps_ += count;
    }
    constexpr std::uint64_t kStepsOfSplit = 256;  // the time that the rest takes, about
    steps_ += kStepsOfSplit;
    if (steps_ > most_steps_) return false;
    if (!extend(more - 1, k, next, least, body)) return false;
  }
  return true;
}

}  // namespace grundy
