/// @file
/// Proves files that hold no table of values, each by the check of its kind, and certifies what was
/// proved.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/atlas.hpp>
#include <grundy/census.hpp>
#include <grundy/error.hpp>
#include <grundy/genera.hpp>
#include <grundy/outcomes.hpp>
#include <grundy/statistics_check.hpp>
#include <grundy/verify.hpp>
#include <grundy/version.hpp>

#include "core/digest.hpp"

namespace grundy {

bool is_list(FileKind kind) noexcept {
  return kind == FileKind::kOutcomes || kind == FileKind::kPPositions ||
         kind == FileKind::kCensus || kind == FileKind::kRuleCensus || kind == FileKind::kAtlas ||
         kind == FileKind::kGenera || kind == FileKind::kLatticeStatistics;
}

Certificate certificate_of(const ListCheck& check) {
  Certificate certificate;
  certificate.rule = check.notation;
  certificate.unit = check.unit;
  certificate.count = certificate.periodic_from = check.count;
  certificate.statement = check.statement;
  certificate.table_digest = to_hex(check.digest);
  if (check.proved_range) certificate.proved = {*check.proved_range};
  certificate.methods = check.methods;
  certificate.programs = {"grundy " GRUNDY_VERSION};
  return certificate;
}

ListCheck check_list(const ListCheckRequest& request, const Hooks& hooks) {
  switch (kind_of(request.file)) {
    case FileKind::kOutcomes:
      return check_outcomes(request, hooks);
    case FileKind::kPPositions:
      return check_p_positions(request, hooks);
    case FileKind::kAtlas:
      return check_atlas(request, hooks);
    case FileKind::kGenera:
      return check_genera(request, hooks);
    case FileKind::kLatticeStatistics:
      return check_lattice_statistics(request, hooks);
    case FileKind::kCensus:
    case FileKind::kRuleCensus:
      return check_census(request, hooks);
    default:
      throw Error(ErrorCode::kUsage, fmt::format("'{}' is no list, census, family or statistics",
                                                 request.file.string()));
  }
}

ListCheck read_list(const std::filesystem::path& file) {
  if (kind_of(file) == FileKind::kAtlas) return read_atlas(file);
  return check_list({.file = file, .samples = 0});
}

HeapSize stored_entries(const std::filesystem::path& path) {
  const bool list = std::filesystem::is_regular_file(path) && is_list(kind_of(path));
  return list ? read_list(path).count : stored_info(path).stats.count;
}

}  // namespace grundy
