/// @file
/// What a class of a family claims of all heaps: that games are equal by their codes, and that
/// periods hold for ever. Each claim is proved again by its theorem.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

#include <grundy/atlas.hpp>
#include <grundy/machine.hpp>

namespace grundy {

/// What was proved again of the games of a class, given that its values are right.
struct ClassTheorems {
  std::string fault;  ///< of the first false claim, as a sentence that names the class; empty: none
  std::uint64_t certified = 0;  ///< games whose period is proved for all heaps
};

/// The games whose period a file calls certified: those of a class with a certified period but for
/// games that were only observed to be in it.
[[nodiscard]] std::uint64_t games_called_certified(const AtlasClass& c) noexcept;

/// Proves the period of the class by check_period(), as of a table. The games that are equal to it
/// by their codes have that period; a game that is equal by its own period needs a proof of its own
/// from the values of the class. What a file does not keep the proof of is not counted, and no
/// fault. Nothing is known if a stop was requested.
/// @param keeps_proofs AtlasReader::keeps_proofs()
[[nodiscard]] ClassTheorems prove_theorems(const AtlasClass& c, std::span<const Nimber> values,
                                           bool keeps_proofs, Executor& executor,
                                           const std::stop_token& stop);

}  // namespace grundy
