/// @file
/// The release as an RO-Crate 1.1 (w3id.org/ro/crate/1.1): its files and their origin, as linked
/// data.
// SPDX-License-Identifier: MIT
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/version.hpp>

#include "release/documents.hpp"
#include "release/sha256.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRoot = "./";
constexpr std::string_view kDoiAddress = "https://doi.org/";

Json reference_to(const std::string& id) {
  return {{"@id", id}};
}

std::string id_of(const ReleaseCreator& creator, std::size_t i) {
  return creator.orcid.empty() ? fmt::format("#creator-{}", i + 1)
                               : "https://orcid.org/" + creator.orcid;
}

Json creator_json(const ReleaseCreator& creator, const std::string& id) {
  Json json{{"@id", id}, {"@type", creator.family.empty() ? "Organization" : "Person"}};
  json["name"] = creator.name();
  if (!creator.family.empty()) {
    json["familyName"] = creator.family;
    json["givenName"] = creator.given;
  }
  if (!creator.affiliation.empty()) json["affiliation"] = creator.affiliation;
  if (!creator.email.empty()) json["email"] = creator.email;
  return json;
}

/// The media type of a file, by its suffix.
const char* media_type(const fs::path& file) {
  const std::string suffix = file.extension().string();
  if (suffix == ".h5") return "application/x-hdf5";
  if (suffix == ".json" || file.filename() == kZenodoName) return "application/json";
  if (suffix == ".csv") return "text/csv";
  if (suffix == ".md") return "text/markdown";
  if (suffix == ".png") return "image/png";
  if (suffix == ".cff") return "application/yaml";
  if (suffix == ".sh") return "application/x-sh";
  return "text/plain";
}

/// What a file is, for people.
std::string description_of(const Contents& contents, const std::string& file) {
  for (const TableEntry& table : contents.tables) {
    const std::string game = game_name(table.info);
    if (file == table.file) return summary_of(table);
    if (file == table.certificate_file) return "What was proved of the table: " + game;
    if (file == table.bfile) return "OEIS b-file: " + game;
    if (file == table.csv)
      return (table.holds == Holding::kValues ? "Values as CSV: " : "As CSV: ") + game;
    if (file == table.figure) return "Picture: " + game;
  }
  if (file == kReadmeName) return "What the data set is, how it was made and proved";
  if (file == kLicenceName) return "The licence of the data set";
  if (file == kCitationName) return "How to cite the data set, in the Citation File Format";
  if (file == kZenodoName) return "What Zenodo reads of the data set";
  if (file == kSumsName) return "SHA-256 of all files";
  return "Checks the data set from its directory";
}

std::set<std::string> files_below(const fs::path& directory) {
  std::set<std::string> files{kSumsName};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().lexically_relative(directory).generic_string();
    if (!entry.is_directory() && name != kCrateName) files.insert(name);
  }
  return files;
}

Json file_json(const Contents& contents, const fs::path& directory, const std::string& file) {
  Json json{{"@id", file},
            {"@type", "File"},
            {"name", file},
            {"description", description_of(contents, file)},
            {"encodingFormat", media_type(file)}};
  // The sums come last, because they include the crate.
  if (file != kSumsName) json["contentSize"] = std::to_string(fs::file_size(directory / file));
  return json;
}

/// The computation of the tables as an action of a program.
Json making_json(const Contents& contents) {
  Json results = Json::array();
  for (const TableEntry& table : contents.tables) results.push_back(reference_to(table.file));
  return {{"@id", "#computation"},
          {"@type", "CreateAction"},
          {"name", "Computation of the tables"},
          {"instrument", reference_to("#grundy")},
          {"result", results}};
}

}  // namespace

std::string crate_text(const Contents& contents, const fs::path& directory) {
  const std::string licence(contents.licence.address);
  Json creators = Json::array();
  Json graph = Json::array();
  graph.push_back({{"@id", kCrateName},
                   {"@type", "CreativeWork"},
                   {"conformsTo", reference_to("https://w3id.org/ro/crate/1.1")},
                   {"about", reference_to(kRoot)}});
  for (std::size_t i = 0; i < contents.creators.size(); ++i) {
    creators.push_back(reference_to(id_of(contents.creators[i], i)));
  }
  const std::set<std::string> files = files_below(directory);
  Json parts = Json::array();
  for (const std::string& file : files) parts.push_back(reference_to(file));
  graph.push_back({{"@id", kRoot},
                   {"@type", "Dataset"},
                   {"name", contents.title},
                   {"description", summary_of(contents)},
                   {"datePublished", contents.date},
                   {"license", reference_to(licence)},
                   {"identifier", address_of_doi(contents.doi)},
                   {"keywords", keywords_of(contents)},
                   {"creator", creators},
                   {"mentions", reference_to("#computation")},
                   {"hasPart", parts}});
  for (std::size_t i = 0; i < contents.creators.size(); ++i) {
    graph.push_back(creator_json(contents.creators[i], id_of(contents.creators[i], i)));
  }
  graph.push_back({{"@id", licence},
                   {"@type", "CreativeWork"},
                   {"name", contents.licence.name},
                   {"identifier", contents.licence.id}});
  graph.push_back({{"@id", "#grundy"},
                   {"@type", "SoftwareApplication"},
                   {"name", "grundy"},
                   {"version", GRUNDY_VERSION}});
  graph.push_back(making_json(contents));
  for (const std::string& file : files) graph.push_back(file_json(contents, directory, file));
  const Json crate{{"@context", "https://w3id.org/ro/crate/1.1/context"}, {"@graph", graph}};
  return json_text(crate, JsonForm::kLines) + "\n";
}

std::string doi_of_crate(const std::string& crate) {
  try {
    const Json json = parse_json(crate);
    for (const Json& entity : json.at("@graph")) {
      if (entity.at("@id") != kRoot) continue;
      const std::string address = entity.at("identifier").get<std::string>();
      if (address.starts_with(kDoiAddress)) return address.substr(kDoiAddress.size());
    }
  } catch (const Json::exception&) {
  }
  throw Error(ErrorCode::kCorrupt, fmt::format("'{}' names no DOI", kCrateName));
}

std::string stamped_crate(const std::string& crate, const std::string& old_doi,
                          const std::string& doi, const fs::path& directory) {
  try {
    Json json = parse_json(stamped_text(crate, old_doi, doi));
    for (Json& entity : json.at("@graph")) {
      if (!entity.contains("contentSize")) continue;
      const std::string file = entity.at("@id").get<std::string>();
      entity["contentSize"] = std::to_string(fs::file_size(directory / file));
    }
    return json_text(json, JsonForm::kLines) + "\n";
  } catch (const Json::exception&) {
    throw Error(ErrorCode::kCorrupt, fmt::format("'{}' is no crate of a release", kCrateName));
  } catch (const fs::filesystem_error&) {
    throw Error(ErrorCode::kCorrupt,
                fmt::format("'{}' lists a file that is not there", kCrateName));
  }
}

}  // namespace grundy
