/// @file
/// One run of a lattice engine, tiles to a sink of yours: the way into the library without files.
///
/// A program that uses this needs neither HDF5 nor any header but those of `grundy/`;
/// tests/engines/lattice/tile_example.cpp is one, compiled and run by the tests.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>

#include <grundy/lattice/engine.hpp>
#include <grundy/lattice/rule.hpp>
#include <grundy/lattice/tile.hpp>
#include <grundy/progress.hpp>

namespace grundy {

/// With what to compute; values do not depend on any of it.
struct LatticeRunOptions {
  std::string engine = "auto";
  std::string kernel = "auto";
  std::string backend = "tbb";  ///< `tbb` or `threads`
  std::size_t threads = 0;      ///< 0: all that this process may use
  std::uint32_t tile = 0;       ///< edge of a tile, at least 8; 0: the engine's choice
  std::stop_token stop{};
  ProgressSink* progress = nullptr;
};

/// Computes the table of `rule` in `shape`. A symmetric rule is cheaper in a sorted shape.
/// @throws Error(kUsage) if the shape does not fit the rule or an option names nothing, kFailure
/// when memory runs out, and whatever the sink throws
RunStatus run_lattice(const LatticeRule& rule, const LatticeShape& shape, TileSink& sink,
                      const LatticeRunOptions& options = {});

}  // namespace grundy
