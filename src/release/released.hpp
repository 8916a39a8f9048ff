/// @file
/// A release that exists: whether it is one, what it contains, and whether its sums are right.
// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

#include <grundy/release.hpp>
#include <grundy/stats.hpp>

namespace grundy {

/// Refuses to replace a directory that is no release, or that holds a file which the release did
/// not have. A directory that does not exist may be made. @throws Error(kUsage)
void check_replaceable(const std::filesystem::path& directory);

/// @throws Error(kUsage) unless the text is a DOI: `10.5281/zenodo.1234567`
void check_doi(const std::string& doi);

/// The digest of the content of a table or a list. @throws Error(kCorrupt)
Digest128 digest_of(const std::filesystem::path& table);

/// Reads all values of a table of any kind, and compares them with their digests.
/// @throws Error(kFailure) if the digest of the table is another one; and as its reader
void check_values(const std::filesystem::path& table, const Digest128& digest);

/// The contents of a release. @throws Error(kUsage) if it is no release, Error(kCorrupt)
ReleaseReport report_of(const std::filesystem::path& directory, const std::string& doi);

/// Turns an error of std::filesystem into an Error.
/// @throws Error(kFailure) that names the release
[[noreturn]] void fail_at(const std::filesystem::path& directory,
                          const std::filesystem::filesystem_error& error);

/// A whole text file. @throws Error(kFailure) if it cannot be read
std::string read_text(const std::filesystem::path& path);

}  // namespace grundy
