/// @file
/// Proofs of lattice tables, and of sealed values of their runs: several heaps that interact, one
/// entry for every position.
///
/// The argument is that of heap games. Every option of a position is a smaller position of the same
/// table, so if every entry is the mex of the stored values of its options, all entries are right.
/// The prover shares only the list of options with the engines. Cost: every option, one look-up
/// each.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <grundy/lattice/rule.hpp>

#include "engines/lattice/value_order.hpp"
#include "verify/prover.hpp"

namespace grundy {

/// Takes numbers of entries where other provers take heaps.
class LatticeProver final : public Prover {
 public:
  /// @param stored the first values in the order, or all
  LatticeProver(const LatticeRule& rule, const ValueOrder& order, StoredValues stored)
      : rule_(rule), order_(order), stored_(stored) {}

  [[nodiscard]] std::string method() const override { return "every option of every position"; }
  [[nodiscard]] HeapSize group() const noexcept override { return 64; }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override;

  /// Whether an entry is the mex of its options; nothing if it may have more options than `most`.
  [[nodiscard]] std::optional<bool> is_right(std::uint64_t entry, double most) const;
  /// The mex of the stored values of the options of an entry.
  [[nodiscard]] Nimber mex(std::uint64_t entry, std::vector<std::uint8_t>& seen) const;

 private:
  const LatticeRule& rule_;
  const ValueOrder& order_;
  StoredValues stored_;
};

}  // namespace grundy
