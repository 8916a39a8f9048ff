/// @file
/// The definition: all options of a position, and the table of values in which they are looked up.
///
/// Cost: one look-up for each option. The reference engine and the layered engine use this code,
/// and every other engine is tested against it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/layout.hpp>
#include <grundy/sink.hpp>

namespace grundy {

/// Calls `visit` with every option of p; options may repeat. Passing is not among them.
void for_each_option(const LatticeRule& rule, const LatticePoint& p,
                     const std::function<void(const LatticePoint&)>& visit);
/// Does the same for p in a plane, and passes the plane of each option. The pass comes last: it may
/// be used once, from a position that has another option.
void for_each_option(const LatticeRule& rule, const LatticePoint& p, unsigned plane,
                     const std::function<void(const LatticePoint&, unsigned)>& visit);

/// Whether p has no option. O(primitives); O(2^heaps) for Chomp.
bool is_terminal(const LatticeRule& rule, const LatticePoint& p);

/// An upper bound of the options that for_each_option() tries for p; repeated options count every
/// time.
double option_bound(const LatticeRule& rule, const LatticePoint& p) noexcept;

/// Computes values by the definition.
class Definition {
 public:
  /// @param layout of the table; like the rule, it must outlive this object
  Definition(const LatticeRule& rule, const Layout& layout) : rule_(rule), layout_(layout) {}

  /// Writes the values of p, one for each plane, into the table. The table must hold those of its
  /// options.
  void evaluate(const LatticePoint& p, Nimber* table);

 private:
  Nimber mex(const LatticePoint& p, const Nimber* table, unsigned plane, const Nimber* extra);

  const LatticeRule& rule_;
  const Layout& layout_;
  std::vector<std::uint64_t> seen_;  ///< number of the last mex in which the value occurred
  std::uint64_t stamp_ = 0;
};

/// Hands a finished slab of a table (Layout::slab_begin()) to `sink`.
Flow put_slab(const Layout& layout, std::uint32_t size, const std::vector<Nimber>& table,
              ValueSink& sink);

}  // namespace grundy
