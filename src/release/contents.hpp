/// @file
/// The contents of a release, from which its documents are made.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <grundy/release.hpp>
#include <grundy/verify.hpp>

#include "core/json.hpp"

namespace grundy {

/// A licence for data.
struct Licence {
  std::string_view id;  ///< SPDX
  std::string_view name;
  std::string_view address;  ///< of its text
  std::string_view grant;    ///< what it allows and asks for, in sentences
};

/// The licence of an SPDX identifier. @throws Error(kUsage) that lists those there are
const Licence& licence_of(const std::string& id);

/// Who wins when no move is left.
enum class PlayConvention { kNormal, kMisere, kBoth };

/// What a file of a release holds.
enum class Holding {
  kValues,      ///< Grundy values, of heaps or positions
  kPPositions,  ///< P-positions alone
  kCensus,      ///< a row for each game of a family
  kGenera,      ///< values and genera of heaps in misère play
};

/// A file of a release, and the files that were made from it. Names are relative to the directory.
struct TableEntry {
  std::string name;  ///< name of its files, without a suffix
  std::string file;
  Holding holds = Holding::kValues;
  TableInfo info;                           ///< empty where a list has no such field
  std::string unit;                         ///< `heaps`, `entries`, `positions` or `rows`
  PlayConvention play{};                    ///< of the values
  std::string range{}, dataset = "grundy";  ///< for a list: what it holds, and its dataset
  std::string genera{};                     ///< for misère play of one heap: the number of genera
  Json provenance;                          ///< null if the file has none
  std::uint64_t conspicuous = 0, random = 0;  ///< entries that were proved one by one
  Certificate certificate;
  std::string certificate_file;
  std::string bfile, csv, figure;  ///< empty if there is no such file
  std::uint64_t listed = 0;        ///< entries in the b-file and the CSV file
};

struct Contents {
  std::string title;
  std::string doi;
  std::string date;  ///< of the release: 2026-01-31
  Licence licence;
  std::vector<ReleaseCreator> creators;
  std::vector<TableEntry> tables;
};

/// Whether all tables hold values.
bool all_values(std::span<const TableEntry> tables);
/// `Kayles, 0.77`.
std::string game_name(const TableInfo& info);
/// The entries of a table: `heaps 0 to 1 000`, `1024 x 1024: 1 048 576 positions`; for a list,
/// their number: `783 P-positions of 1024 x 1024: 1 048 576 positions`.
std::string range_text(const TableEntry& table);
/// `Grundy values (nimbers)`, `P-positions`, `Census`: what a file holds of its game.
std::string_view subject_of(const TableEntry& table);
/// What was proved of the values since they were computed, in a sentence or two.
std::string proof_text(const TableEntry& table);
/// How much is proved, in a sentence or two without the last full stop: values while they were
/// computed, and of each table what its certificate states.
std::string proof_of(std::span<const TableEntry> tables);
/// Who wins in the games of all tables, as a sentence without a full stop; it says so if this
/// differs from table to table.
std::string play_of(std::span<const TableEntry> tables);
/// One sentence on what a table holds.
std::string summary_of(const TableEntry& table);
/// One paragraph on what the release holds.
std::string summary_of(const Contents& contents);
/// Keywords: words of the field, and the games.
std::vector<std::string> keywords_of(const Contents& contents);
/// `https://doi.org/...`.
std::string address_of_doi(std::string_view doi);
/// A title for tables without a title.
std::string title_for(const std::vector<TableEntry>& tables);

}  // namespace grundy
