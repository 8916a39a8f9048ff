// SPDX-License-Identifier: MIT
#include "theory/saltus_theorem.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "theory/low_sums.hpp"
#include "theory/saltus_exclusion.hpp"
#include "theory/saltus_gaps.hpp"

namespace grundy {
namespace {

/// A proof looks at no more heaps than this, because its time is quadratic in their number.
constexpr HeapSize kMostValues = HeapSize{1} << 15;
constexpr std::size_t kMostGaps = 8;

/// The numbers that no witness of the wanted kind reaches, each as a heap and a distance below the
/// value. The same distance is missing at all heaps that differ from this heap by periods.
using Gaps = std::set<std::pair<HeapSize, Nimber>>;

/// Looks for witnesses at the last heaps of a table that extend to all larger heaps.
class WitnessSearch {
 public:
  WitnessSearch(const TakeBreakRule& rule, unsigned heaps, std::span<const Nimber> values,
                const PeriodPattern& pattern, unsigned doublings, unsigned low_bits)
      : rule_(rule),
        heaps_(heaps),
        values_(values),
        period_(pattern.period),
        saltus_(pattern.saltus),
        low_bits_(low_bits),
        first_(std::max<HeapSize>(pattern.preperiod, 1)),
        begin_(values.size() - ((2 * pattern.period) << doublings)),
        rise_((std::uint64_t{2} * pattern.saltus) << doublings),
        // An even number of heaps may all move in pairs; of an odd number, one moves alone.
        others_(values, first_, pattern.period << doublings, low_bits, heaps / 2 * 2) {}

  /// Writes to `gaps` the missing numbers that lie below a value by no more than the saltus.
  /// Without `gaps` no number may be missing.
  [[nodiscard]] std::optional<SaltusProof> run(Gaps* gaps) const {
    const HeapSize end = values_.size();
    std::uint64_t fixed = 0;
    for (HeapSize n = begin_; n < end; ++n) {
      // Each move takes a token or makes a heap. So a game of n tokens has fewer than 2n moves, and
      // no value above 2n. The check is needed because a damaged file may claim anything.
      if (values_[n] > 2 * n) return std::nullopt;
      std::vector<std::uint8_t> found = witnesses(n);
      if (gaps != nullptr) take_gaps(n, found, *gaps);
      fixed = std::max(fixed, rising_from(found));
      if (fixed + rise_ > values_[n] || (gaps != nullptr && gaps->size() > kMostGaps)) {
        return std::nullopt;
      }
    }
    for (HeapSize n = begin_; n < end; ++n) {
      if (fixed + rise_ > values_[n]) return std::nullopt;
      const std::vector<std::uint8_t> found = witnesses(n);
      for (std::uint64_t u = 0; u < fixed + rise_; ++u) {
        if ((found[u] & (u < fixed ? kStays : kBoth)) == 0) return std::nullopt;
      }
    }
    return SaltusProof{heaps_,
                       low_bits_,
                       begin_,
                       end,
                       static_cast<Nimber>(fixed),
                       gaps == nullptr ? 0 : gaps->size()};
  }

 private:
  /// With 2P more tokens the value of an option can rise by 2S or stay as it is. Some options can
  /// do either.
  static constexpr std::uint8_t kRises = 1, kStays = 2, kBoth = 4;

  void take_gaps(HeapSize n, std::vector<std::uint8_t>& found, Gaps& gaps) const {
    for (Nimber gap = 1; gap <= std::min(saltus_, values_[n]); ++gap) {
      std::uint8_t& how = found[values_[n] - gap];
      if ((how & kRises) != 0) continue;
      gaps.emplace(begin_ + (n - begin_) % period_, gap);
      how |= kRises;
    }
  }

  /// The least u such that u and all larger numbers have witnesses that rise.
  [[nodiscard]] static std::uint64_t rising_from(const std::vector<std::uint8_t>& found) {
    std::uint64_t u = found.size();
    while (u > 0 && (found[u - 1] & kRises) != 0) --u;
    return u;
  }

