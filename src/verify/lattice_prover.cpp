// SPDX-License-Identifier: MIT
#include "verify/lattice_prover.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "lattice/options.hpp"

namespace grundy {

Nimber LatticeProver::mex(std::uint64_t entry, std::vector<std::uint8_t>& seen) const {
  const Point p = layout_.position_at(entry);
  const auto plane = static_cast<unsigned>(entry % layout_.planes);
  seen.assign(std::size_t{stored_.largest} + 2, 0);
  bool terminal = true;
  for_each_option(rule_, p, [&](const Point& q) {
    terminal = false;
    seen[stored_.values[layout_.entry_of(q, plane)]] = 1;
  });
  // The pass may be used once, from a position that has another option.
  if (plane == 1 && !terminal) seen[stored_.values[entry - 1]] = 1;
  return static_cast<Nimber>(std::ranges::find(seen, 0) - seen.begin());
}

std::optional<HeapSize> LatticeProver::first_wrong(HeapSize begin, HeapSize end) const {
  std::vector<std::uint8_t> seen;
  for (HeapSize entry = begin; entry < end; ++entry) {
    if (mex(entry, seen) != stored_.values[entry]) return entry;
  }
  return std::nullopt;
}

std::string position_text(const LatticeLayout& layout, std::uint64_t entry) {
  const Point p = layout.position_at(entry);
  const std::string heaps =
      fmt::format("({})", fmt::join(p.begin(), p.begin() + layout.shape.heaps, ", "));
  if (layout.planes == 1) return heaps;
  return heaps + (entry % 2 == 0 ? " without a pass" : " with a pass");
}

}  // namespace grundy
