// SPDX-License-Identifier: MIT
#include "release/lists.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/atlas.hpp>
#include <grundy/census.hpp>
#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/genera.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/outcomes.hpp>
#include <grundy/rule_census.hpp>
#include <grundy/verify.hpp>

#include "atlas/atlas_file.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "release/table_proof.hpp"
#include "release/time_limit.hpp"
#include "session/export_file.hpp"
#include "session/machine.hpp"
#include "table/layout_text.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

TableEntry entry_of_outcomes(const fs::path& path) {
  const OutcomesReader reader(path);
  const OutcomesInfo& info = reader.info();
  TableEntry entry;
  entry.holds = Holding::kPPositions;
  entry.dataset = "positions";
  entry.info.title = info.title;
  entry.info.description = info.description;
  entry.info.layout = info.layout;
  entry.listed = info.p_positions;
  entry.info.stats.digest = info.digest;
  entry.info.provenance_json = info.provenance_json;
  entry.play = info.misere ? PlayConvention::kMisere : PlayConvention::kNormal;
  entry.range =
      fmt::format("{} P-positions among {}", format_count(info.p_positions),
                  info.layout.is_lattice()
                      ? shape_text(info.layout)
                      : fmt::format("heaps 0 to {}", format_count(info.layout.entries() - 1)));
  return entry;
}

TableEntry entry_of_p_positions(const fs::path& path) {
  const PPositions list = read_p_positions(path, memory_available());
  TableEntry entry;
  entry.holds = Holding::kPPositions;
  entry.dataset = "key";
  entry.info.title = list.info.title;
  entry.info.game = list.info.game;
  entry.info.description = list.info.rules;
  entry.info.reference = list.info.reference;
  entry.listed = list.info.stats.p_positions;
  entry.info.stats.digest = list.info.stats.digest;
  entry.info.provenance_json = list.info.provenance_json;
  entry.play = list.misere ? PlayConvention::kMisere : PlayConvention::kNormal;
  entry.range =
      fmt::format("{} P-positions among {} positions{}", format_count(list.info.stats.p_positions),
                  format_count(list.info.stats.positions),
                  list.info.reduction == Reduction::kNone ? "" : " up to symmetry");
  return entry;
}

TableEntry entry_of_census(const fs::path& path) {
  TableEntry entry;
  entry.holds = Holding::kCensus;
  if (kind_of(path) == FileKind::kRuleCensus) {
    const RuleCensusReport report = read_rule_census(path);
    const std::string shape = shape_text(Layout::of(report.shape, 1));
    entry.info.description = fmt::format(
        "what the vectors of each rule make of the base in the shape {}: P-positions, largest "
        "value, the first difference, a digest",
        shape);
    entry.info.stats.digest = report.digest;
    entry.range = fmt::format("{} rules", format_count(report.all.rules));
    entry.dataset = "p_positions";
    return entry;
  }
  const CensusReport report = read_census(path);
  entry.info.description =
      "the proved preperiod and period of each subtraction set, its zeros in a period and its "
      "largest value";
  entry.info.stats.digest = report.digest;
  entry.range = fmt::format("{} subtraction sets, {} without a period up to heap {}",
                            format_count(report.all.sets), format_count(report.all.open),
                            format_count(report.last));
  entry.dataset = "period";
  return entry;
}

TableEntry entry_of_atlas(const fs::path& path) {
  const AtlasCheck check = read_atlas(path);
  TableEntry entry;
  entry.holds = Holding::kCensus;
  entry.info.title = fmt::format("{} games of one heap", format_count(check.count));
  entry.info.description =
      "classes of games of equal or shifted values, with the values, statistics and period of each";
  entry.info.stats.digest = check.digest;
  entry.range = fmt::format("{} classes, to heap {}; {} games have a certified period",
                            format_count(check.classes), format_count(check.last),
                            format_count(check.called_certified));
  std::vector<Nimber> values;
  entry.dataset = fmt::format("class/{}/grundy", atlas::AtlasReader(path).read(0, values).code);
  return entry;
}

