/// @file
/// A release is made in steps: the request is checked; tables are proved, copied and get their
/// attributes; extracts and pictures are made; documents are written; all files are summed. Then
/// the directory gets its name.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <ctime>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/release.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>
#include <grundy/verify.hpp>

#include "core/advice.hpp"
#include "core/atomic_directory.hpp"
#include "core/atomic_file.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "release/contents.hpp"
#include "release/documents.hpp"
#include "release/lists.hpp"
#include "release/released.hpp"
#include "release/sha256.hpp"
#include "release/table_proof.hpp"
#include "session/machine.hpp"
#include "session/stored_graph.hpp"
#include "table/export.hpp"
#include "table/file_kind.hpp"
#include "table/table_of_parts.hpp"

namespace grundy {
namespace {

namespace fs = std::filesystem;

/// The name of the files of a table, without a suffix. Every file system and every shell accepts
/// letters, digits, `.`, `_` and `-`; all other characters become `_`.
std::string name_of(const fs::path& table) {
  std::string name = table.stem().string();
  for (char& c : name) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '.' || c == '_' || c == '-';
    if (!plain) c = '_';
  }
  if (name.starts_with('.') || name.starts_with('-')) name[0] = '_';
  return name;
}

/// Refuses tables that cannot be part of a data set.
void check_table(const fs::path& table) {
  if (fs::is_directory(table)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is a directory; a run is released when its table is finished",
                            table.string()));
  }
  const FileKind kind = kind_of(table);
  if (kind == FileKind::kStatistics || kind == FileKind::kLatticeStatistics) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' holds statistics without values, which nobody could verify from "
                            "the release alone; release a table",
                            table.string()));
  }
  if (is_table_of_parts(table)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("'{}' is a table in parts, and a release has tables of one file: {}",
                            table.string(), kMergeParts));
  }
  if (kind != FileKind::kTable && kind != FileKind::kPositions && !is_list(kind)) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("'{}' is {}, and a release has tables of values or of misère play, lists "
                    "of P-positions, censuses and families of games",
                    table.string(), format_of(kind).what));
  }
  if (kind != FileKind::kPositions && kind != FileKind::kPPositions) return;
  const std::string game = kind == FileKind::kPPositions
                               ? read_p_positions(table, memory_available()).info.game
                               : stored_info(table).game;
  const std::string on = game.substr(std::min(game.find(':') + 1, game.size()));
  if (std::error_code error; fs::is_regular_file(on, error)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("the game of '{}' is played on the file '{}', without which nobody "
                            "could verify the release",
                            table.string(), on));
  }
}

/// Refuses what cannot be done. Who forgot the creator hears of wrong files first.
void check_request(const ReleaseRequest& request) {
  if (request.tables.empty()) throw Error(ErrorCode::kUsage, "there is no table to release");
  if (!(request.seconds >= 0)) throw Error(ErrorCode::kUsage, "the time for proofs is less than 0");
  if (!request.doi.empty()) check_doi(request.doi);
  std::set<std::string> names;
  for (const fs::path& table : request.tables) {
    if (!names.insert(name_of(table)).second) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("two tables would have the name '{}.h5' in the release; rename one",
                              name_of(table)));
    }
  }
  for (const fs::path& table : request.tables) check_table(table);
  if (request.creators.empty()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("a data set is cited by who made it: {}", kNameCreator));
  }
  if (request.force) check_replaceable(request.directory);
}

class Release {
 public:
  Release(const ReleaseRequest& request, const Hooks& hooks)
      : request_(request),
        hooks_(hooks),
        directory_(request.directory, request.force),
        contents_{.title = request.title,
                  .doi = request.doi.empty() ? std::string(kDoiPlaceholder) : request.doi,
                  .date = utc_text(source_date().value_or(std::time(nullptr))).substr(0, 10),
                  .licence = licence_of(request.licence),
                  .creators = request.creators,
                  .tables = {}} {}

  /// Fills the directory. False: it was stopped.
  bool fill() {
    for (const char* name : {"tables", "certificates", "csv", "b-files", "figures"}) {
      fs::create_directory(root() / name);
    }
    for (const fs::path& table : request_.tables) {
      if (!add(table)) return false;
    }
    if (contents_.title.empty()) contents_.title = title_for(contents_.tables);
    for (std::size_t i = 0; i < request_.tables.size(); ++i) {
      if (hooks_.stop.stop_requested()) return false;
      copy(request_.tables[i], contents_.tables[i]);
    }
    for (const char* name : {"csv", "b-files", "figures"}) {
      if (fs::is_empty(root() / name)) fs::remove(root() / name);
    }
    write_documents();
    return !hooks_.stop.stop_requested();
  }

