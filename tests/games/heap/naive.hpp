/// @file
/// Grundy values straight from the meaning of the digits: every way to split what is left is
/// enumerated. Exponential in the number of heaps; for small tables only. What formulas mean
/// is tested by formula_test.cpp.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include <grundy/heap/options.hpp>
#include <grundy/heap/rule.hpp>

namespace grundy::test {

/// All moves from a heap.
inline std::vector<HeapMove> moves_of(const HeapRule& rule, HeapSize n) {
  std::vector<HeapMove> moves;
  for_each_option(rule, n, [&](const HeapMove& move) {
    moves.push_back(move);
    return Flow::kContinue;
  });
  return moves;
}

inline unsigned mex(const std::set<unsigned>& values) {
  unsigned least = 0;
  while (values.contains(least)) ++least;
  return least;
}

/// Calls f(parts) for every way to write `total` as `count` positive parts in ascending order.
template <class F>
void for_each_partition(std::uint64_t total, std::uint64_t count, std::vector<std::uint64_t>& parts,
                        F&& f) {
  if (count == 0) {
    if (total == 0) f(parts);
    return;
  }
  // The last part is what is left.
  const std::uint64_t least = parts.empty() ? 1 : parts.back();
  for (std::uint64_t part = count == 1 ? std::max(least, total) : least; part * count <= total;
       ++part) {
    parts.push_back(part);
    for_each_partition(total - part, count - 1, parts, f);
    parts.pop_back();
  }
}

inline bool satisfies(SplitConstraint constraint, const std::vector<std::uint64_t>& ascending) {
  if (ascending.size() < 2) return true;
  switch (constraint) {
    case SplitConstraint::kAny:
      return true;
    case SplitConstraint::kPairwiseUnequal:
      return std::ranges::adjacent_find(ascending) == ascending.end();
    case SplitConstraint::kNotAllEqual:
      return ascending.front() != ascending.back();
    case SplitConstraint::kAllEqual:
      return ascending.front() == ascending.back();
  }
  return false;
}

/// All positions that a move from a heap of n leads to, each as its heaps in ascending order.
inline std::set<std::vector<std::uint64_t>> options(const TakeBreakRule& rule, std::uint64_t n) {
  std::set<std::vector<std::uint64_t>> found;
  std::vector<std::uint64_t> parts;
  for (std::uint64_t removed = 0; removed <= n; ++removed) {
    const auto digit = rule.digit(removed);
    if (digit.empty()) continue;
    for (std::uint64_t k = 0; k <= n - removed; ++k) {
      const auto constraint = digit.constraint(k);
      if (!constraint) continue;
      for_each_partition(n - removed, k, parts, [&](const auto& heaps) {
        if (satisfies(*constraint, heaps)) found.insert(heaps);
      });
    }
  }
  return found;
}

inline std::vector<unsigned> naive_values(const HeapRule& rule, std::uint64_t count) {
  std::vector<unsigned> values;
  for (std::uint64_t n = 0; n < count; ++n) {
    std::set<unsigned> seen;
    if (const SubtractionRule* set = rule.subtraction()) {
      for (const std::uint64_t s : set->allowed_up_to(n)) seen.insert(values[n - s]);
    } else if (rule.formula() != nullptr) {
      for_each_option(rule, n, [&](const HeapMove& move) {
        seen.insert(values[n - move.taken]);
        return Flow::kContinue;
      });
    } else {
      for (const auto& heaps : options(*rule.take_break(), n)) {
        unsigned value = 0;
        for (const std::uint64_t heap : heaps) value ^= values[heap];
        seen.insert(value);
      }
    }
    values.push_back(mex(seen));
  }
  return values;
}

inline std::vector<unsigned> naive_values(std::string_view notation, std::uint64_t count) {
  return naive_values(HeapRule::parse(notation), count);
}

}  // namespace grundy::test
