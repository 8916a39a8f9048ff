/// @file
/// Keys of positions as text, for tables whose game is not at hand.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <grundy/graph/graph_game.hpp>

namespace grundy {

/// `0x` and 16 hexadecimal digits for each word, the last word first.
std::string key_text(std::span<const std::uint64_t> key);

/// The inverse; zeros behind `0x` may be left out. Nothing if it is no key of that many words.
std::optional<std::vector<std::uint64_t>> parse_key(std::string_view text, unsigned words);

/// The position as its game writes it, or else its key.
/// @param game may be null
std::string position_text(const GraphGame* game, std::span<const std::uint64_t> key);

}  // namespace grundy
