/// @file
/// Proofs for games whose moves leave up to three heaps, or remove without bound.
///
/// T(m) is the set of values that m tokens have when they are split into two heaps. All these sets
/// follow from the stored table, in parallel, by m / 2 marks each. A split of m tokens into three
/// heaps, of which a is the least, has value v exactly if G(a) xor v lies in T(m - a). So (a) is
/// one look-up for each a <= m / 3, and (b) unites translated sets until no smaller value is
/// missing.
///
/// Cost of heap n: O(n) look-ups for every digit that allows three heaps; memory n V bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <grundy/heap/rule.hpp>
#include <grundy/machine.hpp>

#include "kernels/kernels.hpp"
#include "verify/prover.hpp"

namespace grundy {

template <class T>
class SetProver final : public Prover {
 public:
  /// Whether the rule is a take-and-break code of at most three heaps, without constraints on
  /// three.
  static bool accepts(const HeapRule& rule);
  static std::uint64_t bytes(const HeapRule& rule, HeapSize count, Nimber largest);

  /// @pre accepts(rule)
  SetProver(const TakeBreakRule& rule, StoredValues stored, const KernelSet& kernels,
            Executor& executor);

  [[nodiscard]] std::string method() const override;
  [[nodiscard]] HeapSize group() const noexcept override { return 16; }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override;

 private:
  /// One set for every number of tokens.
  using Family = std::vector<std::uint64_t>;

  Family splits(HeapSize count, bool unequal, Executor& executor) const;
  [[nodiscard]] const std::uint64_t* set(const Family& family, HeapSize m) const noexcept {
    return family.data() + m * words_;
  }
  [[nodiscard]] HeapSize last_digit(HeapSize n) const noexcept;
  [[nodiscard]] const Family& two_heaps(SplitConstraint constraint) const noexcept;
  [[nodiscard]] bool reached(const Digit& digit, HeapSize rest, std::uint32_t value) const;
  [[nodiscard]] bool every_smaller_reached(HeapSize n, std::vector<std::uint64_t>& bits) const;
  void unite(const Digit& digit, HeapSize rest, std::uint64_t* bits) const;

  const TakeBreakRule& rule_;
  const T* values_;
  std::size_t words_;
  const KernelSet& kernels_;
  Family any_;
  Family unequal_;  ///< only if the rule asks for unequal heaps
};

}  // namespace grundy
