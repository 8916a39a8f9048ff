/// @file
/// From requests to run directories and back: the terms of the run of a request, and the request
/// that a run carries out.
// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include <grundy/heap/options.hpp>
#include <grundy/layout.hpp>

#include "engines/lattice/value_order.hpp"
#include "run/run_record.hpp"
#include "run/sealed_values.hpp"
#include "session/setup.hpp"

namespace grundy {

/// The heaps of a game of one heap, numbered by their tokens.
class NumberedHeaps final : public NumberedGame {
 public:
  /// `rule` must outlive this.
  explicit NumberedHeaps(const HeapRule& rule);

  /// From now on, lists an option only if all of its heaps but the largest have at most
  /// `most_small` tokens. If that is the depth of a sparse space, these options decide the value of
  /// a common heap: they reach every smaller value, and no other option has its type.
  void list_up_to(HeapSize most_small) noexcept { most_small_ = most_small; }

  [[nodiscard]] std::string name(HeapSize n) const override;
  [[nodiscard]] double option_bound(HeapSize n) const override;
  bool for_each_option_value(HeapSize n, const ValueOf& value_of,
                             const std::function<Flow(Nimber)>& visit) const override;

 private:
  const HeapRule& rule_;
  unsigned most_heaps_ = 2;  ///< that a move leaves; 0: any number
  HeapSize most_small_ = kNoBound;
};

/// The positions of a game of several heaps, numbered in some order.
class NumberedLattice : public NumberedGame {
 public:
  /// `rule` must outlive this.
  explicit NumberedLattice(const LatticeRule& rule) : rule_(rule) {}

  /// Asks for smaller numbers first, so that neighbours cost one read.
  bool for_each_option_value(HeapSize n, const ValueOf& value_of,
                             const std::function<Flow(Nimber)>& visit) const final;
  [[nodiscard]] Nimber terminal_value() const noexcept final { return rule_.terminal_value(); }

 protected:
  /// Calls `visit` with the number of every option of n; options may repeat.
  virtual void for_each_option(HeapSize n,
                               const std::function<void(std::uint64_t)>& visit) const = 0;

  const LatticeRule& rule_;
};

/// Positions in the order in which an engine hands them over.
class NumberedPositions final : public NumberedLattice {
 public:
  /// `rule` must outlive this.
  NumberedPositions(const LatticeRule& rule, const ValueOrder& order)
      : NumberedLattice(rule), order_(order) {}

  [[nodiscard]] std::string name(HeapSize n) const override;
  [[nodiscard]] double option_bound(HeapSize n) const override;

 private:
  void for_each_option(HeapSize n, const std::function<void(std::uint64_t)>& visit) const override;

  ValueOrder order_;
};

/// The order in which the engine hands values over. @pre setup.tile_order() is not empty
ValueOrder value_order(const LatticeSetup& setup);

RunTerms run_terms(const HeapSetup& setup);
/// @pre setup.tile_order() is not empty
RunTerms run_terms(const LatticeSetup& setup);

/// The table that a run of several heaps is to make. @pre record.lattice
/// @throws Error(kCorrupt) if the record says none
Layout table_layout(const RunRecord& record);
/// The order of the positions whose values such a run seals. @throws Error as table_layout()
ValueOrder order_of(const RunRecord& record);
/// The rule in the table of such a run. @throws Error(kCorrupt) if the record has no rule
LatticeRule lattice_rule(const RunRecord& record);

}  // namespace grundy
