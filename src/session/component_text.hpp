/// @file
/// Sums as they are typed: which games and which positions the components are, without their
/// values.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <grundy/games.hpp>
#include <grundy/types.hpp>

namespace grundy {

/// A game and numbers: heaps of it, or one position of several heaps.
struct TypedComponent {
  std::string game;
  std::vector<HeapSize> heaps;
};

/// What a component is: a game on positions (its start), or a game and numbers.
using ComponentText = std::variant<AnyGame, TypedComponent>;

/// Whether the whole text is meant for a game on positions of the catalogue, like `cram:3x4`.
bool is_graph_game(std::string_view text);

/// The components of a sum, in their order. Each text is one component or several, as in
/// GameSum::read(). A text that is one component as a whole is not divided, because notations may
/// have blanks and plus signs.
/// @throws Error(kUsage) that names the text that is no component, or if there is none
std::vector<ComponentText> read_components(const std::vector<std::string>& texts);

}  // namespace grundy
