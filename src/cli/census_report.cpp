// SPDX-License-Identifier: MIT
#include "cli/census_report.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/layout.hpp>
#include <grundy/verify.hpp>

#include "cli/attended_run.hpp"
#include "cli/check_report.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"
#include "table/layout_text.hpp"

namespace grundy::cli {
namespace {

std::string set_text(const MoveSet& moves) {
  return fmt::format("S{{{}}}", fmt::join(moves, ","));
}

Json row_json(const SetRow& row) {
  return {{"moves", row.moves}, {"preperiod", row.found.preperiod}, {"period", row.found.period}};
}

template <class Report>
int info_report(Console& console, const std::string& file, const Report& report) {
  if (console.json) {
    Json json = census_json(report);
    json["file"] = file;
    console.print_json(json);
    return 0;
  }
  print_census(console, report);
  console.field("file", fmt::format("{}, {}", file, format_bytes(report.file_bytes)));
  return 0;
}

std::string of(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} of {}", format_count(part), format_count(whole));
}

Json atlas_json(const std::string& file, const AtlasCheck& check) {
  return {{"file", file},
          {"games", check.count},
          {"classes", check.classes},
          {"certified_games", check.called_certified},
          {"last_heap", check.last},
          {"digest", to_hex(check.digest)}};
}

void print_atlas(Console& console, const AtlasCheck& check) {
  console.field("games",
                fmt::format("{}, to heap {}", format_count(check.count), format_count(check.last)));
  console.field("classes",
                fmt::format("{} of equal or shifted values", format_count(check.classes)));
  console.field("certified", fmt::format("{} games have a certified period",
                                         of(check.called_certified, check.count)));
  console.field("digest", fmt::format("XXH3-128 {}", to_hex(check.digest)));
}

}  // namespace

void print_census(Console& console, const CensusReport& report) {
  const CensusCounts& all = report.all;
  const std::uint64_t certified = all.sets - all.open;
  console.print("{}\n", report.family.text());
  console.field("sets", format_count(all.sets));
  console.field("certified", fmt::format("{} have a proved period{}", format_count(certified),
                                         all.open == 0 ? ""
                                                       : fmt::format("; {} have none up to "
                                                                     "heap {}",
                                                                     format_count(all.open),
                                                                     format_count(report.last))));
  console.field("pure",
                fmt::format("{} of them have the preperiod 0", format_count(all.purely_periodic)));
  if (report.family.size > 2) {
    console.field("additive",
                  fmt::format("the largest move is the sum of the others: {} have the preperiod 0",
                              of(all.additive_purely, all.additive)));
  }
  if (report.family.size > 1) {
    console.field("sums", fmt::format("the period divides a sum of two moves: {} others",
                                      of(all.sums, certified - all.additive)));
  }
  if (certified > 0) {
    console.field("longest", fmt::format("period {}, of {}", format_count(all.longest.found.period),
                                         set_text(all.longest.moves)));
    console.field("preperiod",
                  fmt::format("at most {}, of {}", format_count(all.farthest.found.preperiod),
                              set_text(all.farthest.moves)));
  }
  console.field("digest", fmt::format("XXH3-128 {}", to_hex(report.digest)));
}

Json census_json(const CensusReport& report) {
  const CensusCounts& all = report.all;
  return {{"family", report.family.text()},
          {"sets", all.sets},
          {"open", all.open},
          {"last_heap", report.last},
          {"purely_periodic", all.purely_periodic},
          {"additive", all.additive},
          {"additive_purely_periodic", all.additive_purely},
          {"not_additive_period_divides_sum_of_two_moves", all.sums},
          {"longest_period", row_json(all.longest)},
          {"longest_preperiod", row_json(all.farthest)},
          {"digest", to_hex(report.digest)},
          {"file_bytes", report.file_bytes},
          {"seconds", report.seconds}};
}

void print_census(Console& console, const RuleCensusReport& report) {
  const RuleCounts& all = report.all;
  const Layout layout = Layout::of(report.shape, 1);
  console.print("{}\n", report.family.text());
  console.field("shape", shape_text(layout));
  console.field("rules", format_count(all.rules));
  console.field("base", fmt::format("{} have its values, {} its P-positions",
                                    format_count(all.same_values), format_count(all.same_p)));
  console.field("known",
                fmt::format("{} have the P-positions of Nim{}", format_count(all.nim_p),
                            report.family.heaps == 2 ? fmt::format(", {} those of Wythoff's game",
                                                                   format_count(all.wythoff_p))
                                                     : ""));
  const auto field = [&](const char* label, std::uint32_t number, const RuleRow& row) {
    console.field(
        label, fmt::format("{}, with {}", format_count(number), report.family.terms(row.vectors)));
  };
  field("most P", all.most.found.p_positions, all.most);
  field("fewest P", all.fewest.found.p_positions, all.fewest);
  field("maximum", all.highest.found.max_value, all.highest);
  console.field("digest", fmt::format("XXH3-128 {}", to_hex(report.digest)));
}

