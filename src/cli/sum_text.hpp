/// @file
/// Shared by the commands about sums: reads a sum and says who wins it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <grundy/sum.hpp>

#include "cli/console.hpp"

namespace grundy::cli {

/// "N: the player to move wins" or "P: …".
std::string outcome_sentence(std::uint64_t value);

/// The position as a list of heaps, or as a text.
Json written_json(const WrittenPosition& position);
/// The components with their values, the nim-sum, and the outcome.
Json sum_json(const GameSum& sum);

}  // namespace grundy::cli
