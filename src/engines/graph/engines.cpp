// SPDX-License-Identifier: MIT
#include "engines/graph/engines.hpp"

#include <array>

#include <grundy/graph/engine.hpp>

#include "core/engine_choice.hpp"

namespace grundy {
std::span<const GraphEngine* const> graph_engines() noexcept {
  static const std::array<const GraphEngine*, 3> engines{
      &graph::reference_engine(), &graph::layered_engine(), &graph::dense_engine()};
  return engines;
}

const GraphEngine* select_root_engine(std::string_view name, const GraphGame& game,
                                      std::uint64_t memory_limit) {
  const GraphEngine& engine = select_graph_engine(name, game);
  if (!leaves_choice(name)) return &engine;
  // Values of numbered games are large, and a search asks for one number at a time.
  const bool fast = &engine == &graph::dense_engine();
  return fast && engine.memory_bytes(game, *game.dense_size()) <= memory_limit ? &engine : nullptr;
}

const GraphEngine& select_graph_engine(std::string_view name, const GraphGame& game) {
  if (!leaves_choice(name)) {
    return named_engine(name, graph_engines(), "games on positions", "this game",
                        [&](const GraphEngine& engine) { return engine.refusal(game); });
  }
  return graph::dense_engine().refusal(game).empty() ? graph::dense_engine()
                                                     : graph::layered_engine();
}

}  // namespace grundy
