/// @file
/// A data set gets a DOI after it is made and before it is published. The DOI is put into every
/// file that names one, in a new directory that replaces the old one.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/release.hpp>
#include <grundy/verify.hpp>

#include "core/advice.hpp"
#include "core/atomic_directory.hpp"
#include "core/atomic_file.hpp"
#include "release/documents.hpp"
#include "release/released.hpp"
#include "release/sha256.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// Texts that people may change before they publish.
constexpr std::array<std::string_view, 5> kDocuments = {kReadmeName, kLicenceName, kCitationName,
                                                        kZenodoName, kCrateName};

bool is_document(const std::string& name) {
  return std::ranges::find(kDocuments, name) != kDocuments.end();
}

/// Checks that the files are those that were released, except for documents.
void check_sums(const fs::path& directory, const Sums& listed) {
  for (const auto& [name, sum] : listed) {
    std::error_code error;
    if (!fs::is_regular_file(directory / name, error)) {
      throw Error(ErrorCode::kCorrupt,
                  fmt::format("'{}' is not whole: '{}' is missing", directory.string(), name));
    }
    if (!is_document(name) && sha256_of(directory / name) != sum) {
      throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is not what was released: its sum differs",
                                                   (directory / name).string()));
    }
  }
}

/// Takes over a file unchanged.
void take(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (error) fs::copy_file(from, to);
}

}  // namespace

std::string stamped_text(std::string text, const std::string& old_doi, const std::string& doi) {
  for (std::size_t at = text.find(old_doi); at != std::string::npos;
       at = text.find(old_doi, at + doi.size())) {
    text.replace(at, old_doi.size(), doi);
  }
  return text;
}

ReleaseReport stamp_doi(const fs::path& directory, const std::string& doi, bool force) try {
  check_doi(doi);
  const Sums listed = read_sums(directory);
  check_sums(directory, listed);
  check_replaceable(directory);
  const std::string crate = read_text(directory / kCrateName);
  const std::string old_doi = doi_of_crate(crate);
  if (old_doi != kDoiPlaceholder && old_doi != doi && !force) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' has the DOI {}; {}", directory.string(),
                                               old_doi, kAllowReplacement));
  }
  AtomicDirectory stamped(directory, true);
  const fs::path& root = stamped.path();
  for (const auto& [name, sum] : listed) {
    const fs::path from = directory / name;
    fs::create_directories((root / name).parent_path());
    if (name.starts_with("tables/")) {
      fs::copy_file(from, root / name);
      reseal_with(root / name, doi_texts(doi, name));
      check_values(root / name, digest_of(from));
    } else if (name == kZenodoName) {
      write_whole_file(root / name, false, stamped_zenodo(read_text(from), doi));
    } else if (name == kReadmeName || name == kLicenceName || name == kCitationName) {
      write_whole_file(root / name, false, stamped_text(read_text(from), old_doi, doi));
    } else if (name != kCrateName) {
      take(from, root / name);
    }
  }
  write_whole_file(root / kCrateName, false, stamped_crate(crate, old_doi, doi, root));
  write_whole_file(root / kSumsName, false, to_text(sums_of(root)));
  stamped.publish();
  return report_of(directory, doi);
} catch (const fs::filesystem_error& error) {
  fail_at(directory, error);
}

}  // namespace grundy
