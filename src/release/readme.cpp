/// @file
/// What people read in a release: its README and its licence.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/digest.hpp"
#include "core/text.hpp"
#include "release/documents.hpp"
#include "table/layout_text.hpp"

namespace grundy {
namespace {

/// A text of the provenance record; empty if the record does not have it.
std::string provenance_of(const TableEntry& table, const char* key) {
  if (!table.provenance.is_object() || !table.provenance.contains(key)) return {};
  const Json& value = table.provenance.at(key);
  return value.is_string() ? value.get<std::string>() : json_text(value);
}

/// Escapes the characters that have a meaning in Markdown.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

void add_line(std::string& text, const char* name, const std::string& value) {
  if (!value.empty()) text += fmt::format("- **{}:** {}\n", name, value);
}

/// What an index of the array of values means, for people.
std::string convention_of(const TableEntry& table) {
  if (table.unit == "games") {
    return "a group of `class` is a class, named after one of its games; `members_csv` lists all";
  }
  if (table.holds == Holding::kCensus) return "a row is a game; columns are arrays of the file";
  if (table.holds == Holding::kPPositions) {
    return fmt::format(
        "a row of `{}` is a P-position; all other positions are won by the player to "
        "move",
        table.dataset);
  }
  if (table.holds == Holding::kGenera) {
    return "entry n is about a heap of n tokens. Columns: `grundy`, the value in normal play; "
           "`misere`, "
           "the misère nim-value; `genus`, the number of a line of `genus_texts`, from 0 on; "
           "`kind`, 0 "
           "tame, 1 restive, 2 restless, 3 wild. Misère nim-values do not add up in sums, of which "
           "the "
           "genus says more (*Winning Ways*, ch. 13)";
  }
  if (table.unit == "heaps") return "entry n is a heap of n tokens; tables start at heap 0";
  if (table.unit == "positions") {
    return "row i is the position whose key is row i of `key`; `grundy query` reads positions";
  }
  return table.info.layout.sorted
             ? "one entry for each multiset of heaps; its index is the rank that "
               "`/lattice@ranking` defines"
             : "entry (x1, x2, ..) is the position with heaps of x1, x2, .. tokens, from 0 on";
}

/// How the values were computed.
std::string making_of(const TableEntry& table) {
  const TableInfo& info = table.info;
  std::string text = info.engine.empty()
                         ? "by the program"
                         : fmt::format("engine `{}`, kernel `{}`", info.engine, info.kernel);
  if (info.computed < info.stats.count) {
    text += fmt::format(
        ", which computed heaps 0 to {}; the values of later heaps follow from the proved period",
        format_count(info.computed - 1));
  }
  const std::string version = provenance_of(table, "version");
  if (version.empty()) return text;
  text += fmt::format("; grundy {}", version);
  for (const auto& [key, form] : {std::pair{"commit", " ({})"}, std::pair{"compiler", ", {}"},
                                  std::pair{"threads", ", {} threads"}, std::pair{"cpu", " of {}"},
                                  std::pair{"ended", ", finished {}"}}) {
    if (const std::string value = provenance_of(table, key); !value.empty()) {
      text += key == std::string_view("threads") && value == "1"
                  ? ", 1 thread"
                  : fmt::format(fmt::runtime(form), value);
    }
  }
  if (table.provenance.contains("seconds") && table.provenance.at("seconds").is_number()) {
    const std::chrono::duration<double> time(table.provenance.at("seconds").get<double>());
    text += fmt::format(", after {}", format_duration(time));
  }
  return text;
}

std::string largest_of(const TableEntry& table) {
  const TableInfo& info = table.info;
  if (table.unit == "positions") return std::to_string(info.stats.max_value);
  return fmt::format("{}, first at {}", info.stats.max_value,
                     info.layout.is_lattice()
                         ? fmt::format("({})", position_text(info.layout, info.stats.argmax, ","))
                         : fmt::format("heap {}", format_count(info.stats.argmax)));
}

/// The entries in the extracts of a file.
std::string listed_text(const TableEntry& table) {
  const std::string listed = format_count(table.listed);
  if (table.listed == table.info.stats.count) return fmt::format("all {} {}", listed, table.unit);
  return fmt::format("the first {} of {} {}", listed, format_count(table.info.stats.count),
                     table.unit);
}

/// The files that were written besides a list.
std::string list_extracts(const TableEntry& table) {
  std::string text;
  if (table.holds == Holding::kGenera) {
    add_line(text, "As text",
             fmt::format("[{0}]({0}) has value, misère nim-value, genus, kind and outcome of {1}",
                         table.csv, listed_text(table)));
    add_line(text, "As OEIS b-file",
             fmt::format("[{0}]({0}) has their misère nim-values", table.bfile));
    return text;
  }
  add_line(text, "As text",
           fmt::format("[{0}]({0}) has {1}", table.csv,
                       table.unit == "games" ? "a row for each class"
                       : table.holds == Holding::kCensus
                           ? "counts of rows, by the largest number that names a game"
                           : "all P-positions"));
  if (!table.bfile.empty()) {
    add_line(text, "As OEIS b-file",
             fmt::format("[{0}]({0}); its first line says what it counts", table.bfile));
  }
  return text;
}

/// The files that were written besides a table, and those that are missing.
std::string extracts_of(const TableEntry& table) {
  const std::string name = table.file;
  const bool lists = table.holds == Holding::kPPositions;
  const char* const script = lists                            ? "plot_p_positions.py"
                             : table.info.layout.is_lattice() ? "plot_lattice.py"
                                                              : "plot_table.py";
  std::string text;
  if (!table.csv.empty() && table.holds != Holding::kValues) {
    text += list_extracts(table);
  } else if (!table.csv.empty()) {
    const std::string which = listed_text(table);
    add_line(text, "As text",
             table.bfile.empty()
                 ? fmt::format("[{0}]({0}) has {1}", table.csv, which)
                 : fmt::format("[{0}]({0}) and, in the form of OEIS b-files, [{1}]({1}) have {2}",
                               table.csv, table.bfile, which));
  } else {
    add_line(text, "As text",
             fmt::format(
                 "`grundy export {} --format csv` writes all {}", name,
                 lists ? "P-positions"
                       : fmt::format("{} {}", format_count(table.info.stats.count), table.unit)));
  }
  if (!table.figure.empty()) {
    text += fmt::format("\n![{}: {}]({})\n", escaped(game_name(table.info)), range_text(table),
                        table.figure);
  } else if (lists || (table.holds == Holding::kValues && table.unit != "positions")) {
    add_line(text, "Picture",
             fmt::format("`{} {}`, a script of the program, draws it", script, name));
  }
  return text;
}

/// What the tables hold, each subject once.
std::vector<std::string_view> subjects_of(const std::vector<TableEntry>& tables) {
  std::vector<std::string_view> subjects;
  for (const TableEntry& table : tables) {
    const std::string_view subject = subject_of(table);
    if (std::ranges::find(subjects, subject) == subjects.end()) subjects.push_back(subject);
  }
  return subjects;
}

/// The game, and the file where another table is about the same game.
std::string heading_of(const TableEntry& table, const std::vector<TableEntry>& tables) {
  const std::string name = game_name(table.info);
  const bool is_alone = std::ranges::count_if(tables, [&](const TableEntry& t) {
                          return game_name(t.info) == name;
                        }) == 1;
  return escaped(is_alone ? name : fmt::format("{} ({})", name, table.name));
}

std::string section_of(const TableEntry& table, const std::vector<TableEntry>& tables) {
  const TableInfo& info = table.info;
  std::string text = fmt::format("## {}\n\n", heading_of(table, tables));
  add_line(text, "File", fmt::format("[{0}]({0})", table.file));
  const bool is_census = table.holds == Holding::kCensus;
  const bool has_notation = table.unit != "games";
  add_line(text, is_census ? "Rows" : "Moves", escaped(info.description));
  if (has_notation) {
    add_line(text, is_census ? "Family" : "Rule",
             fmt::format("`{}`, in the notation of the program", info.canonical));
  }
  add_line(text, "Play", play_of({&table, 1}));
  add_line(text, "Convention", convention_of(table));
  add_line(text, "Range", range_text(table));
  add_line(text, "Genera", table.genera);
  add_line(text, "Reference", escaped(info.reference));
  const bool has_values = table.holds == Holding::kValues;
  if (has_values) add_line(text, "Largest value", largest_of(table));
  if (has_values && table.unit == "heaps") {
    add_line(text, "Period", period_sentence(info.period));
    add_line(text, "Proof of the period", info.period.theorem);
  }
  add_line(text, "How it was made", making_of(table));
  add_line(text, "How it was proved",
           fmt::format("{}{} [Certificate]({})",
                       has_values ? "the program proves every value while it computes it. " : "",
                       proof_text(table), table.certificate_file));
  add_line(text, has_values ? "Digest of the values" : "Digest of its rows",
           fmt::format("XXH3-128 `{}`, defined in the file", to_hex(info.stats.digest)));
  return text + extracts_of(table);
}

/// The rows of the list of files for what was made from the tables.
std::string rows_of_extracts(std::span<const TableEntry> tables) {
  std::string text;
  const auto add = [&](std::string TableEntry::*file, const char* row) {
    const auto has_file = [&](const TableEntry& table) { return !(table.*file).empty(); };
    if (std::ranges::any_of(tables, has_file)) text += row;
  };
  add(&TableEntry::csv, "| `csv/` | extracts of the tables as text |\n");
  add(&TableEntry::bfile, "| `b-files/` | extracts in the form of OEIS b-files |\n");
  add(&TableEntry::figure, "| `figures/` | pictures of the tables |\n");
  return text;
}

}  // namespace

std::string readme_text(const Contents& contents) {
  std::vector<std::string> names;
  for (const ReleaseCreator& creator : contents.creators) names.push_back(escaped(creator.name()));
  const std::string title = escaped(contents.title);
  const std::string year = contents.date.substr(0, 4);
  std::string text = fmt::format(
      "# {}\n\n{}, {}. <{}>\n\n{} of impartial games. {}. The tables are HDF5 "
      "files. {}; this directory has all that is needed to check it.\n\n",
      title, fmt::join(names, "; "), year, address_of_doi(contents.doi),
      fmt::join(subjects_of(contents.tables), ", "), play_of(contents.tables),
      proof_of(contents.tables));
  text += "| table | game | entries | digest |\n|---|---|---|---|\n";
  for (const TableEntry& table : contents.tables) {
    text += fmt::format("| [{0}]({0}) | {1} | {2} | `{3}` |\n", table.file,
                        escaped(game_name(table.info)), range_text(table),
                        to_hex(table.info.stats.digest));
  }
  for (const TableEntry& table : contents.tables) {
    text += "\n" + section_of(table, contents.tables);
  }
  const TableEntry& first = contents.tables.front();
  text +=
      fmt::format(R"(
## Opening the tables

The tables are HDF5 files with the attributes of ACDD 1.3; every HDF5 library reads them. In Python:

    import h5py
    values = h5py.File("{0}")["{8}"][:]

With the program: `grundy info {0}` and `grundy query {0} …`.

## Checking the data set

    sh verify.sh            # all sums, the content of each table, random entries, the certificates
    sh verify.sh --prove    # also proves again, from the tables alone, what the certificates state

The script needs this directory, `sha256sum` or `shasum`, and the command `grundy` (in PATH, or named by the
variable GRUNDY). Without the command, `sha256sum -c SHA256SUMS` checks that the files are those that were released.

## Files

| file | what it is |
|---|---|
| `tables/` | the tables |
| `certificates/` | what was proved of each table from the table alone, and how |
{9}| `CITATION.cff`, `.zenodo.json`, `ro-crate-metadata.json` | the same facts for programs: Citation File Format 1.2.0, Zenodo, RO-Crate 1.1 |
| `SHA256SUMS`, `verify.sh` | sums of all files, and the script that checks everything |
| `LICENSE` | the licence of the data set |

## Licence and citation

[{2}]({3}): {1}

Cite: {4} ({5}). *{6}*. Data set. <{7}>
)",
                  first.file, contents.licence.grant, contents.licence.id, contents.licence.address,
                  fmt::join(names, "; "), year, title, address_of_doi(contents.doi), first.dataset,
                  rows_of_extracts(contents.tables));
  return text;
}

std::string licence_text(const Contents& contents) {
  return fmt::format(
      "{}\n\nThis data set is under {}.\nSPDX-License-Identifier: {}\n\n{}\n\nThe text of the "
      "licence: {}legalcode\n",
      contents.title, contents.licence.name, contents.licence.id, contents.licence.grant,
      contents.licence.address);
}

}  // namespace grundy
