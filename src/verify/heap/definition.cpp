// SPDX-License-Identifier: MIT
#include "verify/heap/definition.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include <grundy/heap/options.hpp>

#include "verify/prover.hpp"

namespace grundy {
namespace {

/// Whether the loops of this file understand the digit: it leaves at most three heaps and has no
/// constraint on three.
bool plain(const Digit& digit) {
  if (digit.and_more || digit.max_heaps() > 3) return false;
  const auto three = digit.constraint(3);
  return !three || *three == SplitConstraint::kAny;
}

/// The last digit of the code that can matter for a heap of n tokens.
HeapSize last_digit(const TakeBreakRule& code, HeapSize n) {
  return code.period > 0 ? n : std::min<HeapSize>(n, code.digits.size() - 1);
}

}  // namespace

HeapDefinition::HeapDefinition(const HeapRule& rule, Values values, Nimber largest)
    : rule_(rule), values_(values), seen_(std::bit_ceil(std::uint64_t{largest} + 1) + 1) {
  if (const TakeBreakRule* code = rule.take_break()) {
    plain_ = std::ranges::all_of(code->digits, plain);
  } else if (rule.formula() != nullptr) {
    plain_ = false;
  } else {
    plain_ = true;
    takes_ = rule.subtraction()->allowed_up_to(values.size());
  }
}

std::uint64_t HeapDefinition::mex(HeapSize n) {
  std::ranges::fill(seen_, std::uint8_t{0});
  if (plain_) {
    values_.visit([&](auto values) { mark_all(values.data(), n); });
  } else {
    for_each_option(rule_, n, [&](const HeapMove& move) {
      Nimber sum = 0;
      for (const HeapSize heap : move.left) sum ^= values_[heap];
      seen_[sum] = 1;
      return Flow::kContinue;
    });
  }
  // The last entry is never marked: nim-sums of values below a power of two stay below it.
  const auto without_pass = std::ranges::find(seen_, 0);
  // The heap without its pass is one more option.
  const auto mex =
      rule_.pass() == n ? std::find(std::next(without_pass), seen_.end(), 0) : without_pass;
  return static_cast<std::uint64_t>(mex - seen_.begin());
}

std::string HeapDefinition::fault(HeapSize n) {
  return value_fault(values_[n], mex(n));
}

template <class T>
void HeapDefinition::mark_all(const T* values, HeapSize n) {
  const TakeBreakRule* const code = rule_.take_break();
  if (code == nullptr) {
    for (const HeapSize take : takes_) {
      if (take > n) break;
      seen_[values[n - take]] = 1;
    }
    return;
  }
  for (HeapSize taken = 0; taken <= last_digit(*code, n); ++taken) {
    mark_digit(values, code->digit(taken), n - taken);
  }
}

template <class T>
void HeapDefinition::mark_digit(const T* values, const Digit& digit, HeapSize rest) {
  if (rest == 0) {
    if (digit.constraint(0)) seen_[0] = 1;
    return;
  }
  if (digit.constraint(1)) seen_[values[rest]] = 1;
  if (const auto two = digit.constraint(2)) {
    for (HeapSize a = 1; a <= rest / 2; ++a) {
      const bool equal = a == rest - a;
      if (equal ? *two == SplitConstraint::kPairwiseUnequal || *two == SplitConstraint::kNotAllEqual
                : *two == SplitConstraint::kAllEqual) {
        continue;
      }
      seen_[values[a] ^ values[rest - a]] = 1;
    }
  }
  if (digit.constraint(3)) {
    for (HeapSize a = 1; a <= rest / 3; ++a) {
      for (HeapSize b = a; b <= (rest - a) / 2; ++b) {
        seen_[values[a] ^ values[b] ^ values[rest - a - b]] = 1;
      }
    }
  }
}

double HeapDefinition::options(HeapSize n) const {
  const auto heap = static_cast<double>(n);
  // One number tried in a formula costs as much as some dozens of look-ups of options.
  constexpr double kTrial = 32;
  if (rule_.formula() != nullptr) return kTrial * heap;
  const TakeBreakRule* const code = rule_.take_break();
  if (code == nullptr) {
    return static_cast<double>(std::ranges::upper_bound(takes_, n) - takes_.begin());
  }
  constexpr HeapSize kListed = 4096;
  double count = 0;
  double digits = 0;
  for (HeapSize taken = 0; taken <= std::min(last_digit(*code, n), kListed); ++taken, ++digits) {
    const Digit& digit = code->digit(taken);
    const unsigned heaps = digit.and_more ? Digit::kMaxExplicitHeaps : digit.max_heaps();
    // Partitions of n into k parts: about n^(k-1) / (k! (k-1)!).
    double splits = 1;
    for (unsigned k = 2; k <= heaps; ++k) splits *= std::max(1.0, heap / (k * (k - 1.0)));
    count += splits;
  }
  return count * std::max(1.0, static_cast<double>(last_digit(*code, n)) / digits);
}

}  // namespace grundy
