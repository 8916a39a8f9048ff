/// @file
/// The definition, executed depth-first, one position at a time. The mex is found by looking for
/// the least missing number. For tests and for `--engine reference`.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/graph/engine.hpp>

namespace grundy::graph {

const GraphEngine& reference_engine() noexcept;

}  // namespace grundy::graph
