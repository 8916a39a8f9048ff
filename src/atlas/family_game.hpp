/// @file
/// What the file of a family says of one game by the class that it is in.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <grundy/atlas.hpp>

namespace grundy::atlas {

/// A game of a family. Its heaps, not those of the class, are counted.
struct FamilyGame {
  std::string code;        ///< canonical notation
  std::string class_code;  ///< of the game that stands for the class
  std::int64_t shift = 0;  ///< G(n + shift) is the class's G(n)
  Evidence evidence = Evidence::kItself;
  HeapSize compared = 0;       ///< kObserved: values from the first nonzero one on that are equal
  std::vector<Nimber> values;  ///< of heaps 0, 1, .. as far as the class gives them
  /// A period of a class is a candidate for a game that was only observed to be in it.
  PeriodReport period;

  /// The value of a heap, beyond the values that are kept where the period is certified.
  /// @throws Error(kUsage) if it is not known, or has more than 64 bits
  [[nodiscard]] std::uint64_t value(HeapSize n) const;
};

/// A member of a class. O(values) @param values of the class, as AtlasReader::read() has them
FamilyGame game_of_class(const AtlasClass& c, const AtlasMember& member,
                         std::span<const Nimber> values);

}  // namespace grundy::atlas
