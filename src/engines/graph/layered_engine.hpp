/// @file
/// The engine for any game: finds the positions from the top down, then values them from below.
///
/// Positions live in a sharded hash table (position_set.hpp), and values are written into its slots
/// (evaluation.hpp). Every option is made twice: once to find it, and once to look its value up.
/// Keeping the options would cost several times the memory. O(moves) time, 60 to 80 bytes a
/// position with keys of one word.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/graph/engine.hpp>

namespace grundy::graph {

const GraphEngine& layered_engine() noexcept;

}  // namespace grundy::graph
