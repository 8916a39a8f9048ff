// SPDX-License-Identifier: MIT
#include "verify/lists.hpp"

#include <grundy/atlas.hpp>
#include <grundy/census.hpp>
#include <grundy/genera.hpp>
#include <grundy/outcomes.hpp>
#include <grundy/version.hpp>

#include "core/digest.hpp"

namespace grundy {

bool is_list(FileKind kind) noexcept {
  return kind == FileKind::kOutcomes || kind == FileKind::kPPositions ||
         kind == FileKind::kCensus || kind == FileKind::kRuleCensus || kind == FileKind::kAtlas ||
         kind == FileKind::kGenera;
}

Certificate certificate_of(const ListCheck& check) {
  Certificate certificate;
  certificate.rule = check.notation;
  certificate.unit = check.unit;
  certificate.count = certificate.periodic_from = check.count;
  certificate.statement = check.statement;
  certificate.table_digest = to_hex(check.digest);
  if (check.proved_to > 0) certificate.proved = {{0, check.proved_to - 1}};
  certificate.methods = check.methods;
  certificate.programs = {"grundy " GRUNDY_VERSION};
  return certificate;
}

Certificate certificate_of_list(const std::filesystem::path& path) {
  const ListCheckRequest nothing{.file = path, .samples = 0};
  switch (kind_of(path)) {
    case FileKind::kOutcomes:
      return certificate_of(check_outcomes(nothing));
    case FileKind::kPPositions:
      return certificate_of(check_p_positions(nothing));
    case FileKind::kAtlas:
      return certificate_of(check_atlas(nothing));
    case FileKind::kGenera:
      return certificate_of(check_genera(nothing));
    default:
      return certificate_of(check_census(nothing));
  }
}

}  // namespace grundy