Json census_json(const RuleCensusReport& report) {
  const RuleCounts& all = report.all;
  const auto row = [&](const RuleRow& r, std::uint32_t number) {
    Json vectors = Json::array();
    for (const LatticePoint& v : r.vectors) {
      vectors.push_back(std::vector(v.begin(), v.begin() + report.family.heaps));
    }
    return Json{{"vectors", vectors}, {"number", number}};
  };
  const auto& extent = report.shape.extent;
  return {{"family", report.family.text()},
          {"shape", std::vector(extent.begin(), extent.begin() + report.shape.heaps)},
          {"rules", all.rules},
          {"same_values", all.same_values},
          {"same_p_positions", all.same_p},
          {"nim_p_positions", all.nim_p},
          {"wythoff_p_positions", all.wythoff_p},
          {"most_p_positions", row(all.most, all.most.found.p_positions)},
          {"fewest_p_positions", row(all.fewest, all.fewest.found.p_positions)},
          {"largest_value", row(all.highest, all.highest.found.max_value)},
          {"digest", to_hex(report.digest)},
          {"file_bytes", report.file_bytes},
          {"seconds", report.seconds}};
}

int info_census(Console& console, const std::string& file) {
  if (kind_of(file) == FileKind::kRuleCensus)
    return info_report(console, file, read_rule_census(file));
  return info_report(console, file, read_census(file));
}

int verify_census(Console& console, const ListCheckRequest& request,
                  CertificateOutput certificate) {
  const ListCheck check = attended_check(console, "rows", check_census, request, certificate);
  const std::string proved = fmt::format("{} are proved from the definition", proved_text(check));
  if (console.json) {
    Json json = {{"file", request.file},
                 {"family", check.notation},
                 {"rows", check.count},
                 {"digest", to_hex(check.digest)}};
    put_check(json, check, certificate, {{"proved", check.proved}});
    console.print_json(json);
  }
  return conclude_check(console, request.file, check, certificate, "stopped; " + proved, [&] {
    console.print("{}\n", check.notation);
    console.field("content",
                  "the seal, the order of the rows, all counts and the digest are right");
    console.field("rows", proved);
    console.field("digest", fmt::format("XXH3-128 {}", to_hex(check.digest)));
  });
}

int info_atlas(Console& console, const std::string& file) {
  const AtlasCheck check = read_atlas(file);
  const std::uint64_t bytes = std::filesystem::file_size(file);
  if (console.json) {
    Json json = atlas_json(file, check);
    json["file_bytes"] = bytes;
    console.print_json(json);
    return 0;
  }
  print_atlas(console, check);
  console.field("file", fmt::format("{}, {}", file, format_bytes(bytes)));
  return 0;
}

std::string proved_periods(const AtlasCheck& check) {
  const bool all = check.certified == check.called_certified;
  return fmt::format(
      "{} certified periods are proved again for all heaps, from the values of the "
      "file{}",
      all ? "all " + format_count(check.certified) : of(check.certified, check.called_certified),
      all ? "" : "; it does not keep what proves the others");
}

int verify_atlas(Console& console, const ListCheckRequest& request, CertificateOutput certificate) {
  const AtlasCheck check = attended_check(console, "games", check_atlas, request, certificate);
  const std::string proved =
      fmt::format("{}{} heaps of {} are proved from the definition",
                  check.proved_range ? "all " : "", format_count(check.heaps), proved_text(check));
  if (console.json) {
    Json json = atlas_json(request.file.string(), check);
    put_check(json, check, certificate,
              {{"proved_games", check.proved},
               {"proved_heaps", check.heaps},
               {"proved_periods", check.certified}});
    console.print_json(json);
  }
  return conclude_check(console, request.file, check, certificate, "stopped; " + proved, [&] {
    print_atlas(console, check);
    console.field("content", "the seal and the statistics of all classes are right");
    console.field("values", proved);
    if (check.called_certified > 0) console.field("periods", proved_periods(check));
  });
}

}  // namespace grundy::cli
