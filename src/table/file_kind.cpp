// SPDX-License-Identifier: MIT
#include "table/file_kind.hpp"

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/advice.hpp"
#include "table/file_checks.hpp"
#include "table/seal.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr std::array<FileFormat, 12> kFileFormats = {
    {{"grundy-table", 2, 1, "grundy", "a table of one heap or of several"},
     {"grundy-positions", 1, 1, "positions", "a table of positions"},
     {"grundy-atlas", 2, 1, "classes", "a family of games"},
     {"grundy-statistics", 1, 2, "heaps", "a file of statistics without values"},
     {"grundy-census", 1, 0, "sets", "a census of subtraction sets"},
     {"grundy-outcomes", 1, 0, "p_positions", "a file of outcomes without values"},
     {"grundy-p-positions", 1, 0, "listed_positions", "a list of P-positions of a game"},
     {"grundy-rule-census", 1, 0, "rules", "a census of rules of several heaps"},
     {"grundy-genera", 1, 0, "genera", "a table of misère play"},
     {"grundy-table", 3, 0, "parts", "a table in parts", 3},
     {"grundy-part", 1, 0, "part", "a part of a table"},
     {"grundy-statistics", 2, 0, "entries", "statistics of several heaps without values", 2}}};

std::optional<FileKind> kind_of(const h5::Object& root) {
  if (!root.has_attribute("format") || !root.has_attribute("format_major") ||
      !root.has_member(kIntegrityName)) {
    return std::nullopt;
  }
  // Other files than tables have values named `grundy` too, and lists have counts of positions.
  for (const FileKind kind :
       {FileKind::kPPositions, FileKind::kPositions, FileKind::kAtlas, FileKind::kStatistics,
        FileKind::kCensus, FileKind::kRuleCensus, FileKind::kGenera, FileKind::kOutcomes,
        FileKind::kLatticeStatistics}) {
    if (root.has_attribute(format_of(kind).mark)) return kind;
  }
  for (const FileKind kind : {FileKind::kMaster, FileKind::kPart, FileKind::kTable}) {
    if (root.has_member(format_of(kind).mark)) return kind;
  }
  return std::nullopt;
}

FileKind known_kind_of(const h5::Object& root, const fs::path& path) {
  const auto kind = kind_of(root);
  if (!kind) refuse(ErrorCode::kCorrupt, path, "is an HDF5 file, but not a grundy table");
  return *kind;
}

/// Reads numbers only, no texts.
void check_root(const h5::Object& root, const fs::path& path, FileKind wanted) {
  const FileFormat& format = format_of(wanted);
  const FileKind kind = known_kind_of(root, path);
  if (kind == FileKind::kPart && kind != wanted) {
    refuse(ErrorCode::kUsage, path,
           "is one part of a table; open the table, which lies beside the directory of its parts");
  }
  if (kind != wanted) {
    refuse(ErrorCode::kUsage, path,
           fmt::format("is {}, and this needs {}; {}", format_of(kind).what, format.what,
                       kAskWhatItHolds));
  }
  const std::uint64_t major = root.number("format_major");
  if (major < format.first || major > format.major) {
    const std::string read = format.major == format.first
                                 ? fmt::format("{}", format.major)
                                 : fmt::format("{} to {}", format.first, format.major);
    refuse(ErrorCode::kCorrupt, path,
           fmt::format("has format {}.{}; this program reads format {}", major,
                       root.number("format_minor"), read));
  }
  if (!root.has_attribute("complete") || root.number("complete") != 1) {
    refuse(ErrorCode::kCorrupt, path, "is not complete: the run that wrote it did not finish");
  }
}

}  // namespace

const FileFormat& format_of(FileKind kind) noexcept {
  return kFileFormats[static_cast<std::size_t>(kind)];
}

void put_format(h5::Object& root, FileKind kind) {
  const FileFormat& format = format_of(kind);
  root.put_text("format", format.name);
  root.put_number("format_major", format.major);
  root.put_number("format_minor", format.minor);
}

FileKind kind_of(const fs::path& path) {
  check_outside(path);
  return known_kind_of(h5::File::open(path).root(), path);
}

SealedFile open_sealed(const fs::path& path, FileKind wanted) {
  check_outside(path);
  h5::File file = h5::File::open(path);
  h5::Object root = file.root();
  check_root(root, path, wanted);
  h5::Object integrity = open_seal(root, path);
  if (root.text("format") != format_of(wanted).name) {
    refuse(ErrorCode::kCorrupt, path, "is an HDF5 file, but not a grundy table");
  }
  return {std::move(file), std::move(root), std::move(integrity)};
}

}  // namespace grundy
