/// @file
/// The named games on position graphs: how each is written, its rules, where it comes from.
// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <grundy/graph/graph_game.hpp>

namespace grundy {

/// A named game or family of games.
struct NamedGraphGame {
  std::string_view name;        ///< what is typed before the colon
  std::string_view parameters;  ///< what follows it, for help; empty: nothing, and no colon
  std::string_view title;
  std::string_view rules;      ///< the moves in words
  std::string_view reference;  ///< where the game was defined or is treated
  std::string_view positions;  ///< how positions are written
  std::unique_ptr<GraphGame> (*make)(const std::string& parameters, Reduction reduction);
};

/// What GRAPH stands for in the parameters.
inline constexpr std::string_view kGraphParameter =
    "MxN (a grid), kings:MxN, knights:MxN, queens:MxN, path:N, cycle:N, complete:N, hypercube:D, "
    "petersen:N,K or a file with an edge list or graph6";

/// All of them, in the order in which they are listed.
std::span<const NamedGraphGame> graph_catalogue() noexcept;

/// What a person typed, decoded.
struct ResolvedGraphGame {
  const NamedGraphGame* named;
  std::unique_ptr<GraphGame> game;
};

/// `NAME:PARAMETERS`, such as `cram:5x6`. Nothing if the name is not in the catalogue.
/// @throws Error(kUsage) if the parameters are wrong, Error(kCorrupt) if they name a malformed file
std::optional<ResolvedGraphGame> resolve_graph_game(std::string_view text,
                                                    Reduction reduction = Reduction::kComponents);

}  // namespace grundy
