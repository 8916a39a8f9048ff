/// @file
/// The classes of a family as a table for people and for programs.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/atlas.hpp>

#include "atlas/game_row.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace grundy {
namespace {

/// One column: its name and the cell of a class. The cell is null if the fact is not known or does
/// not apply.
struct Column {
  const char* name;
  Json (*cell)(const AtlasClass&);
};

Json if_periodic(const AtlasClass& c, HeapSize number) {
  return c.period.status == PeriodStatus::kNone ? Json() : Json(number);
}

Json if_sparse(const AtlasClass& c, std::uint64_t SparseFacts::*number) {
  return c.sparse ? Json((*c.sparse).*number) : Json();
}

Json members(const AtlasClass& c) {
  std::string text;
  for (const AtlasMember& member : c.members) {
    if (!text.empty()) text += ' ';
    text += member.code;
  }
  return text;
}

std::ptrdiff_t observed(const AtlasClass& c) {
  return std::ranges::count(c.members, AtlasEvidence::kObserved, &AtlasMember::evidence);
}

const std::vector<Column> kColumns = {
    {"game", [](const AtlasClass& c) { return Json(c.code); }},
    {"standard_form",
     [](const AtlasClass& c) { return c.standard_form.empty() ? Json() : Json(c.standard_form); }},
    {"status", [](const AtlasClass& c) { return Json(to_string(c.period.status)); }},
    {"preperiod", [](const AtlasClass& c) { return if_periodic(c, c.period.preperiod); }},
    {"period", [](const AtlasClass& c) { return if_periodic(c, c.period.period); }},
    {"saltus", [](const AtlasClass& c) { return if_periodic(c, c.period.saltus); }},
    {"maximum", [](const AtlasClass& c) { return Json(c.stats.max_value); }},
    {"first_maximum", [](const AtlasClass& c) { return Json(c.stats.argmax); }},
    {"zeros", [](const AtlasClass& c) { return Json(c.stats.zeros()); }},
    {"last_zero", [](const AtlasClass& c) { return Json(c.last_zero); }},
    {"mask",
     [](const AtlasClass& c) {
       if (!c.sparse) return Json();
       return Json(fmt::format("{:#x}{}", c.sparse->mask, c.sparse->parity ? " n" : ""));
     }},
    {"rare", [](const AtlasClass& c) { return if_sparse(c, &SparseFacts::rare); }},
    {"last_rare", [](const AtlasClass& c) { return if_sparse(c, &SparseFacts::last_rare); }},
    {"values", [](const AtlasClass& c) { return Json(c.stats.count); }},
    {"games", [](const AtlasClass& c) { return Json(c.members.size()); }},
    {"observed", [](const AtlasClass& c) { return Json(observed(c)); }},
    {"members", members},
    {"theorem",
     [](const AtlasClass& c) {
       return c.period.theorem.empty() ? Json() : Json(c.period.theorem);
     }},
    {"literature",
     [](const AtlasClass& c) {
       return c.literature == LiteratureStatus::kUnlisted ? Json() : Json(to_string(c.literature));
     }},
    {"reference",
     [](const AtlasClass& c) { return c.reference.empty() ? Json() : Json(c.reference); }},
    {"xxh3_128", [](const AtlasClass& c) { return Json(to_hex(c.stats.digest)); }},
};
const Column kSeconds{"seconds", [](const AtlasClass& c) { return Json(c.seconds); }};

std::vector<Column> columns(bool times) {
  std::vector<Column> all = kColumns;
  if (times) all.push_back(kSeconds);
  return all;
}

/// A cell as text; empty for null.
std::string plain(const Json& cell) {
  if (cell.is_null()) return {};
  if (cell.is_number_float()) return fmt::format("{:.3f}", cell.get<double>());
  return cell.is_string() ? cell.get<std::string>() : json_text(cell);
}

std::string csv_field(const std::string& text) {
  return text.find_first_of(",\"\n") == std::string::npos ? text : csv_text(text);
}

std::string as_csv(const AtlasReport& report, bool times) {
  std::string text;
  const auto line = [&text](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      text += (i == 0 ? "" : ",") + csv_field(fields[i]);
    }
    text += '\n';
  };
  std::vector<std::string> fields;
  for (const Column& column : columns(times)) fields.emplace_back(column.name);
  line(fields);
  for (const AtlasClass& c : report.classes) {
    fields.clear();
    for (const Column& column : columns(times)) fields.push_back(plain(column.cell(c)));
    line(fields);
  }
  return text;
}