  /// The kinds of witnesses for each number below the value of heap n.
  [[nodiscard]] std::vector<std::uint8_t> witnesses(HeapSize n) const {
    const Nimber value = values_[n];
    std::vector<std::uint8_t> found(value);
    const auto mark = [&found, value](Nimber u, std::uint8_t how) {
      if (u < value) found[u] |= how;
    };
    for (HeapSize removed = 0; removed < rule_.digits.size() && removed < n; ++removed) {
      const Digit& digit = rule_.digits[removed];
      const HeapSize left = n - removed;
      for (unsigned heaps = 1; heaps <= digit.max_heaps(); ++heaps) {
        if (!digit.constraint(heaps)) continue;
        if (heaps % 2 == 0) {
          others_.for_each(heaps, left, [&mark](Nimber sum, bool moving) {
            if (moving) mark(sum, kStays);
          });
        }
        for (HeapSize a = 1; a <= left; ++a) {
          const bool rises = a >= first_;
          others_.for_each(heaps - 1, left - a, [&, v = values_[a]](Nimber sum, bool moving) {
            const unsigned how =
                (rises ? kRises : 0u) | (moving ? kStays : 0u) | (rises && moving ? kBoth : 0u);
            mark(v ^ sum, static_cast<std::uint8_t>(how));
          });
        }
      }
    }
    return found;
  }

  const TakeBreakRule& rule_;
  unsigned heaps_;  ///< H
  std::span<const Nimber> values_;
  HeapSize period_;
  Nimber saltus_;
  unsigned low_bits_;
  HeapSize first_;
  HeapSize begin_;      ///< of the last 2P heaps
  std::uint64_t rise_;  ///< 2S
  LowSums others_;
};

}  // namespace

bool saltus_theorem_applies(const HeapRule& rule) noexcept {
  return rule.take_break() != nullptr && rule.largest_take() && rule.unconstrained() &&
         rule.max_heaps().value_or(0) >= 3;
}

HeapSize saltus_proof_values(HeapSize size) noexcept {
  return std::min(size, kMostValues);
}

std::optional<SaltusProof> prove_saltus(const HeapRule& rule, std::span<const Nimber> values,
                                        const PeriodPattern& pattern) {
  if (!saltus_theorem_applies(rule) || pattern.saltus == 0) return std::nullopt;
  const TakeBreakRule& code = *rule.take_break();
  values = values.first(saltus_proof_values(pattern.size));
  if (code.pass && *code.pass >= values.size()) return std::nullopt;
  const unsigned heaps = *rule.max_heaps();
  if (values.size() <= heaps * std::max<HeapSize>(pattern.preperiod, 1) + code.digits.size()) {
    return std::nullopt;
  }
  const auto closes = [&](const std::pair<HeapSize, Nimber>& gap) {
    return gap_closes(code, values, pattern, gap.first, gap.second);
  };
  // With P = 2^j p and S = 2^j s the most witnesses move if 2^k is the largest power that divides
  // S.
  const auto trailing = static_cast<unsigned>(std::countr_zero(pattern.saltus));
  for (const bool with_gaps : {false, true}) {
    // Witnesses for numbers up to 2S need a heap of about 2P tokens beside the window.
    for (unsigned j = 0; pattern.period << j <= values.size() / 4; ++j) {
      const unsigned k = std::min(trailing + j, LowSums::kMostLowBits);
      Gaps gaps;
      const auto proof =
          WitnessSearch(code, heaps, values, pattern, j, k).run(with_gaps ? &gaps : nullptr);
      if (proof && std::ranges::all_of(gaps, closes)) {
        if (!options_avoid_pattern(code, values, pattern)) return std::nullopt;
        return proof;
      }
      if (k == LowSums::kMostLowBits) break;
    }
  }
  return std::nullopt;
}

std::string saltus_statement(const SaltusProof& proof, Nimber saltus) {
  std::string text = fmt::format(
      "saltus {} of a code that leaves at most {} heaps: the bits of the values show that no "
      "option has the value of the pattern; at heaps {} to {} each smaller number has a witness "
      "that moves by {} heaps, in which all values but one have a nim-sum below 2^{}",
      saltus, proof.heaps, proof.first, proof.end - 1, proof.end - proof.first, proof.low_bits);
  if (proof.gaps != 0) {
    text +=
        fmt::format(", but for {} below the value, which the bits of the heap find", proof.gaps);
  }
  return text;
}

}  // namespace grundy
