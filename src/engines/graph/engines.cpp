// SPDX-License-Identifier: MIT
#include "engines/graph/engines.hpp"

#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>
#include <grundy/graph/engine.hpp>

#include "core/names.hpp"

namespace grundy {
namespace {

bool is_auto(std::string_view name) {
  return name.empty() || same_name(name, "auto");
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
  return fast && engine.memory_bytes(game, *game.dense_size()) <= memory_limit ? &engine : nullptr;
}

const GraphEngine& select_graph_engine(std::string_view name, const GraphGame& game) {
  if (is_auto(name)) {
    if (graph::dense_engine().refusal(game).empty()) return graph::dense_engine();
    return graph::layered_engine();
  }
  std::vector<std::string> names{"auto"};
  for (const GraphEngine* engine : graph_engines()) {
    names.emplace_back(engine->name());
    if (!same_name(name, names.back())) continue;
    if (const std::string reason = engine->refusal(game); !reason.empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("the engine {} cannot compute this game: {}", names.back(), reason));
    }
    return *engine;
  }
  throw Error(ErrorCode::kUsage, no_such_name("engine for games on positions", name, names,
                                              fmt::format("there are {}", fmt::join(names, ", "))));
}

}  // namespace grundy
