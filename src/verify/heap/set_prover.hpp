/// @file
/// Proofs for games whose moves leave three heaps and more, or remove without bound.
///
/// T_h(m) is the set of values that m tokens have when they are split into h heaps. The sets T_2
/// follow from the stored table, in parallel, by m / 2 marks each. A split of m tokens into h heaps
/// is its least heap a and a split of m - a tokens into h - 1 heaps. So T_h(m) unites translations
/// of the sets T_{h-1}(m - a), a <= m / h. With at most H heaps the sets are made for up to H - 1,
/// and a split into H heaps has value v exactly if G(a) xor v lies in T_{H-1}(m - a) for some a. So
/// (a) is one look-up for each a <= m / h, and (b) unites translated sets until no smaller value is
/// missing.
///
/// Cost of heap n: O(n) look-ups for every digit and every h >= 3 that it allows; the sets take
/// O(n^2 V / 64) steps and n V bits for each h < H, where values are below V.
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
  /// Whether the rule is a take-and-break code with a largest number of heaps, without constraints
  /// on three and more.
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

  /// T_2, and T_h from T_{h-1}.
  Family pairs(HeapSize count, bool unequal, Executor& executor) const;
  Family one_heap_more(const Family& fewer, unsigned heaps, Executor& executor) const;
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
  std::vector<Family> any_;  ///< T_2, T_3, .. T_{H-1}; always T_2
  Family unequal_;           ///< T_2, only if the rule asks for unequal heaps
};

}  // namespace grundy
