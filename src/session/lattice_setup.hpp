/// @file
/// A request for a lattice game, checked and bound to the parts that will carry it out.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include <grundy/lattice/compute.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/lattice/layout.hpp>

#include "kernels/kernels.hpp"
#include "parallel/executor.hpp"

namespace grundy {

/// The shape that tells a table of `shape`: of a cube, the sorted one if the order of heaps does
/// not matter.
LatticeShape computed_shape(const LatticeRule& rule, LatticeShape shape);

/// The request must outlive the setup.
struct LatticeSetup {
  const LatticeRequest& request;
  LatticeLayout stored;   ///< the table
  LatticeShape computed;  ///< what the engine is asked for: sorted if that is enough
  const LatticeEngine& engine;
  const KernelSet& kernels;
  std::unique_ptr<Executor> executor;

  /// @throws Error(kUsage) for shapes that do not fit the rule, and for unknown engines, kernels
  /// and back ends
  explicit LatticeSetup(const LatticeRequest& request);

  /// Runs the engine, for `shape` in place of the computed one.
  RunStatus run(const LatticeShape& shape, TileSink& sink, std::stop_token stop,
                ProgressSink* progress, KnownTiles* known = nullptr) const;
  /// Of the values that the engine hands over; empty if a run cannot be taken up again.
  [[nodiscard]] std::string tile_order() const {
    return engine.tile_order(request.rule, computed, request.tile);
  }
};

}  // namespace grundy
