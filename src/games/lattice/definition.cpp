// SPDX-License-Identifier: MIT
#include "games/lattice/definition.hpp"

#include <cstddef>
#include <span>

#include <grundy/lattice/options.hpp>

namespace grundy {

void Definition::evaluate(const LatticePoint& p, Nimber* table) {
  const unsigned planes = rule_.planes();
  Nimber* const values = table + layout_.entry_of(p);
  values[0] = mex(p, table, 0, nullptr);
  if (planes == 2) values[1] = mex(p, table, 1, values);
}

/// @param extra one more value, that of passing; it counts only if there is another option
Nimber Definition::mex(const LatticePoint& p, const Nimber* table, unsigned plane,
                       const Nimber* extra) {
  ++stamp_;
  const auto mark = [&](Nimber value) {
    if (value >= seen_.size()) seen_.resize(std::size_t{2} * value + 2);
    seen_[value] = stamp_;
  };
  bool terminal = true;
  for_each_option(rule_, p, [&](const LatticePoint& q) {
    terminal = false;
    mark(table[layout_.entry_of(q, plane)]);
  });
  if (terminal) return rule_.terminal_value();
  if (extra != nullptr) mark(*extra);
  Nimber value = 0;
  while (value < seen_.size() && seen_[value] == stamp_) ++value;
  return value;
}

std::span<const Nimber> slab_of(const Layout& layout, std::uint32_t size,
                                const std::vector<Nimber>& table) noexcept {
  const std::uint64_t begin = layout.slab_begin(size);
  return std::span(table).subspan(begin, layout.slab_begin(size + 1) - begin);
}

Flow put_slab(const Layout& layout, std::uint32_t size, std::span<const Nimber> values,
              ValueSink& sink) {
  const std::uint64_t begin = layout.slab_begin(size);
  Tile tile;
  if (layout.sorted) {
    tile.first_rank = begin / layout.planes;
  } else {
    tile.origin[0] = size;
    tile.extent = layout.shape().extent;
    tile.extent[0] = 1;
  }
  return sink.put({.begin = begin, .values = values, .table = {}, .tile = &tile});
}

}  // namespace grundy
