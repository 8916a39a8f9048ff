/// @file
/// Proofs of lattice tables: several heaps that interact, an entry for every position.
///
/// The argument is that of heap games: every option of a position is a smaller position of the same
/// table, so if every entry is the mex of the stored values of its options, all are right. Shares
/// only the list of options with the engines. Cost: every option, one look-up each.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <grundy/lattice/layout.hpp>
#include <grundy/lattice/rule.hpp>

#include "verify/prover.hpp"

namespace grundy {

/// Entry numbers stand where heaps stand for other provers.
class LatticeProver final : public Prover {
 public:
  LatticeProver(const LatticeRule& rule, const LatticeLayout& layout, StoredValues stored)
      : rule_(rule), layout_(layout), stored_(stored) {}

  [[nodiscard]] std::string method() const override { return "every option of every position"; }
  [[nodiscard]] HeapSize group() const noexcept override { return 64; }
  [[nodiscard]] std::optional<HeapSize> first_wrong(HeapSize begin, HeapSize end) const override;

  /// The mex of the stored values of the options of an entry.
  [[nodiscard]] Nimber mex(std::uint64_t entry, std::vector<std::uint8_t>& seen) const;

 private:
  const LatticeRule& rule_;
  const LatticeLayout& layout_;
  StoredValues stored_;
};

/// `(3, 5)`, and whether a pass is left where that matters.
std::string position_text(const LatticeLayout& layout, std::uint64_t entry);

}  // namespace grundy
