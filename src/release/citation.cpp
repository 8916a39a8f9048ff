/// @file
/// What the programs of libraries and archives read of a release: CITATION.cff and .zenodo.json.
// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/version.hpp>

#include "release/documents.hpp"

namespace grundy {
namespace {

/// A text in YAML, which accepts a JSON string.
std::string quoted(const std::string& text) {
  return json_text(Json(text));
}

/// The fields of one creator; the first one follows a dash.
std::string author_text(const ReleaseCreator& creator) {
  std::vector<std::pair<const char*, std::string>> fields;
  if (creator.family.empty()) {
    fields = {{"name", creator.organisation}};
  } else {
    fields = {{"family-names", creator.family}, {"given-names", creator.given}};
  }
  fields.emplace_back("affiliation", creator.affiliation);
  fields.emplace_back("email", creator.email);
  if (!creator.orcid.empty()) fields.emplace_back("orcid", "https://orcid.org/" + creator.orcid);
  std::string text;
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    text += fmt::format("  {} {}: {}\n", text.empty() ? "-" : " ", name, quoted(value));
  }
  return text;
}

/// Escapes the characters that have a meaning in HTML.
std::string escaped_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

std::string citation_text(const Contents& contents) {
  std::string text = fmt::format(
      "cff-version: 1.2.0\nmessage: \"Please cite this data set as below.\"\ntype: dataset\n"
      "title: {}\nauthors:\n",
      quoted(contents.title));
  for (const ReleaseCreator& creator : contents.creators) text += author_text(creator);
  text +=
      fmt::format("doi: {}\ndate-released: \"{}\"\nlicense: {}\nabstract: {}\nkeywords:\n",
                  contents.doi, contents.date, contents.licence.id, quoted(summary_of(contents)));
  for (const std::string& word : keywords_of(contents)) {
    text += fmt::format("  - {}\n", quoted(word));
  }
  return text +
         "references:\n  - type: software\n    title: grundy\n"
         "    authors:\n      - name: The grundy developers\n"
         "    version: \"" GRUNDY_VERSION "\"\n    license: MIT\n";
}

std::string zenodo_text(const Contents& contents) {
  Json creators = Json::array();
  for (const ReleaseCreator& creator : contents.creators) {
    Json json{{"name", creator.name()}};
    if (!creator.affiliation.empty()) json["affiliation"] = creator.affiliation;
    if (!creator.orcid.empty()) json["orcid"] = creator.orcid;
    creators.push_back(json);
  }
  Json json{{"title", contents.title},
            {"upload_type", "dataset"},
            {"description", "<p>" + escaped_html(summary_of(contents)) + "</p>"},
            {"creators", creators},
            {"publication_date", contents.date},
            {"access_right", "open"},
            {"license", contents.licence.id},
            {"keywords", keywords_of(contents)}};
  const std::string text = json_text(json, JsonForm::kLines) + "\n";
  return contents.doi == kDoiPlaceholder ? text : stamped_zenodo(text, contents.doi);
}

std::string stamped_zenodo(const std::string& text, const std::string& doi) {
  Json json = parse_json(text);
  json["doi"] = doi;
  return json_text(json, JsonForm::kLines) + "\n";
}

}  // namespace grundy
