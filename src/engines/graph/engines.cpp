// SPDX-License-Identifier: MIT
#include <array>
#include <string>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/engine.hpp>

#include "engines/graph/dense_engine.hpp"
#include "engines/graph/layered_engine.hpp"
#include "engines/graph/reference_engine.hpp"

namespace grundy {
namespace {

bool is_auto(std::string_view name) noexcept {
  return name == "auto" || name.empty();
}

}  // namespace

std::span<const GraphEngine* const> graph_engines() noexcept {
  static const std::array<const GraphEngine*, 3> engines{
      &graph::reference_engine(), &graph::layered_engine(), &graph::dense_engine()};
  return engines;
}

const GraphEngine* select_root_engine(std::string_view name, const GraphGame& game,
                                      std::uint64_t memory_limit) {
  const GraphEngine& engine = select_graph_engine(name, game);
  if (!is_auto(name)) return &engine;
  // Values of numbered games are large, and a search asks for one number at a time.
  const bool fast = &engine == &graph::dense_engine();
  return fast && engine.memory_bytes(game, game.dense_size()) <= memory_limit ? &engine : nullptr;
}

const GraphEngine& select_graph_engine(std::string_view name, const GraphGame& game) {
  if (is_auto(name)) {
    if (graph::dense_engine().refusal(game).empty()) return graph::dense_engine();
    return graph::layered_engine();
  }
  std::string known;
  for (const GraphEngine* engine : graph_engines()) {
    if (engine->name() != name) {
      known += fmt::format(", {}", engine->name());
      continue;
    }
    if (const std::string reason = engine->refusal(game); !reason.empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the engine {} cannot compute this game: {}", name, reason));
    }
    return *engine;
  }
  throw Error(ErrorCode::kUsage, fmt::format("there is no engine '{}' for position graphs; there "
                                             "are auto{}",
                                             name, known));
}

}  // namespace grundy
