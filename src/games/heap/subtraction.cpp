// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>

#include <grundy/error.hpp>
#include <grundy/heap/rule.hpp>

#include "games/heap/notation.hpp"

namespace grundy {
namespace {

/// Sieve of Eratosthenes over the odd numbers: limit / 16 bytes.
std::vector<HeapSize> primes_up_to(HeapSize limit) {
  if (limit < 2) return {};
  std::vector<HeapSize> primes = {2};
  std::vector<bool> composite((limit - 1) / 2, false);  // entry i stands for 2i + 3
  for (HeapSize i = 0; i < composite.size(); ++i) {
    if (composite[i]) continue;
    const HeapSize p = 2 * i + 3;
    primes.push_back(p);
    if (p > limit / p) continue;
    for (HeapSize multiple = p * p; multiple <= limit; multiple += 2 * p) {
      composite[(multiple - 3) / 2] = true;
      if (multiple > std::numeric_limits<HeapSize>::max() - 2 * p) break;
    }
  }
  return primes;
}

std::vector<HeapSize> squares_up_to(HeapSize limit) {
  std::vector<HeapSize> squares;
  for (HeapSize root = 1; root <= limit / root; ++root) squares.push_back(root * root);
  return squares;
}

std::vector<HeapSize> factorials_up_to(HeapSize limit) {
  std::vector<HeapSize> factorials;
  HeapSize factorial = 1;
  for (HeapSize next = 2; factorial <= limit; ++next) {
    factorials.push_back(factorial);
    if (factorial > limit / next) break;
    factorial *= next;
  }
  return factorials;
}

std::vector<HeapSize> fibonacci_up_to(HeapSize limit) {
  std::vector<HeapSize> numbers;
  HeapSize earlier = 1;
  HeapSize latest = 1;
  while (latest <= limit) {
    numbers.push_back(latest);
    if (latest > limit - earlier) break;  // the next element exceeds the limit, and perhaps 64 bits
    earlier = std::exchange(latest, latest + earlier);
  }
  return numbers;
}

std::vector<HeapSize> powers_of_two_up_to(HeapSize limit) {
  std::vector<HeapSize> powers;
  for (HeapSize power = 1; power != 0 && power <= limit; power *= 2) powers.push_back(power);
  return powers;
}

}  // namespace

std::vector<HeapSize> SubtractionRule::allowed_up_to(HeapSize limit) const {
  switch (kind) {
    case Kind::kFinite:
      return {elements.begin(), std::ranges::upper_bound(elements, limit)};
    case Kind::kAllBut: {
      std::vector<HeapSize> rest;
      auto excluded = elements.begin();
      for (HeapSize s = 1; s <= limit; ++s) {
        if (excluded != elements.end() && *excluded == s) {
          ++excluded;
        } else {
          rest.push_back(s);
        }
      }
      return rest;
    }
    case Kind::kSquares:
      return squares_up_to(limit);
    case Kind::kPrimes:
      return primes_up_to(limit);
    case Kind::kFactorials:
      return factorials_up_to(limit);
    case Kind::kFibonacci:
      return fibonacci_up_to(limit);
    case Kind::kPowersOfTwo:
      return powers_of_two_up_to(limit);
  }
  return {};
}

SubtractionRule canonical(SubtractionRule rule) {
  auto& elements = rule.elements;
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  const bool finite = rule.kind == SubtractionRule::Kind::kFinite;
  if (finite && elements.empty()) {
    throw Error(ErrorCode::kUsage, "a subtraction set needs at least one number, such as S{1,2}");
  }
  if (!elements.empty() && elements.front() == 0) {
    throw Error(ErrorCode::kUsage,
                "a subtraction set holds positive numbers; taking 0 tokens is not a move");
  }
  if (!finite && rule.kind != SubtractionRule::Kind::kAllBut && !elements.empty()) {
    throw Error(ErrorCode::kUsage, "a named subtraction set has no listed elements");
  }
  if (elements.size() > kMaxElements) {
    throw Error(ErrorCode::kUsage, "a subtraction set lists at most " +
                                       std::to_string(kMaxElements) + " numbers, not " +
                                       std::to_string(elements.size()));
  }
  return rule;
}

}  // namespace grundy
