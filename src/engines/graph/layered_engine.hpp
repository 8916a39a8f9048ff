/// @file
/// The engine for any game: finds the positions from the top down, then their values from the
/// bottom up.
///
/// Positions live in a sharded hash table (position_set.hpp), and values are written into its slots
/// (evaluation.hpp). Every option is made twice: once to find it, and once to look up its value.
/// Keeping the options would cost several times the memory. Takes O(moves) time, and 60 to 80 bytes
/// for a position with a key of one word.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/graph/engine.hpp>

namespace grundy::graph {

const GraphEngine& layered_engine() noexcept;

}  // namespace grundy::graph
