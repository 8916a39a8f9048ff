/// @file
/// The HDF5 file of a family: a group for every class, sealed like a table. README.md beside this
/// file specifies it.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

#include <grundy/atlas.hpp>

#include "atlas/game_run.hpp"

namespace grundy::atlas {

/// Writes `report` and, for each of its classes, the values that `values` gives. The file appears
/// under its name complete, or not at all. Equal reports give equal bytes.
/// @throws Error
void write_atlas_file(const std::filesystem::path& path, const AtlasReport& report,
                      const std::function<StoredValues(std::size_t)>& values, bool overwrite);

}  // namespace grundy::atlas
