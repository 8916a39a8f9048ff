/// @file
/// Rules by which a heap may become every smaller heap that is *related* to it: what is taken, or
/// what is left, does not divide it, or has no common divisor with it.
///
/// Such a heap has nearly as many options as there are smaller heaps. So no option is looked at.
///
/// - Non-divisors. Heap n is unrelated to as many heaps as it has divisors. Every value so far is
///   that of some heap. It is no option's if all heaps that have it are unrelated to n, so heaps
///   are counted for each value. If there is no such value, heap n has a new one.
/// - Coprimes. All values follow from those of the primes (D. E. Iannucci and U. Larsson,
///   arXiv:2101.07608). Let p be the least prime of n > 1. The claim is that n has the value of p,
///   and that an odd prime has a new value. For, by induction, all values so far are those of heap
///   1 and of primes, and a heap has the value of p only if it is a multiple of p, as heap 0 is. So
///   no option of n has it. A smaller value is that of heap 1 or of a smaller prime, and these are
///   options.
///
/// A sieve finds the divisors, or least primes, of many heaps, in parallel.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <grundy/machine.hpp>
#include <grundy/types.hpp>

#include "core/huge_pages.hpp"
#include "engines/heap/formula/plan.hpp"
#include "engines/heap/formula/variable_sets.hpp"

namespace grundy {

class RelationSolver {
 public:
  /// The executor must outlive the solver.
  RelationSolver(const Relation& relation, Executor& executor)
      : relation_(relation), executor_(executor) {}

  [[nodiscard]] static HeapSize block() noexcept { return HeapSize{1} << 16; }
  /// The approximate power of n with which the work for heaps 0 .. n grows.
  [[nodiscard]] static double work_exponent() noexcept { return 1; }
  /// Bytes besides the table and the lists of a block, for values of at most `max_value`.
  [[nodiscard]] static std::uint64_t memory_bytes(const Relation& relation,
                                                  Nimber max_value) noexcept;
  /// Takes the values of the first heaps, which are known from elsewhere.
  void take_up(Values known);
  /// Finds the values of heaps begin .. begin + values.size() - 1. `table` has the values before.
  void solve(HeapSize begin, Values table, std::span<Nimber> values);

 private:
  /// Heaps whose divisors, or least primes, one task finds.
  struct Piece {
    DivisorLists divisors;
    LeastPrimes primes;
  };

  /// The value of heap n. @param value_of gives the values of smaller heaps
  template <class ValueOf>
  [[nodiscard]] Nimber value_by_divisors(HeapSize n, std::span<const HeapSize> divisors,
                                         const ValueOf& value_of);
  template <class ValueOf>
  [[nodiscard]] Nimber value_by_prime(HeapSize n, HeapSize least_prime,
                                      const ValueOf& value_of) const;
  /// Notes the value of heap n, after those of all smaller heaps.
  void add(HeapSize n, Nimber value);

  Relation relation_;
  Executor& executor_;
  std::vector<Piece> pieces_;
  std::size_t values_ = 0;  ///< the values so far are 0 .. values_ - 1
  /// Non-divisors: how many heaps have a value. The largest number stays.
  std::vector<std::uint32_t, HugePageAllocator<std::uint32_t>> heaps_;
  std::vector<Nimber> unrelated_;  ///< scratch: values of unrelated heaps
};

}  // namespace grundy