  ReleaseReport publish() {
    directory_.publish();
    ReleaseReport report = report_of(request_.directory, contents_.doi);
    report.undrawn = undrawn_;
    return report;
  }

 private:
  [[nodiscard]] const fs::path& root() const { return directory_.path(); }
  void write(const std::string& name, const std::string& text) const {
    write_whole_file(root() / name, false, text);
  }

  /// Proves a table and adds its entry. False: it was stopped.
  bool add(const fs::path& path) {
    const bool lists = is_list(kind_of(path));
    auto proved = lists ? prove_list(path, request_, hooks_) : proved_table(path);
    if (!proved) return false;
    TableEntry& table = *proved;
    table.name = name_of(path);
    table.file = fmt::format("tables/{}.h5", table.name);
    table.certificate_file = fmt::format("certificates/{}.json", table.name);
    write(table.certificate_file, table.certificate.to_json());
    if (lists) {
      extract_list(path, request_, root(), table);
    } else {
      extract(path, table);
    }
    const bool is_drawn = table.holds == Holding::kPPositions ||
                          (table.holds == Holding::kValues && table.unit != "positions");
    if (request_.draw && is_drawn) {
      const std::string picture = fmt::format("figures/{}.png", table.name);
      if (request_.draw(table.info, path, root() / picture)) {
        table.figure = picture;
      } else {
        undrawn_.push_back(table.file);
      }
    }
    contents_.tables.push_back(std::move(table));
    return !hooks_.stop.stop_requested();
  }

  [[nodiscard]] std::optional<TableEntry> proved_table(const fs::path& path) const {
    auto proof = prove_table(path, request_, hooks_);
    if (!proof) return std::nullopt;
    VerifyReport& report = proof->report;
    TableEntry table;
    table.unit = report.unit;
    table.conspicuous = report.conspicuous;
    table.random = report.random;
    table.certificate = std::move(proof->certificate);
    table.info = std::move(report.info);
    table.provenance = json_or_text(table.info.provenance_json);
    if (table.info.is_misere()) {
      table.play = PlayConvention::kMisere;
    } else if (table.unit == "positions" && has_misere_values(path)) {
      table.play = PlayConvention::kBoth;
    }
    return table;
  }

  /// Writes the first values as text.
  void extract(const fs::path& path, TableEntry& table) const {
    const std::uint64_t count = table.info.stats.count;
    table.listed = std::min(count, request_.entries);
    if (table.listed == 0) return;
    if (table.unit == "positions") {
      if (count > request_.entries) return;
      const GraphFile graph = read_stored_graph(path, memory_available());
      const auto game = required_game(game_of(graph, path), graph.info, path);
      table.csv = fmt::format("csv/{}.csv", table.name);
      ByteOutput out = ByteOutput::file(root() / table.csv, false);
      export_graph(graph, game.get(), nullptr, ExportFormat::kCsv, out);
      out.commit();
      return;
    }
    const auto reader = TableReader::open(path);
    const ExportOptions options{.terms = table.listed};
    const auto put = [&](ExportFormat format, const std::string& name) {
      ByteOutput out = ByteOutput::file(root() / name, false);
      export_table(*reader, format, options, out);
      out.commit();
      return name;
    };
    table.csv = put(ExportFormat::kCsv, fmt::format("csv/{}.csv", table.name));
    if (table.info.layout.is_lattice()) return;
    table.bfile = put(ExportFormat::kBFile, fmt::format("b-files/{}.txt", table.name));
  }

  /// Copies a table, gives it its attributes, and reads it back.
  void copy(const fs::path& path, const TableEntry& table) const {
    const fs::path target = root() / table.file;
    fs::copy_file(path, target);
    fs::permissions(target, fs::perms::owner_write, fs::perm_options::add);
    reseal_with(target, acdd_texts(contents_, table));
    check_values(target, table.info.stats.digest);
  }

  void write_documents() const {
    write(kReadmeName, readme_text(contents_));
    write(kLicenceName, licence_text(contents_));
    write(kCitationName, citation_text(contents_));
    write(kZenodoName, zenodo_text(contents_));
    write(kScriptName, verify_script(contents_));
    fs::permissions(root() / kScriptName,
                    fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
    write(kCrateName, crate_text(contents_, root()));
    write(kSumsName, to_text(sums_of(root())));
  }

  const ReleaseRequest& request_;
  const Hooks& hooks_;
  AtomicDirectory directory_;
  Contents contents_;
  std::vector<std::string> undrawn_;
};

}  // namespace

ReleaseReport make_release(const ReleaseRequest& request, const Hooks& hooks) try {
  check_request(request);
  Release release(request, hooks);
  if (!release.fill()) return {};
  return release.publish();
} catch (const fs::filesystem_error& error) {
  fail_at(request.directory, error);
}

}  // namespace grundy
