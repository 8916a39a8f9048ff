// SPDX-License-Identifier: MIT
#include "theory/saltus_theorem.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "theory/saltus_exclusion.hpp"
#include "theory/saltus_gaps.hpp"

namespace grundy {
namespace {

constexpr unsigned kMostLeft = 3;  ///< heaps after a move
/// No known game needs more than 3.
constexpr unsigned kMostLowBits = 10;
/// A proof looks at no more heaps than this, because its time is quadratic in their number.
constexpr HeapSize kMostValues = HeapSize{1} << 15;
constexpr std::size_t kMostGaps = 8;

/// The nim-sums below 2^k of all pairs of heaps with a given number of tokens.
class PairSums {
 public:
  PairSums(std::span<const Nimber> values, HeapSize first, unsigned low_bits)
      : words_(((std::size_t{1} << low_bits) + 63) / 64),
        all_(values.size() * words_),
        moving_(values.size() * words_) {
    for (HeapSize b = 1; b < values.size(); ++b) {
      for (HeapSize c = b; b + c < values.size(); ++c) {
        const Nimber sum = values[b] ^ values[c];
        if (sum >> low_bits != 0) continue;
        const std::size_t word = (b + c) * words_ + sum / 64;
        const std::uint64_t bit = std::uint64_t{1} << sum % 64;
        all_[word] |= bit;
        if (b >= first) moving_[word] |= bit;
      }
    }
  }

  /// Calls body(nim-sum, whether both heaps are `first` or larger) for each pair with these tokens.
  template <class Body>
  void for_each(HeapSize tokens, Body body) const {
    for (std::size_t w = 0; w < words_; ++w) {
      const std::uint64_t moving = moving_[tokens * words_ + w];
      for (std::uint64_t rest = all_[tokens * words_ + w]; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(rest));
        body(static_cast<Nimber>(64 * w + bit), (moving >> bit & 1u) != 0);
      }
    }
  }

 private:
  std::size_t words_;
  std::vector<std::uint64_t> all_, moving_;
};

/// The numbers that no witness of the wanted kind reaches, each as a heap and a distance below the
/// value. The same distance is missing at all heaps that differ from this heap by periods.
using Gaps = std::set<std::pair<HeapSize, Nimber>>;

/// Looks for witnesses at the last heaps of a table that extend to all larger heaps.
class WitnessSearch {
 public:
  WitnessSearch(const TakeBreakRule& rule, std::span<const Nimber> values,
                const PeriodPattern& pattern, unsigned low_bits)
      : rule_(rule),
        values_(values),
        period_(pattern.period),
        saltus_(pattern.saltus),
        low_bits_(low_bits),
        first_(std::max<HeapSize>(pattern.preperiod, 1)),
        begin_(values.size() - ((2 * pattern.period) << low_bits)),
        rise_((std::uint64_t{2} * pattern.saltus) << low_bits),
        pairs_(values, first_, low_bits) {}

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
    return SaltusProof{low_bits_, begin_, end, static_cast<Nimber>(fixed),
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
      if (digit.constraint(1) && left >= first_) mark(values_[left], kRises);
      if (digit.constraint(2)) {
        for (HeapSize a = first_; a < left; ++a) {
          const Nimber other = values_[left - a];
          if (other >> low_bits_ == 0) mark(values_[a] ^ other, kRises);
        }
        pairs_.for_each(left, [&mark](Nimber sum, bool moving) {
          if (moving) mark(sum, kStays);
        });
      }
      if (digit.constraint(3)) {
        for (HeapSize a = 1; a < left; ++a) {
          const bool rises = a >= first_;
          pairs_.for_each(left - a, [&, v = values_[a]](Nimber sum, bool moving) {
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
  std::span<const Nimber> values_;
  HeapSize period_;
  Nimber saltus_;
  unsigned low_bits_;
  HeapSize first_;
  HeapSize begin_;      ///< of the last 2P heaps
  std::uint64_t rise_;  ///< 2S
  PairSums pairs_;
};

}  // namespace

bool saltus_theorem_applies(const HeapRule& rule) noexcept {
  return rule.take_break() != nullptr && rule.largest_take() && rule.unconstrained() &&
         rule.max_heaps() == kMostLeft;
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
  if (values.size() <= 3 * std::max<HeapSize>(pattern.preperiod, 1) + code.digits.size()) {
    return std::nullopt;
  }
  const auto closes = [&](const std::pair<HeapSize, Nimber>& gap) {
    return gap_closes(code, values, pattern, gap.first, gap.second);
  };
  for (const bool with_gaps : {false, true}) {
    // Witnesses for numbers up to 2S need a heap of about 2P tokens beside the window.
    for (unsigned k = 0; k <= kMostLowBits && pattern.period << k <= values.size() / 4; ++k) {
      Gaps gaps;
      const auto proof = WitnessSearch(code, values, pattern, k).run(with_gaps ? &gaps : nullptr);
      if (!proof || !std::ranges::all_of(gaps, closes)) continue;
      if (!options_avoid_pattern(code, values, pattern)) return std::nullopt;
      return proof;
    }
  }
  return std::nullopt;
}

std::string saltus_statement(const SaltusProof& proof, Nimber saltus) {
  std::string text = fmt::format(
      "saltus {} of a code that leaves at most three heaps: the bits of the values show that no "
      "option has the value of the pattern; at heaps {} to {} each smaller number has a witness "
      "that moves by {} heaps, in which two values have a nim-sum below 2^{}",
      saltus, proof.first, proof.end - 1, proof.end - proof.first, proof.low_bits);
  if (proof.gaps != 0) {
    text +=
        fmt::format(", but for {} below the value, which the bits of the heap find", proof.gaps);
  }
  return text;
}

}  // namespace grundy
