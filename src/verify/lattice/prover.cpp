// SPDX-License-Identifier: MIT
#include "verify/lattice/prover.hpp"

#include <algorithm>

namespace grundy {

Nimber LatticeProver::mex(std::uint64_t entry, std::vector<std::uint8_t>& seen) const {
  seen.assign(std::size_t{stored_.largest} + 2, 0);
  bool terminal = true;
  for_each_option(rule_, order_, entry, [&](std::uint64_t option) {
    terminal = false;
    seen[stored_.values[option]] = 1;
  });
  if (terminal) return rule_.terminal_value();
  return static_cast<Nimber>(std::ranges::find(seen, 0) - seen.begin());
}

std::optional<bool> LatticeProver::is_right(std::uint64_t entry, double most) const {
  if (option_bound(rule_, order_, entry) > most) return std::nullopt;
  return !first_wrong(entry, entry + 1);
}

std::optional<HeapSize> LatticeProver::first_wrong(HeapSize begin, HeapSize end) const {
  std::vector<std::uint8_t> seen;
  for (HeapSize entry = begin; entry < end; ++entry) {
    if (mex(entry, seen) != stored_.values[entry]) return entry;
  }
  return std::nullopt;
}

}  // namespace grundy
