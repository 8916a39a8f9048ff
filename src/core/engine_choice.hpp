/// @file
/// The engine that a name means, for each kind of games.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/names.hpp"

namespace grundy {

/// The sentence that refuses an engine, for a game in words or in its notation.
inline std::string engine_refusal(std::string_view name, std::string_view game,
                                  std::string_view reason) {
  return fmt::format("engine '{}' cannot compute {} because {}", name, game, reason);
}

/// The engine called `name` among `engines`, the slowest first.
/// @param kind of games that the engines are for, in words @param refusal tells of an engine why it
/// cannot compute `game`, as a clause; empty if it can @pre the choice is not left open
/// @throws Error(kUsage) if there is none of that name or it refuses the game; the message lists
///   those that can
template <class Engine, class Refusal>
const Engine& named_engine(std::string_view name, std::span<const Engine* const> engines,
                           std::string_view kind, std::string_view game, const Refusal& refusal) {
  std::vector<std::string> names{kAutoName}, able{kAutoName};
  std::string refused;
  for (auto at = engines.rbegin(); at != engines.rend(); ++at) {
    const Engine& engine = **at;
    const std::string reason = refusal(engine);
    names.emplace_back(engine.name());
    if (reason.empty()) able.push_back(names.back());
    if (!same_name(name, names.back())) continue;
    if (reason.empty()) return engine;
    refused = engine_refusal(names.back(), game, reason);
  }
  const std::string there = fmt::format("engines for {}: {}", game, fmt::join(able, ", "));
  throw Error(ErrorCode::kUsage,
              refused.empty() ? no_such_name(fmt::format("engine for {}", kind), name, names, there)
                              : fmt::format("{}; {}", refused, there));
}

}  // namespace grundy
