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
#include <grundy/version.hpp>

#include "atlas/atlas_file.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "release/time_limit.hpp"
#include "session/export_file.hpp"
#include "session/machine.hpp"
#include "table/layout_text.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kListStatement =
    "the list has a position exactly if no option of it is in the list; in misère play, a position "
    "without options is not in it";
constexpr const char* kAtlasStatement =
    "the value that a game has for a heap by its class is the mex of the values of its options";
constexpr const char* kCensusStatement = "what a row says of its game follows from the definition";
constexpr const char* kGeneraStatement =
    "the value of a heap, and its misère nim-value with each number of heaps of two tokens that "
    "its "
    "genus tells, are what the values of all options make them";

TableEntry entry_of_outcomes(const fs::path& path) {
  // No samples: this only reads the list and compares it with its digest.
  const OutcomesInfo info = check_outcomes({.file = path, .samples = 0}).info;
  TableEntry entry;
  entry.holds = Holding::kPPositions;
  entry.dataset = "positions";
  entry.info.title = info.title;
  entry.info.canonical = info.canonical;
  entry.info.description = info.description;
  entry.info.layout = info.layout;
  entry.info.stats.count = info.layout.entries();
  entry.listed = info.p_positions;
  entry.info.stats.digest = info.digest;
  entry.info.provenance_json = info.provenance_json;
  entry.unit = info.layout.is_lattice() ? "positions" : "heaps";
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
  entry.info.game = entry.info.canonical = list.info.game;
  entry.info.description = list.info.rules;
  entry.info.reference = list.info.reference;
  entry.info.stats.count = list.info.stats.positions;
  entry.listed = list.info.stats.p_positions;
  entry.info.stats.digest = list.info.stats.digest;
  entry.info.provenance_json = list.info.provenance_json;
  entry.unit = "positions";
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
  entry.unit = "rows";
  if (kind_of(path) == FileKind::kRuleCensus) {
    const RuleCensusReport report = read_rule_census(path);
    const std::string shape = shape_text(Layout::of(report.shape, 1));
    entry.info.title = entry.info.canonical = report.family.text();
    entry.info.description = fmt::format(
        "what the vectors of each rule make of the base in the shape {}: P-positions, largest "
        "value, the first difference, a digest",
        shape);
    entry.info.stats.count = report.all.rules;
    entry.info.stats.digest = report.digest;
    entry.range = fmt::format("{} rules", format_count(report.all.rules));
    entry.dataset = "p_positions";
    return entry;
  }
  const CensusReport report = read_census(path);
  entry.info.title = entry.info.canonical = report.family.text();
  entry.info.description =
      "the proved preperiod and period of each subtraction set, its zeros in a period and its "
      "largest value";
  entry.info.stats.count = report.all.sets;
  entry.info.stats.digest = report.digest;
  entry.range = fmt::format("{} subtraction sets, {} without a period up to heap {}",
                            format_count(report.all.sets), format_count(report.all.open),
                            format_count(report.last));
  entry.dataset = "period";
  return entry;
}

TableEntry entry_of_atlas(const fs::path& path) {
  // No samples: this only reads the values, and compares all that follows from them.
  const AtlasCheck check = check_atlas({.file = path, .samples = 0});
  TableEntry entry;
  entry.holds = Holding::kCensus;
  entry.unit = "games";
  entry.info.title = entry.info.canonical =
      fmt::format("{} games of one heap", format_count(check.games));
  entry.info.description =
      "classes of games of equal or shifted values, with the values, statistics and period of each";
  entry.info.stats.count = check.games;
  entry.info.stats.digest = check.digest;
  entry.range = fmt::format("{} classes, to heap {}; {} games have a proved period",
                            format_count(check.classes), format_count(check.last),
                            format_count(check.certified));
  std::vector<Nimber> values;
  entry.dataset = fmt::format("class/{}/grundy", atlas::AtlasReader(path).read(0, values).code);
  return entry;
}

TableEntry entry_of_genera(const fs::path& path) {
  const GeneraReader reader(path);
  reader.recount();
  const GeneraInfo& info = reader.info();
  TableEntry entry;
  entry.holds = Holding::kGenera;
  entry.unit = "heaps";
  entry.play = PlayConvention::kMisere;
  entry.info.title = info.title;
  entry.info.canonical = info.canonical;
  entry.info.description = info.description;
  entry.info.stats.count = info.heaps;
  entry.info.stats.digest = info.digest;
  entry.info.provenance_json = info.provenance_json;
  entry.genera =
      fmt::format("{} different ones; {} of {} heaps are tame, {} are P-positions in misère play",
                  format_count(reader.genera().size()), format_count(info.tame),
                  format_count(info.heaps), format_count(info.p_positions));
  return entry;
}

