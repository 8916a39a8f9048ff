/// @file
/// The layered scheduler: runs the layers of a topologically ordered state space.
///
/// A layer is a set of tasks that are independent of each other. It starts as soon as every layer
/// it depends on is done, so layers that do not depend on each other overlap; inside a layer
/// everything is parallel. Heap games use it with blocks of heaps, lattices with tile
/// antidiagonals, graphs with levels of positions.
///
/// Model: with W the total work and D the longest chain of dependent layers (each weighed by its
/// longest task), T(p) <= W/p + D on p threads (Brent 1974).
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

#include <grundy/machine.hpp>
#include <grundy/sink.hpp>

namespace grundy {

/// A sequence of layers, numbered in topological order. The scheduler calls prepare(), task() and
/// finish() of one layer in that order; calls for different layers overlap unless ordered by a
/// dependency. The finish() of every layer that a layer depends on happens-before its calls.
class LayerPlan {
 public:
  virtual ~LayerPlan() = default;

  /// Number of layers.
  [[nodiscard]] virtual std::uint64_t layer_count() const = 0;
  /// Appends the layers that `layer` waits for. Each number is smaller, by at most `lookback()`.
  virtual void dependencies(std::uint64_t layer, std::vector<std::uint64_t>& out) const = 0;
  /// The reach of dependencies, which bounds the scheduler's memory. No layer starts before all
  /// layers more than lookback() before it are done.
  [[nodiscard]] virtual std::uint64_t lookback() const = 0;
  /// Called once before the tasks; returns the number of tasks of the layer (0 is allowed).
  virtual std::size_t prepare(std::uint64_t layer) = 0;
  /// Runs one task, 0 <= index < prepare(layer).
  virtual void task(std::uint64_t layer, std::size_t index) = 0;
  /// Called once after the last task of the layer. Returning false ends the run: no new layer
  /// starts, and running layers are finished.
  virtual bool finish(std::uint64_t layer) = 0;
};

/// How run_layers() ended.
enum class LayerStatus { kComplete, kEnded, kCancelled };

/// Runs the plan to its end, until finish() returns false, or until `stop` is requested (which is
/// checked before every layer).
/// @throws the first exception of a call into the plan, after all running tasks have ended
LayerStatus run_layers(LayerPlan& plan, Executor& executor, std::stop_token stop);

/// How a run ended whose finish() returns false when its sink stops.
RunStatus run_status(LayerStatus status) noexcept;

}  // namespace grundy
