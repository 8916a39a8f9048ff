/// @file
/// One game of a family, by the class of the family's file that it is in.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <grundy/atlas.hpp>

namespace grundy::atlas {

/// A game of a family. Heaps are those of the game, not those of the class.
struct FamilyGame {
  std::string code;        ///< canonical notation
  std::string class_code;  ///< code of the game that stands for the class
  std::int64_t shift = 0;  ///< G(n + shift) is the value of heap n in the class
  AtlasEvidence evidence = AtlasEvidence::kItself;
  HeapSize compared = 0;       ///< kObserved: number of equal values from the first nonzero one on
  std::vector<Nimber> values;  ///< of heaps 0, 1, .., as far as the class gives them
  /// The period, which all of `values` show. For a game whose membership was only observed, the
  /// period of its class is a candidate. A window certificate stays with the class.
  PeriodReport period;

  /// The value of a heap, also beyond the kept values if the period is certified.
  /// @throws Error(kUsage) if the value is not known, or has more than 64 bits
  [[nodiscard]] std::uint64_t value(HeapSize n) const;
};

/// The game of a member of a class. O(values) @param values of the class, as AtlasReader::read()
/// gives them
FamilyGame game_of_class(const AtlasClass& c, const AtlasMember& member,
                         std::span<const Nimber> values);

}  // namespace grundy::atlas
