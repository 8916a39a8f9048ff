/// @file
/// Temporary names: NAME.<40 hex digits>.tmp beside a target called NAME. The digits say which
/// process writes there, so that a later writer of the same target can tell what a killed one left.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace grundy {

/// The suffix of every temporary name.
inline constexpr const char* kTemporarySuffix = ".tmp";

/// The directory that holds `path`.
std::filesystem::path directory_of(const std::filesystem::path& path);

/// A name beside `target` that no other writer has.
std::filesystem::path temporary_name(const std::filesystem::path& target);

/// Removes the files and directories with temporary names of `target` whose writers ran on this
/// host and have ended. What a writer on another host left stays, because nobody here knows whether
/// it lives. What cannot be removed stays, too. Lists the directory.
void remove_abandoned(const std::filesystem::path& target);

}  // namespace grundy
