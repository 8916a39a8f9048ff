/// @file
/// One word for a kind of games, in JSON and in Python.
// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include <grundy/games.hpp>

namespace grundy {

constexpr std::string_view kind_name(GameKind kind) noexcept {
  return kind == GameKind::kHeap ? "heap" : kind == GameKind::kLattice ? "lattice" : "graph";
}

}  // namespace grundy
