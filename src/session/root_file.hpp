/// @file
/// The value of one position as a file: JSON that ends in a digest of itself.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include <nlohmann/json_fwd.hpp>

#include <grundy/compute.hpp>

#include "core/json.hpp"

namespace grundy {

/// Writes the result of compute_root(). @throws Error
void write_root_file(const Request& request, const RootReport& report);

/// Whether the file says that it holds such a value.
bool is_root_file(const std::filesystem::path& path);

/// All of the file but the digest. @throws Error(kCorrupt) if it is damaged
Json read_root_file(const std::filesystem::path& path);

}  // namespace grundy
