/// @file
/// The attributes of ACDD 1.3 (Attribute Convention for Data Discovery, wiki.esipfed.org) of a
/// table in a release.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/version.hpp>

#include "release/documents.hpp"
#include "table/info_fields.hpp"

namespace grundy {
namespace {

/// Adds one field of all creators, separated by semicolons, because names of people contain commas.
template <class Field>
void add_creators(RootTexts& texts, const char* name, const Contents& contents, Field field) {
  std::vector<std::string> values;
  bool any = false;
  for (const ReleaseCreator& creator : contents.creators) {
    values.push_back(field(creator));
    any = any || !values.back().empty();
  }
  if (any) texts.emplace_back(name, fmt::format("{}", fmt::join(values, "; ")));
}

/// The time when the values were computed; empty if the table does not have it.
std::string date_of(const TableEntry& table) {
  for (const char* key : {"ended", "created"}) {
    if (!table.provenance.is_object() || !table.provenance.contains(key)) continue;
    if (const Json& date = table.provenance.at(key); date.is_string()) {
      return date.get<std::string>();
    }
  }
  return {};
}

}  // namespace

RootTexts acdd_texts(const Contents& contents, const TableEntry& table) {
  const TableInfo& info = table.info;
  RootTexts texts = doi_texts(contents.doi, table.file);
  if (table.holds == Holding::kCensus) texts.emplace_back("title", info.title);
  texts.emplace_back("Conventions", fmt::format("{}, ACDD-1.3", kConventions));
  texts.emplace_back("summary", summary_of(table));
  texts.emplace_back("keywords", fmt::format("{}", fmt::join(keywords_of(contents), ", ")));
  texts.emplace_back("license", contents.licence.address);
  add_creators(texts, "creator_name", contents, [](const ReleaseCreator& c) { return c.name(); });
  add_creators(texts, "creator_type", contents, [](const ReleaseCreator& c) {
    return std::string(c.family.empty() ? "institution" : "person");
  });
  add_creators(texts, "creator_url", contents, [](const ReleaseCreator& c) {
    return c.orcid.empty() ? std::string() : "https://orcid.org/" + c.orcid;
  });
  add_creators(texts, "creator_email", contents, [](const ReleaseCreator& c) { return c.email; });
  add_creators(texts, "creator_institution", contents, [](const ReleaseCreator& c) {
    return c.family.empty() ? c.organisation : c.affiliation;
  });
  const std::string computed = date_of(table);
  texts.emplace_back("date_created", computed.empty() ? contents.date : computed);
  texts.emplace_back("date_issued", contents.date);
  texts.emplace_back("history",
                     fmt::format("{}computed{}; {} released by grundy " GRUNDY_VERSION,
                                 computed.empty() ? "" : computed + " ",
                                 info.engine.empty() ? ""
                                                     : fmt::format(" with engine {}, kernel {}",
                                                                   info.engine, info.kernel),
                                 contents.date));
  texts.emplace_back("processing_level", proof_text(table));
  return texts;
}

RootTexts doi_texts(const std::string& doi, const std::string& file) {
  return {{"id", fmt::format("{}#{}", doi, file)},
          {"naming_authority", "org.doi"},
          {"metadata_link", address_of_doi(doi)}};
}

}  // namespace grundy