/// The result of a check of a list. @throws Error(kMismatch) if something is wrong
template <class Check>
Check checked(const fs::path& path, Check check) {
  if (check.wrong.empty()) return check;
  throw Error(ErrorCode::kMismatch, fmt::format("'{}': {}", path.string(), check.wrong));
}

/// Proves all entries if the time is enough; if not, notes how many entries of a sample were right.
/// @returns whether all entries are proved
template <class Check, class Request, class Prove>
bool prove(Request proof, const ReleaseRequest& request, const Hooks& hooks, Prove run,
           TableEntry& entry) {
  const Check sample = checked(proof.file, run(proof, hooks));
  entry.random = sample.proved;
  if (!sample.complete) return false;
  proof.full = true;
  const TimeLimit limit(request.seconds, hooks.stop);
  Hooks limited = hooks;
  limited.stop = limit.token();
  return checked(proof.file, run(proof, limited)).complete;
}

/// Proves heaps from heap 0 on, and finds all genera a second time if the time is enough.
void prove_genera(const fs::path& path, const ReleaseRequest& request, const Hooks& hooks,
                  TableEntry& entry) {
  GeneraCheckRequest proof{
      .file = path, .seconds = request.seconds, .memory = request.machine.memory};
  const GeneraCheck first = checked(path, check_genera(proof, hooks));
  if (first.proved > 0) entry.certificate.proved = {{0, first.proved - 1}};
  proof.full = true;
  proof.seconds = 0;
  const TimeLimit limit(request.seconds, hooks.stop);
  Hooks limited = hooks;
  limited.stop = limit.token();
  if (checked(path, check_genera(proof, limited)).complete) {
    entry.certificate.methods.emplace_back("all genera and kinds were found a second time");
  }
}

/// What a certificate states of its entries, and how they are proved.
struct Words {
  const char* statement;
  const char* method;
};
Words words_of(const TableEntry& entry) {
  if (entry.holds == Holding::kPPositions) {
    return {kListStatement, "P-positions have no option in the list, others have one"};
  }
  if (entry.holds == Holding::kGenera) {
    return {kGeneraStatement, "all positions that moves reach, by the definition"};
  }
  if (entry.unit == "games") {
    return {kAtlasStatement, "values are compared with the mex of those of all options"};
  }
  return {kCensusStatement, "rows are computed again, value by value, and compared"};
}

}  // namespace

bool is_list(FileKind kind) noexcept {
  return kind == FileKind::kOutcomes || kind == FileKind::kPPositions ||
         kind == FileKind::kCensus || kind == FileKind::kRuleCensus || kind == FileKind::kAtlas ||
         kind == FileKind::kGenera;
}

TableEntry entry_of_list(const fs::path& path) {
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
  entry.info.computed = entry.info.stats.count;
  entry.provenance = json_or_text(entry.info.provenance_json);
  Certificate& certificate = entry.certificate;
  certificate.rule = entry.info.canonical;
  certificate.unit = entry.unit;
  certificate.count = certificate.periodic_from = entry.info.stats.count;
  certificate.table_digest = to_hex(entry.info.stats.digest);
  const Words words = words_of(entry);
  certificate.statement = words.statement;
  certificate.methods = {words.method};
  certificate.programs = {"grundy " GRUNDY_VERSION};
  return entry;
}

std::optional<TableEntry> prove_list(const fs::path& path, const ReleaseRequest& request,
                                     const Hooks& hooks) {
  const FileKind kind = kind_of(path);
  TableEntry entry = entry_of_list(path);
  bool is_whole = false;
  if (kind == FileKind::kOutcomes || kind == FileKind::kPPositions) {
    const OutcomesCheckRequest proof{
        .file = path, .seconds = request.seconds, .machine = request.machine};
    is_whole = kind == FileKind::kOutcomes
                   ? prove<OutcomesCheck>(proof, request, hooks, check_outcomes, entry)
                   : prove<PPositionsCheck>(proof, request, hooks, check_p_positions, entry);
  } else if (kind == FileKind::kAtlas) {
    const AtlasCheckRequest proof{
        .file = path, .seconds = request.seconds, .machine = request.machine};
    is_whole = prove<AtlasCheck>(proof, request, hooks, check_atlas, entry);
  } else if (kind == FileKind::kGenera) {
    prove_genera(path, request, hooks, entry);
  } else {
    const CensusCheckRequest proof{
        .file = path, .seconds = request.seconds, .machine = request.machine};
    is_whole = prove<CensusCheck>(proof, request, hooks, check_census, entry);
  }
  if (hooks.stop.stop_requested()) return std::nullopt;
  if (is_whole) entry.certificate.proved = {{0, entry.certificate.count - 1}};
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
