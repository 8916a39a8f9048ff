/// @file
/// The texts of a release, made from the contents of its tables.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "release/contents.hpp"
#include "table/seal.hpp"

namespace grundy {

inline constexpr const char* kReadmeName = "README.md";
inline constexpr const char* kLicenceName = "LICENSE";
inline constexpr const char* kCitationName = "CITATION.cff";
inline constexpr const char* kZenodoName = ".zenodo.json";
inline constexpr const char* kCrateName = "ro-crate-metadata.json";
inline constexpr const char* kScriptName = "verify.sh";

/// For people: what the release is, how it was made and proved, how to open and check it.
std::string readme_text(const Contents& contents);
std::string licence_text(const Contents& contents);
/// Citation File Format 1.2.0, of the type dataset.
std::string citation_text(const Contents& contents);
/// What Zenodo reads for a deposit. It names no DOI, because Zenodo takes a DOI in this file for
/// one of another publisher.
std::string zenodo_text(const Contents& contents);
/// A POSIX shell script that checks the release from its own directory.
std::string verify_script(const Contents& contents);

/// RO-Crate 1.1. @param directory holds all files but the crate and the sums
std::string crate_text(const Contents& contents, const std::filesystem::path& directory);

/// The attributes of ACDD 1.3 that a table gets in a release. A table has `title`, `source`,
/// `references` and the date of its computation already.
RootTexts acdd_texts(const Contents& contents, const TableEntry& table);
/// Those of these attributes that name the DOI of the release.
RootTexts doi_texts(const std::string& doi, const std::string& file);

/// Puts a DOI into the texts that name `old_doi`.
std::string stamped_text(std::string text, const std::string& old_doi, const std::string& doi);
std::string stamped_zenodo(const std::string& text, const std::string& doi);
/// The DOI that a crate names. @throws Error(kCorrupt) if it is no crate of a release
std::string doi_of_crate(const std::string& crate);
/// The same crate for files that have changed. @throws Error(kCorrupt) as doi_of_crate()
std::string stamped_crate(const std::string& crate, const std::string& old_doi,
                          const std::string& doi, const std::filesystem::path& directory);

}  // namespace grundy
