/// @file
/// Files of a release that hold no table of values: lists of P-positions, censuses, families of
/// games, and genera of misère play.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include <grundy/hooks.hpp>
#include <grundy/release.hpp>

#include "release/contents.hpp"

namespace grundy {

/// The entry of a list. Proves a part of the list, and joins the certificates that lie beside it
/// (files *.json). If there are none, proves all of it if the time of the request allows.
/// @returns nothing if it was stopped
/// @throws Error(kCorrupt) if the list is damaged, Error(kMismatch) if something is wrong
std::optional<TableEntry> prove_list(const std::filesystem::path& path,
                                     const ReleaseRequest& request, const Hooks& hooks);

/// Writes a list as text below `root`, with at most as many lines as the request allows.
void extract_list(const std::filesystem::path& path, const ReleaseRequest& request,
                  const std::filesystem::path& root, TableEntry& entry);

}  // namespace grundy
