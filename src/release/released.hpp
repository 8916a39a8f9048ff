/// @file
/// A release that exists: whether it is one, what is in it, and whether that is what its sums say.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <grundy/release.hpp>
#include <grundy/stats.hpp>

namespace grundy {

/// Refuses to replace what is no release, or holds a file that the release did not have. What does
/// not exist may be made. @throws Error(kUsage)
void check_replaceable(const std::filesystem::path& directory);

/// @throws Error(kUsage) unless the text is a DOI: `10.5281/zenodo.1234567`
void check_doi(const std::string& doi);

/// The digest of what a table or a list holds. @throws Error(kCorrupt)
Digest128 digest_of(const std::filesystem::path& table);

/// Reads all values of a table of any kind, and compares them with their digests.
/// @throws Error(kFailure) if the digest of the table is another one, or as its reader
void check_values(const std::filesystem::path& table, const Digest128& digest);

/// What is in a release. @throws Error(kUsage) if it is none, Error(kCorrupt)
ReleaseReport report_of(const std::filesystem::path& directory, const std::string& doi);

/// An error of std::filesystem as an Error.
/// @throws Error(kFailure) that names the release
[[noreturn]] void fail_at(const std::filesystem::path& directory,
                          const std::filesystem::filesystem_error& error);

/// A whole text file. @throws Error(kFailure) if it cannot be read
std::string read_text(const std::filesystem::path& path);

}  // namespace grundy
