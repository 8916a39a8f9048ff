/// @file
/// The engines for games on positions. What each does is said at the head of its file.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/graph/engine.hpp>

namespace grundy::graph {

const GraphEngine& reference_engine() noexcept;
const GraphEngine& layered_engine() noexcept;
const GraphEngine& dense_engine() noexcept;

}  // namespace grundy::graph
