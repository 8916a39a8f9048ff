/// @file
/// The definition: a table of values, in which all options of a position are looked up.
///
/// Cost: one look-up for each option. The reference engine and the layered engine use this code,
/// and every other engine is tested against it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/layout.hpp>
#include <grundy/sink.hpp>

namespace grundy {

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

/// The values of a slab (Layout::slab_begin()) of a table.
std::span<const Nimber> slab_of(const Layout& layout, std::uint32_t size,
                                const std::vector<Nimber>& table) noexcept;
/// Hands the values of a finished slab to `sink`.
Flow put_slab(const Layout& layout, std::uint32_t size, std::span<const Nimber> values,
              ValueSink& sink);

}  // namespace grundy
