/// @file
/// SHA-256 sums of files, as `sha256sum` prints and checks them.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace grundy {

inline constexpr const char* kSumsName = "SHA256SUMS";

/// 64 hexadecimal digits. @throws Error(kFailure) if the file cannot be read
std::string sha256_of(const std::filesystem::path& file);

/// The sum of each file below a directory except the file of sums, by its relative name.
using Sums = std::map<std::string, std::string>;

/// Computes the sums. @throws Error(kFailure)
Sums sums_of(const std::filesystem::path& directory);
/// The lines of the file of sums.
std::string to_text(const Sums& sums);
/// Reads the file of sums of a directory.
/// @throws Error(kUsage) if there is no such file, Error(kCorrupt) if it is malformed
Sums read_sums(const std::filesystem::path& directory);

}  // namespace grundy
