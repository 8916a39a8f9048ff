/// @file
/// A lattice game in a file of its own, in TOML:
///
///     # Wythoff's game with one more move
///     title     = "Wythoff with a jump"                       # may be left out, like
///     rules     = "Take any number from one heap, or ..."     # the words, and
///     reference = "..."                                       # where the game comes from
///     heaps     = 2
///     moves     = ["sym (1,0)*", "(1,1)*", "sym (1,2)"]       # primitives as in rule.hpp
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <grundy/lattice/catalogue.hpp>

namespace grundy {

/// Reads such a file.
/// @throws Error(kUsage) if it cannot be read, or with file, line and column if it is malformed
ResolvedLatticeGame read_lattice_game(const std::filesystem::path& path);

}  // namespace grundy
