// SPDX-License-Identifier: MIT
#include "atlas/set_period_proof.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include <fmt/format.h>

namespace grundy::atlas {
namespace {

/// The values of heaps 0 .. count - 1, each the mex of its options.
std::vector<std::uint8_t> values_by_definition(const MoveSet& moves, HeapSize count) {
  std::vector<std::uint8_t> values(count);
  for (HeapSize n = 0; n < count; ++n) {
    std::uint32_t options = 0;  // bit v: an option has the value v
    for (const HeapSize move : moves) {
      if (move > n) break;
      options |= std::uint32_t{1} << values[n - move];
    }
    while ((options & 1) != 0) {
      options >>= 1;
      ++values[n];
    }
  }
  return values;
}

}  // namespace

std::string period_fault(const MoveSet& moves, const SetPeriod& found) {
  const HeapSize e = found.preperiod, p = found.period, window = moves.back();
  if (p == 0) return found == SetPeriod{} ? "" : "has no period, but other entries";
  const std::vector<std::uint8_t> values = values_by_definition(moves, e + 2 * p + window);
  const std::span all(values);
  if (!std::ranges::equal(all.subspan(e, window), all.subspan(e + p, window))) {
    return fmt::format("has not the period {} from heap {} on", p, e);
  }
  if (e > 0 && values[e - 1] == values[e - 1 + p]) {
    return fmt::format("has the period {} before heap {} already", p, e);
  }
  HeapSize rest = p;
  for (HeapSize prime = 2; rest > 1; ++prime) {
    if (prime * prime > rest) prime = rest;
    if (rest % prime != 0) continue;
    while (rest % prime == 0) rest /= prime;
    if (std::ranges::equal(all.subspan(e, p), all.subspan(e + p / prime, p))) {
      return fmt::format("has the smaller period {}", p / prime);
    }
  }
  if (std::ranges::count(all.subspan(e, p), 0) != found.zeros) {
    return fmt::format("has not {} zeros in a period", found.zeros);
  }
  if (std::ranges::max(all.first(e + p)) != found.max_value) {
    return fmt::format("has not the largest value {}", found.max_value);
  }
  return {};
}

}  // namespace grundy::atlas