TableEntry entry_of_genera(const fs::path& path) {
  const GeneraReader reader(path);
  const GeneraInfo& info = reader.info();
  TableEntry entry;
  entry.holds = Holding::kGenera;
  entry.play = PlayConvention::kMisere;
  entry.info.title = info.title;
  entry.info.description = info.description;
  entry.info.stats.digest = info.digest;
  entry.info.provenance_json = info.provenance_json;
  entry.genera =
      fmt::format("{} different ones; {} of {} heaps are tame, {} are P-positions in misère play",
                  format_count(reader.genera().size()), format_count(info.tame),
                  format_count(info.heaps), format_count(info.p_positions));
  return entry;
}

/// The result of a check of a list. @throws Error(kMismatch) if something is wrong
ListCheck checked(const fs::path& path, ListCheck check) {
  if (check.wrong.empty()) return check;
  throw Error(ErrorCode::kMismatch, fmt::format("'{}': {}", path.string(), check.wrong));
}

/// The entry of a list whose content was checked.
/// @param check what was proved of it
TableEntry entry_of_list(const fs::path& path, const ListCheck& check) {
  TableEntry entry;
  switch (kind_of(path)) {
    case FileKind::kOutcomes:
      entry = entry_of_outcomes(path);
      break;
    case FileKind::kPPositions:
      entry = entry_of_p_positions(path);
      break;
    case FileKind::kAtlas:
      entry = entry_of_atlas(path);
      break;
    case FileKind::kGenera:
      entry = entry_of_genera(path);
      break;
    default:
      entry = entry_of_census(path);
  }
  entry.certificate = certificate_of(check);
  entry.random = check.proved;
  entry.unit = check.unit;
  entry.info.canonical = entry.unit == "games" ? entry.info.title : check.notation;
  if (entry.info.title.empty()) entry.info.title = check.notation;
  entry.info.computed = entry.info.stats.count = check.count;
  entry.provenance = json_or_text(entry.info.provenance_json);
  return entry;
}

}  // namespace

std::optional<TableEntry> prove_list(const fs::path& path, const ReleaseRequest& request,
                                     const Hooks& hooks) {
  ListCheckRequest proof{.file = path, .seconds = request.seconds, .machine = request.machine};
  const ListCheck first = checked(path, check_list(proof, hooks));
  if (!first.complete) return std::nullopt;
  TableEntry entry = entry_of_list(path, first);
  const std::vector<Certificate> beside = certificates_beside(path, entry.certificate);
  if (!beside.empty()) {
    entry.certificate = merge(beside);
    return entry;
  }
  proof.full = true;
  proof.seconds = 0;  // for heaps in misère play from the definition, which are proved
  const TimeLimit limit(request.seconds, hooks.stop);
  Hooks limited = hooks;
  limited.stop = limit.token();
  const ListCheck whole = checked(path, check_list(proof, limited));
  if (hooks.stop.stop_requested()) return std::nullopt;
  entry.certificate = merge({entry.certificate, certificate_of(whole)});
  return entry;
}

void extract_list(const fs::path& path, const ReleaseRequest& request, const fs::path& root,
                  TableEntry& entry) {
  const auto write = [&](const std::string& name, const auto& fill) {
    ByteOutput out = ByteOutput::file(root / name, false);
    fill(out);
    out.commit();
    return name;
  };
  const std::string csv = fmt::format("csv/{}.csv", entry.name);
  if (entry.holds == Holding::kCensus) {
    entry.csv = write(csv, [&](ByteOutput& out) {
      const FileKind kind = kind_of(path);
      out.write(kind == FileKind::kAtlas        ? atlas::AtlasReader(path).summary()
                : kind == FileKind::kRuleCensus ? read_rule_census(path).csv()
                                                : read_census(path).csv());
    });
    return;
  }
  ExportOptions options;
  if (entry.holds == Holding::kGenera) {
    entry.listed = std::min(entry.info.stats.count, request.entries);
    if (entry.listed == 0) return;
    options.terms = entry.listed;
  } else if (entry.listed > request.entries) {
    return;
  }
  const auto put = [&](ExportFormat format, const std::string& name) {
    return write(name, [&](ByteOutput& out) { export_file(path, format, options, out); });
  };
  entry.csv = put(ExportFormat::kCsv, csv);
  if (entry.info.layout.planes > 1) return;
  entry.bfile = put(ExportFormat::kBFile, fmt::format("b-files/{}.txt", entry.name));
}

}  // namespace grundy
