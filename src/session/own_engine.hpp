/// @file
/// Engines from outside of the library: what they hand over is checked before anything is done with
/// it. Engines of the library keep the same promises, and tests see to that.
///
/// No value is computed again here. Whether a position of a lattice comes after its options is not
/// checked either, nor whether the options of a row are in its table: that would take as long as
/// the values themselves.
// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include <grundy/graph/engine.hpp>
#include <grundy/heap/engine.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/sink.hpp>

namespace grundy {

/// Runs an own engine. @throws Error(kFailure) if it leaves heaps out, repeats them, hands over
/// more than it was asked for or less than it says, and what the engine throws
RunStatus run_own(const HeapEngine& engine, const HeapTask& task, ValueSink& sink);
/// The same of positions and their values. O(log positions) more for each line of a tile.
RunStatus run_own(const LatticeEngine& engine, const LatticeTask& task, ValueSink& sink);
/// Runs an own engine. @throws Error(kFailure) if the columns, the order or the start of its table
/// are not those of the game, and what the engine throws
std::optional<GraphTable> run_own(const GraphEngine& engine, const GraphTask& task);

}  // namespace grundy
