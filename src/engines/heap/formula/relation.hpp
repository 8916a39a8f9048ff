/// @file
/// Rules by which a heap may become every smaller heap that is *related* to it: what is taken, or
/// what is left, does not divide it, or has no common divisor with it.
///
/// Such a heap has about as many options as there are smaller heaps. So the solver asks which
/// values are no option's: those that only unrelated heaps have. All values up to the largest one
/// have occurred, but few come into question.
///
/// - Non-divisors. As many smaller heaps are unrelated as there are divisors. A value is no
///   option's if as many of them have it as heaps in all, which are counted for each value.
/// - Coprimes. A value is an option's if the first heap that has it shares no prime with n. For
///   each prime of n at most one value has this prime as its first heap. Values whose first heap is
///   not a prime are always looked at. They are few, since all heaps of a value have a prime in
///   common, but for the least values (D. E. Iannucci and U. Larsson, arXiv:2101.07608). If a prime
///   of n divides all heaps of a value, none is an option. Else they are tried from the last one
///   down, so values are right, and late, for a rule of which that would not be true.
///
/// Heap n takes a step for each of its divisors, or primes. A sieve lists them for many heaps, in
/// parallel. Then the values are found one after the other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <grundy/machine.hpp>
#include <grundy/types.hpp>

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
                                                  Nimber max_value) noexcept {
    // A vector that grows holds up to twice as much.
    return 2 * std::uint64_t{max_value} *
           (relation.coprime ? sizeof(Class) : sizeof(std::uint32_t));
  }
  /// Takes values that are known from elsewhere. @pre they are those of the first heaps
  void take_up(Values known);
  /// Finds the values of heaps begin .. begin + values.size() - 1. `table` has the values before.
  void solve(HeapSize begin, Values table, std::span<Nimber> values);

 private:
  /// What is known of the heaps that have a value.
  struct Class {
    HeapSize first = 0;
    HeapSize last = 0;
    HeapSize divisor = 0;  ///< the greatest common one of all
  };

  /// Calls `take` with each of `count` heaps from `begin` on, and with its divisors or primes.
  template <class Take>
  void for_each_heap(HeapSize begin, HeapSize count, const Take& take);

  /// The values of heap n. @param value_of gives the values of smaller heaps
  template <class ValueOf>
  [[nodiscard]] Nimber value_by_divisors(HeapSize n, std::span<const HeapSize> divisors,
                                         const ValueOf& value_of);
  template <class ValueOf>
  [[nodiscard]] Nimber value_by_primes(HeapSize n, std::span<const HeapSize> primes,
                                       const ValueOf& value_of) const;
  /// Whether none of the primes divides some heap that has the value.
  template <class ValueOf>
  [[nodiscard]] bool has_coprime(Nimber value, std::span<const HeapSize> primes,
                                 const ValueOf& value_of) const;
  /// Notes the value of heap n, after those of all smaller heaps.
  void add(HeapSize n, std::span<const HeapSize> factors, Nimber value);

  Relation relation_;
  Executor& executor_;
  std::vector<FactorLists> lists_;    ///< of the pieces of a block
  std::vector<std::uint32_t> heaps_;  ///< non-divisors: that have a value; no more than fit
  std::vector<Class> classes_;        ///< coprimes: by value
  std::vector<Nimber> not_prime_;     ///< coprimes: values whose first heap is not a prime
  std::vector<Nimber> unrelated_;     ///< scratch: values of unrelated heaps
};

}  // namespace grundy
