/// @file
/// The definition: all options of a position, and the table of values in which they are looked up.
///
/// Cost: one look-up an option. The reference engine and the layered engine are made of it, and
/// every other engine is tested against it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>

namespace grundy {

/// Calls `visit` with every option of p; options may repeat. Passing is not among them.
void for_each_option(const LatticeRule& rule, const Point& p,
                     const std::function<void(const Point&)>& visit);

/// How many options for_each_option() tries for p, at most; options that repeat count every time.
double option_bound(const LatticeRule& rule, const Point& p) noexcept;

/// Where a position stands in a table: row-major order, or ranks if the shape is sorted.
class Indexer {
 public:
  explicit Indexer(const LatticeShape& shape);

  /// @pre every heap is in the shape; the order of the heaps is free in a sorted one
  [[nodiscard]] std::uint64_t index(Point p) const noexcept;
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  /// Positions whose heap of slowest change is `size`: the first, or the largest of a sorted table.
  [[nodiscard]] std::uint64_t slab_begin(std::uint32_t size) const noexcept;
  /// Calls `visit(p)` for the positions of a slab in order.
  void for_each_in_slab(std::uint32_t size, const std::function<void(const Point&)>& visit) const;

 private:
  LatticeShape shape_;
  std::uint64_t count_ = 1;
  std::array<std::uint64_t, kMaxLatticeHeaps> stride_{};
};

/// Values by the definition.
class Definition {
 public:
  Definition(const LatticeRule& rule, const Indexer& indexer) : rule_(rule), indexer_(indexer) {}

  /// Writes the values of p, one for each plane, into the table, which holds those of its options.
  void evaluate(const Point& p, Nimber* table);

 private:
  Nimber mex(const Point& p, const Nimber* table, unsigned plane, const Nimber* extra);

  const LatticeRule& rule_;
  const Indexer& indexer_;
  std::vector<std::uint64_t> seen_;  ///< stamp of the last mex in which the value occurred
  std::uint64_t stamp_ = 0;
};

/// Hands a finished slab of a row-major or ranked table to `sink`.
Flow put_slab(const LatticeShape& shape, const Indexer& indexer, unsigned planes,
              std::uint32_t size, const std::vector<Nimber>& table, TileSink& sink);

}  // namespace grundy
