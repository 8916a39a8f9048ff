// SPDX-License-Identifier: MIT
#include "release/released.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/table.hpp>
#include <grundy/verify.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "core/text_file.hpp"
#include "release/documents.hpp"
#include "release/lists.hpp"
#include "release/sha256.hpp"

namespace grundy {

namespace fs = std::filesystem;

void check_replaceable(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) return;
  const Sums listed = fs::is_directory(directory) && fs::exists(directory / kCrateName)
                          ? read_sums(directory)
                          : Sums();
  if (listed.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("'{}' is no release, and nothing else is replaced",
                                               directory.string()));
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().lexically_relative(directory).generic_string();
    if (entry.is_directory() || name == kSumsName || listed.contains(name)) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is not replaced: it holds '{}', which is no part of the release",
                            directory.string(), name));
  }
}

void check_doi(const std::string& doi) {
  // This is the form that the Citation File Format 1.2.0 asks for.
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kSuffix =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789:/_;-.()[]";
  const std::size_t slash = doi.find('/');
  const bool whole = doi.starts_with("10.") && slash != std::string::npos;
  const std::string prefix = whole ? doi.substr(3, slash - 3) : std::string();
  const std::string suffix = whole ? doi.substr(slash + 1) : std::string();
  const std::string registrant = prefix.substr(0, prefix.find('.'));
  if (registrant.size() >= 4 && registrant.size() <= 9 &&
      registrant.find_first_not_of(kDigits) == std::string::npos &&
      prefix.find_first_not_of("0123456789.") == std::string::npos && !prefix.ends_with('.') &&
      !suffix.empty() && suffix.find_first_not_of(kSuffix) == std::string::npos) {
    return;
  }
  throw Error(ErrorCode::kUsage,
              fmt::format("{} is no DOI; one looks like 10.5281/zenodo.1234567", in_quotes(doi)));
}

Digest128 digest_of(const fs::path& table) {
  return is_list(kind_of(table)) ? read_list(table).digest : stored_info(table).stats.digest;
}

void check_values(const fs::path& table, const Digest128& digest) {
  Digest128 found{};
  if (is_list(kind_of(table))) {
    found = read_list(table).digest;
  } else if (kind_of(table) == FileKind::kPositions) {
    found = read_graph_file(table).info.stats.digest;
  } else {
    const auto reader = TableReader::open(table);
    found = reader->info().stats.digest;
    const HeapSize count = reader->info().stats.count;
    std::vector<Nimber> values;
    for (HeapSize begin = 0; begin < count; begin += values.size()) {
      values.resize(std::min(reader->chunk_size(), count - begin));
      reader->read(begin, values);
    }
  }
  if (found == digest) return;
  throw Error(ErrorCode::kFailure,
              fmt::format("'{}' changed while it was released", table.filename().string()));
}

ReleaseReport report_of(const fs::path& directory, const std::string& doi) {
  ReleaseReport report{.complete = true, .doi = doi, .tables = {}, .files = {kSumsName}};
  for (const auto& [name, sum] : read_sums(directory)) {
    report.files.push_back(name);
    if (!name.starts_with("tables/")) continue;
    const std::string stem = fs::path(name).stem().string();
    const Certificate certificate =
        Certificate::read(directory / "certificates" / (stem + ".json"));
    ReleasedTable table{.file = name,
                        .digest = certificate.table_digest,
                        .unit = certificate.unit,
                        .proved = certificate.count,
                        .entries = certificate.count};
    for (const EntryRange& gap : certificate.gaps()) table.proved -= gap.last - gap.first + 1;
    report.tables.push_back(table);
  }
  std::ranges::sort(report.files);
  return report;
}

void fail_at(const fs::path& directory, const fs::filesystem_error& error) {
  throw Error(ErrorCode::kFailure,
              fmt::format("cannot write '{}': '{}': {}", directory.string(),
                          error.path1().filename().string(), error.code().message()));
}

std::string read_text(const fs::path& path) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  std::optional<std::string> text = read_text_file(path, kMost);
  if (!text) throw Error(ErrorCode::kFailure, fmt::format("cannot read '{}'", path.string()));
  return std::move(*text);
}

}  // namespace grundy
