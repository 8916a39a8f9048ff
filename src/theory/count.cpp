// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>
#include <gmpxx.h>

#include <grundy/count.hpp>
#include <grundy/error.hpp>

namespace grundy {
namespace {

static_assert(sizeof(unsigned long) == sizeof(std::uint64_t), "mpz_class takes 64-bit numbers");

using Integers = std::vector<mpz_class>;

/// The Walsh-Hadamard transform, in place. Entry s becomes the sum of all entries v, where
/// entry v is subtracted if v and s have an odd number of bits in common. Applied twice, the
/// transform multiplies every entry by the size.
void walsh_hadamard(Integers& a) {
  for (std::size_t half = 1; half < a.size(); half *= 2) {
    for (std::size_t begin = 0; begin < a.size(); begin += 2 * half) {
      for (std::size_t i = begin; i < begin + half; ++i) {
        a[i] += a[i + half];
        a[i + half] *= -2;
        a[i + half] += a[i];
      }
    }
  }
}

Integers transform(std::span<const std::uint64_t> histogram, std::size_t size) {
  Integers f(size);
  std::ranges::copy(histogram, f.begin());
  walsh_hadamard(f);
  return f;
}

/// The numbers whose transform this is, in decimal.
std::vector<std::string> inverse(Integers transformed) {
  walsh_hadamard(transformed);
  std::vector<std::string> decimal;
  decimal.reserve(transformed.size());
  const auto bits = static_cast<unsigned>(std::countr_zero(transformed.size()));
  for (mpz_class& number : transformed) {
    mpz_tdiv_q_2exp(number.get_mpz_t(), number.get_mpz_t(), bits);
    decimal.push_back(number.get_str());
  }
  return decimal;
}

mpz_class power(const mpz_class& base, unsigned exponent) {
  mpz_class result;
  mpz_pow_ui(result.get_mpz_t(), base.get_mpz_t(), exponent);
  return result;
}

/// Entry i is the number of multisets of i elements out of `kinds`, for i = 0 .. most.
Integers multisets(const mpz_class& kinds, unsigned most) {
  Integers numbers(most + 1, 1);
  for (unsigned i = 1; i <= most; ++i) {
    numbers[i] = numbers[i - 1] * (kinds + (i - 1));
    mpz_divexact_ui(numbers[i].get_mpz_t(), numbers[i].get_mpz_t(), i);
  }
  return numbers;
}

/// The coefficient of t^heaps in (1 - t)^-plus (1 + t)^-minus.
mpz_class signed_multisets(const mpz_class& plus, const mpz_class& minus, unsigned heaps) {
  const Integers of_plus = multisets(plus, heaps);
  const Integers of_minus = multisets(minus, heaps);
  mpz_class sum = 0;
  for (unsigned i = 0; i <= heaps; ++i) {
    const mpz_class term = of_plus[heaps - i] * of_minus[i];
    i % 2 == 0 ? sum += term : sum -= term;
  }
  return sum;
}

mpz_class total(std::span<const std::uint64_t> histogram) {
  return std::accumulate(histogram.begin(), histogram.end(), mpz_class(0));
}

/// The power of two above all values, and so above all nim-sums.
std::size_t transform_size(std::span<const HeapChoice> choices) {
  std::size_t size = 1;
  for (const HeapChoice& choice : choices) size = std::max(size, choice.histogram.size());
  return std::bit_ceil(size);
}

void check(std::span<const HeapChoice> choices, std::uint64_t memory_limit) {
  constexpr std::uint64_t kOverhead = 96;  // of an integer and of its text, besides their digits
  std::size_t bits = 0;
  unsigned heaps = 0;
  for (const HeapChoice& choice : choices) {
    const mpz_class n = total(choice.histogram);
    if (n == 0 && choice.heaps > 0)
      throw Error(ErrorCode::kUsage, "there are no heaps to choose from");
    bits += choice.heaps * mpz_sizeinbase(n.get_mpz_t(), 2);
    heaps = std::max(heaps, choice.heaps);
  }
  if (heaps > kMostHeaps) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} heaps are too many to count; the limit is {}", heaps, kMostHeaps));
  }
  const std::size_t size = transform_size(choices);
  const std::uint64_t bytes = 2 * size * (kOverhead + bits / 2);
  if (bytes > memory_limit) {
    throw Error(ErrorCode::kFailure,
                fmt::format("counts for {} values of up to {} bits need {} MiB of memory, and {} "
                            "MiB may be used; fewer or smaller heaps need less",
                            size, bits, bytes >> 20, memory_limit >> 20));
  }
}

}  // namespace

SumCounts count_sums(std::span<const HeapChoice> choices, std::uint64_t memory_limit) {
  check(choices, memory_limit);
  const std::size_t size = transform_size(choices);
  Integers ordered(size, 1);
  Integers unordered(size, 1);
  for (const HeapChoice& choice : choices) {
    const mpz_class n = total(choice.histogram);
    const Integers f = transform(choice.histogram, size);
    for (std::size_t s = 0; s < size; ++s) {
      ordered[s] *= power(f[s], choice.heaps);
      unordered[s] *= signed_multisets((n + f[s]) / 2, (n - f[s]) / 2, choice.heaps);
    }
  }
  // Under the character of 0 every heap has the sign +: nothing cancels.
  SumCounts counts;
  counts.all_ordered = ordered[0].get_str();
  counts.all_unordered = unordered[0].get_str();
  counts.ordered = inverse(std::move(ordered));
  counts.unordered = inverse(std::move(unordered));
  return counts;
}

}  // namespace grundy