Json member_json(const AtlasClass& c, const AtlasMember& member) {
  Json json{{"game", member.code},
            {"shift", static_cast<std::int64_t>(member.lead) -
                          static_cast<std::int64_t>(c.members.front().lead)},
            {"evidence", to_string(member.evidence)}};
  if (member.evidence == AtlasEvidence::kObserved) json["compared"] = member.compared;
  return json;
}

std::string as_json(const AtlasReport& report, bool times) {
  Json classes = Json::array();
  for (const AtlasClass& c : report.classes) {
    Json row;
    for (const Column& column : columns(times)) row[column.name] = column.cell(c);
    row["members"] = Json::array();
    for (const AtlasMember& member : c.members) row["members"].push_back(member_json(c, member));
    classes.push_back(std::move(row));
  }
  const Json json{{"complete", report.complete},
                  {"first_heap", 0},
                  {"last_heap", report.last},
                  {"games", report.games},
                  {"classes", std::move(classes)}};
  return json_text(json, JsonForm::kLines) + '\n';
}

/// The columns for which a page has room, one row for each class, the unproved classes first.
std::string as_markdown(const AtlasReport& report, bool times) {
  const auto count = [&](PeriodStatus status) {
    return std::ranges::count(report.classes, status,
                              [](const AtlasClass& c) { return c.period.status; });
  };
  std::string text = fmt::format(
      "Games: {}. Heaps: 0 to {}. Classes of equal or shifted values: {}, of these {} with a "
      "certified period.\n\n",
      report.games, report.last, report.classes.size(), count(PeriodStatus::kCertified));
  constexpr std::string_view kWide[] = {"standard_form", "theorem", "reference", "xxh3_128",
                                        "members"};
  std::vector<Column> shown = columns(times);
  std::erase_if(shown, [&](const Column& column) {
    return std::ranges::find(kWide, std::string_view(column.name)) != std::end(kWide);
  });
  std::string rule = "|";
  text += '|';
  for (const Column& column : shown) {
    text += fmt::format(" {} |", column.name);
    rule += column.name == std::string_view("game") || column.name == std::string_view("status")
                ? " --- |"
                : " ---: |";
  }
  text += '\n' + rule + '\n';
  for (const bool proved : {false, true}) {
    for (const AtlasClass& c : report.classes) {
      if ((c.period.status == PeriodStatus::kCertified) != proved) continue;
      text += '|';
      for (const Column& column : shown) text += fmt::format(" {} |", plain(column.cell(c)));
      text += '\n';
    }
  }
  return text;
}

std::string as_rows(const AtlasReport& report) {
  std::string text = game_row_heading();
  for (const AtlasClass& c : report.classes) {
    text += to_text({.code = c.code,
                     .period = c.period,
                     .stats = c.stats,
                     .sparse = c.sparse,
                     .last_zero = c.last_zero});
  }
  return text;
}

}  // namespace

std::string summarize(const AtlasReport& report, SummaryFormat format, bool times) {
  switch (format) {
    case SummaryFormat::kCsv:
      return as_csv(report, times);
    case SummaryFormat::kJson:
      return as_json(report, times);
    case SummaryFormat::kRows:
      return as_rows(report);
    case SummaryFormat::kMarkdown:
      break;
  }
  return as_markdown(report, times);
}

}  // namespace grundy
