// SPDX-License-Identifier: MIT
#include "release/contents.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "table/layout_text.hpp"

namespace grundy {
namespace {

constexpr std::array<Licence, 3> kLicences = {
    {{"CC0-1.0", "Creative Commons Zero v1.0 Universal",
      "https://creativecommons.org/publicdomain/zero/1.0/",
      "To the extent possible under law, the creators have waived all copyright and related or "
      "neighbouring rights to this data set. Values of games are facts: anybody may use them for "
      "any purpose, without asking. Good practice asks that they are cited."},
     {"CC-BY-4.0", "Creative Commons Attribution 4.0 International",
      "https://creativecommons.org/licenses/by/4.0/",
      "Anybody may share and adapt this data set for any purpose who gives appropriate credit, "
      "names this licence and says what was changed."},
     {"CC-BY-SA-4.0", "Creative Commons Attribution Share Alike 4.0 International",
      "https://creativecommons.org/licenses/by-sa/4.0/",
      "Anybody may share and adapt this data set for any purpose who gives appropriate credit, "
      "names this licence, says what was changed, and shares what is made from it under the same "
      "licence."}}};

/// Whether all of a list or some of it is proved, in words.
std::string list_proof_text(const TableEntry& table) {
  const Certificate& certificate = table.certificate;
  const std::string how = fmt::format("{}", fmt::join(certificate.methods, "; "));
  if (certificate.complete()) {
    return fmt::format("Every one of the {} {} was proved from the file alone ({}).",
                       format_count(certificate.count), table.unit, how);
  }
  if (!certificate.proved.empty()) {
    return fmt::format("Of the {} {}, {} were proved from the file alone ({}).",
                       format_count(certificate.count), table.unit, ranges_text(certificate.proved),
                       how);
  }
  return fmt::format("{}{} of {} {} were proved from the file alone, one by one ({}).",
                     table.unit == "games" ? "Random heaps of " : "", format_count(table.random),
                     format_count(certificate.count), table.unit, how);
}

/// The sentence without its full stop.
std::string_view without_stop(std::string_view sentence) {
  return sentence.ends_with('.') ? sentence.substr(0, sentence.size() - 1) : sentence;
}

}  // namespace

bool all_values(std::span<const TableEntry> tables) {
  return std::ranges::all_of(tables,
                             [](const TableEntry& t) { return t.holds == Holding::kValues; });
}

const Licence& licence_of(const std::string& id) {
  const auto found = std::ranges::find(kLicences, id, &Licence::id);
  if (found != kLicences.end()) return *found;
  std::vector<std::string_view> ids;
  for (const Licence& licence : kLicences) ids.push_back(licence.id);
  throw Error(ErrorCode::kUsage, fmt::format("{} is no licence for data that is known here: {}",
                                             in_quotes(id), fmt::join(ids, ", ")));
}

std::string game_name(const TableInfo& info) {
  return info.title == info.canonical ? info.title
                                      : fmt::format("{}, {}", info.title, info.canonical);
}

std::string_view subject_of(const TableEntry& table) {
  switch (table.holds) {
    case Holding::kPPositions:
      return "P-positions";
    case Holding::kCensus:
      return "Census";
    case Holding::kGenera:
      return "Misère nim-values and genera";
    default:
      return "Grundy values (nimbers)";
  }
}

std::string range_text(const TableEntry& table) {
  if (!table.range.empty()) return table.range;
  if (table.info.layout.is_lattice()) return shape_text(table.info.layout);
  const std::uint64_t count = table.info.stats.count;
  return table.unit == "heaps" ? fmt::format("heaps 0 to {}", format_count(count - 1))
                               : fmt::format("{} {}", format_count(count), table.unit);
}

std::string proof_text(const TableEntry& table) {
  if (table.holds != Holding::kValues) return list_proof_text(table);
  std::string text = fmt::format(
      "The stored values of {} conspicuous and {} random {} were proved from the definition, one "
      "by "
      "one.",
      format_count(table.conspicuous), format_count(table.random), table.unit);
  const Certificate& certificate = table.certificate;
  if (certificate.proved.empty()) return text;
  const std::string methods = fmt::format("{}", fmt::join(certificate.methods, "; "));
  if (certificate.complete()) {
    text +=
        fmt::format(" The value of every one of the {} {} was proved from the stored values ({})",
                    format_count(certificate.count), table.unit, methods);
  } else {
    text += fmt::format(" Those of {} {} were all proved from the stored values ({})", table.unit,
                        ranges_text(certificate.proved), methods);
  }
  if (certificate.periodic_from < certificate.count) {
    text += fmt::format("; from heap {} on they are those that the proved period gives",
                        format_count(certificate.periodic_from));
  }
  return text + ".";
}

std::string proof_of(std::span<const TableEntry> tables) {
  const auto whole = static_cast<std::size_t>(
      std::ranges::count_if(tables, [](const TableEntry& t) { return t.certificate.complete(); }));
  const std::string computed =
      all_values(tables) ? "Each value was proved when it was computed. " : "";
  if (whole == tables.size()) {
    return computed +
           "All that the tables say was proved from the files alone; each has a certificate";
  }
  if (whole == 0) {
    return computed +
           "What was proved from the files alone stands in the certificate of each table";
  }
  return fmt::format(
      "{}Of {} of the {} tables everything was proved from the file alone; what was proved of the "
      "others stands in their certificates",
      computed, whole, tables.size());
}

std::string play_of(std::span<const TableEntry> tables) {
  const PlayConvention play = tables.front().play;
  if (!std::ranges::all_of(tables, [&](const TableEntry& t) { return t.play == play; })) {
    return "Normal play (who cannot move loses) or misère play (who cannot move wins), as each "
           "table says";
  }
  switch (play) {
    case PlayConvention::kNormal:
      break;
    case PlayConvention::kMisere:
      if (tables.front().holds != Holding::kValues) return "Misère play: who cannot move wins";
      return "Misère play: who cannot move wins. Such values say who wins a position, and do not "
             "add up in sums";
    case PlayConvention::kBoth:
      return "Normal play: who cannot move loses. Beside its value a position has its misère "
             "value, "
             "for games in which who cannot move wins; misère values do not add up in sums";
  }
  return "Normal play: who cannot move loses";
}

std::string summary_of(const TableEntry& table) {
  std::string text = fmt::format(
      "{} of {}: {}. {}: {}.", subject_of(table), game_name(table.info), range_text(table),
      table.holds == Holding::kCensus ? "Rows" : "Moves", without_stop(table.info.description));
  if (table.info.period.status == PeriodStatus::kCertified) {
    text += fmt::format(" Period {}.", period_sentence(table.info.period));
  }
  return text;
}

std::string summary_of(const Contents& contents) {
  std::string text;
  for (const TableEntry& table : contents.tables) {
    text += fmt::format("{}{}", text.empty() ? "" : " ", summary_of(table));
  }
  return fmt::format("{} {}. {}. The data set can be checked from its directory alone.", text,
                     play_of(contents.tables), proof_of(contents.tables));
}

std::vector<std::string> keywords_of(const Contents& contents) {
  std::vector<std::string> words{"combinatorial game theory", "impartial games", "Grundy values",
                                 "nimbers", "Sprague-Grundy theory"};
  for (const TableEntry& table : contents.tables) {
    if (std::ranges::find(words, table.info.title) == words.end()) {
      words.push_back(table.info.title);
    }
  }
  return words;
}

std::string address_of_doi(std::string_view doi) {
  return fmt::format("https://doi.org/{}", doi);
}

std::string title_for(const std::vector<TableEntry>& tables) {
  constexpr std::size_t kNamed = 3;
  const char* const subject = all_values(tables) ? "Grundy values" : "Impartial games";
  if (tables.size() > kNamed) return fmt::format("{}: {} tables", subject, tables.size());
  std::vector<std::string> names;
  for (const TableEntry& table : tables) {
    names.push_back(fmt::format("{} ({})", table.info.title, range_text(table)));
  }
  if (!all_values(tables)) return fmt::format("{}", fmt::join(names, "; "));
  return fmt::format("{} of {}", subject, fmt::join(names, "; "));
}

}  // namespace grundy
