/// @file
/// The theorem for arithmetically periodic codes: which finite checks on a table prove
/// G(n + p) = G(n) + s, s > 0, for all larger heaps. A move leaves at most H heaps.
///
/// Nim-sums do not commute with a saltus, so equalities alone prove nothing. The two halves of the
/// mex are proved separately.
/// - *No option has the value*: the sum of values exceeds their nim-sum by twice their carry. So
///   only splits matter whose carry is one certain small number, and a search over the bits decides
///   whether there are any (saltus_exclusion.hpp).
/// - *Every smaller number is the value of an option*: in most options all heaps but one have a
///   small nim-sum, because they come in pairs whose values agree above the lowest k bits
///   (low_sums.hpp). If 2^k divides S = 2^j s, such options move along with P = 2^j p: the one heap
///   takes the value up with it, and the two heaps of a pair leave it as it is. Enough of them at
///   heaps N - 2P .. N - 1 give all witnesses above. The numbers just below the value that
///   are left are reached by options that depend on the bits of the heap (saltus_gaps.hpp).
///
/// A pass changes nothing here: the proof takes the first N values as they are, and speaks of the
/// rule from heap N on. So heap N must be behind the heap that has the pass.
///
/// README.md has the statement and the proof ("Saltus").
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <grundy/heap/rule.hpp>
#include <grundy/types.hpp>

#include "theory/period_theorem.hpp"

namespace grundy {

/// What the witnesses of a proof have in common.
struct SaltusProof {
  unsigned heaps = 0;     ///< H
  unsigned low_bits = 0;  ///< k: two values of a pair may differ in this many low bits
  HeapSize first = 0;     ///< witnesses were found at heaps first .. end-1, 2P of them
  HeapSize end = 0;
  Nimber fixed = 0;      ///< numbers below this have witnesses whose value does not move
  std::size_t gaps = 0;  ///< how many numbers just below the values have other witnesses
  friend bool operator==(const SaltusProof&, const SaltusProof&) = default;
};

/// Whether the theorem covers the rule: a finite code without constraints whose moves leave up to
/// three heaps or more, with a largest number. (Of two heaps at most no saltus is known.)
[[nodiscard]] bool saltus_theorem_applies(const HeapRule& rule) noexcept;

/// The number of the first `size` values of a game that a proof looks at: at most 2^15.
[[nodiscard]] HeapSize saltus_proof_values(HeapSize size) noexcept;

/// Proves that all values follow the pattern; returns nothing if it cannot. Takes O(H N^2) time for
/// N values, at most some seconds more for the options that could have the value of the pattern,
/// and 16 (H + 1) N bytes.
/// @pre `values` are the first saltus_proof_values(pattern.size), or more, and show the pattern
[[nodiscard]] std::optional<SaltusProof> prove_saltus(const HeapRule& rule,
                                                      std::span<const Nimber> values,
                                                      const PeriodPattern& pattern);

/// The theorem in words, with the numbers that were checked.
[[nodiscard]] std::string saltus_statement(const SaltusProof& proof, Nimber saltus);

}  // namespace grundy
