/// @file
/// The engine for dense games: positions are numbers, so values lie in a plain array.
///
/// Rows are sorted by potential with a counting sort; then every layer is valued in parallel, as in
/// the layered engine, but without a hash table. Values take one byte until one exceeds 254, then
/// two, then four: small values stay in the cache, where look-ups find them. O(moves) time.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/graph/engine.hpp>

namespace grundy::graph {

const GraphEngine& dense_engine() noexcept;

}  // namespace grundy::graph
