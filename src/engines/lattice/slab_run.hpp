/// @file
/// The run of an engine that finds one slab of a table (Layout::slab_begin()) after the other.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include <grundy/error.hpp>
#include <grundy/lattice/engine.hpp>
#include <grundy/layout.hpp>
#include <grundy/sink.hpp>
#include <grundy/types.hpp>

namespace grundy {

struct SlabRun {
  /// Takes the values of a slab, if any are known, or finds them. Returns them; nothing if a stop
  /// was requested meanwhile.
  std::function<std::optional<std::span<const Nimber>>(std::uint32_t slab,
                                                       std::span<const Nimber> known)>
      solve;
  /// The part of all work that is done when a slab is. It is asked in the order of slabs.
  std::function<double(std::uint32_t slab)> share;
};

/// Solves all slabs and hands them over.
RunStatus run_slabs(const LatticeTask& task, const Layout& layout, const SlabRun& run,
                    ValueSink& sink);

}  // namespace grundy
