/// @file
/// How engines compute games in which one heap has a pass.
///
/// Beyond that heap the plain rule holds, with the values of smaller heaps as they are. So the
/// definition makes the values up to it, and an engine goes on behind them as behind those of a run
/// that was interrupted. Such an engine need not know what a pass is.
// SPDX-License-Identifier: MIT
#pragma once

#include <grundy/heap/engine.hpp>

namespace grundy {

/// Whether the heap with a pass is not among the known values of the task.
[[nodiscard]] bool pass_is_ahead(const HeapTask& task);

/// Whether the engine has the first heaps computed by the definition, and goes on behind them.
/// `task.on_choice` hears of both from run_behind_pass().
[[nodiscard]] bool begins_behind_pass(const HeapEngine& engine, const HeapTask& task);

/// Computes the first heaps, a multiple of KnownValues::kUnit, by the definition and lets the
/// engine go on behind them. Tells `task.on_choice` where each of them begins.
/// @pre pass_is_ahead(), no team; the engine goes on from known values
RunStatus run_behind_pass(const HeapEngine& engine, const HeapTask& task, ValueSink& sink);

}  // namespace grundy
