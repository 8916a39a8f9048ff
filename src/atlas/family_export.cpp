// SPDX-License-Identifier: MIT
#include "atlas/family_export.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "atlas/atlas_file.hpp"
#include "atlas/family_game.hpp"
#include "atlas/open_census.hpp"
#include "core/text.hpp"

namespace grundy::atlas {
namespace {

namespace fs = std::filesystem;

/// The number of rows that are read and written at a time.
constexpr std::uint64_t kRowsOfPiece = std::uint64_t{1} << 16;

[[noreturn]] void refuse_export(const std::string& why) {
  throw Error(ErrorCode::kUsage, why);
}

std::string census_head(const CensusKind& kind) {
  std::string head;
  for (const CensusColumn& column : kind.columns()) {
    if (column.numbers == 1 || is_digest(column)) {
      head += fmt::format("{}{}", head.empty() ? "" : ",", column.name);
      continue;
    }
    for (std::size_t i = 1; i <= column.numbers; ++i) {
      head += fmt::format("{}{}_{}", head.empty() ? "" : ",", column.axis, i);
    }
  }
  return head + '\n';
}

void append_numbers(const CensusColumn& column, std::span<const std::uint32_t> numbers,
                    fmt::memory_buffer& text) {
  if (is_digest(column)) {
    fmt::format_to(std::back_inserter(text), FMT_STRING("{:02x}"), fmt::join(numbers, ""));
  } else {
    fmt::format_to(std::back_inserter(text), FMT_STRING("{}"), fmt::join(numbers, ","));
  }
}

void append_row(const CensusKind& kind, std::span<const std::uint32_t> game,
                std::span<const std::uint32_t> facts, fmt::memory_buffer& text) {
  append_numbers(kind.columns().front(), game, text);
  for (const CensusColumn& column : std::span(kind.columns()).subspan(1)) {
    text.push_back(',');
    append_numbers(column, facts.first(column.numbers), text);
    facts = facts.subspan(column.numbers);
  }
  text.push_back('\n');
}

/// Calls append(i, rows, text) for row i of a piece, for all rows of a census in order up to
/// `count`, and writes the text.
template <class Append>
void write_rows(OpenCensus& file, std::uint64_t count, ByteOutput& out, Append append) {
  CensusCounter counter(file.kind());
  fmt::memory_buffer text;
  std::uint64_t done = 0;
  while (done < count && !out.closed()) {
    const CensusRows rows = file.reader().rows(done, std::min(kRowsOfPiece, count - done));
    counter.add(rows);
    text.clear();
    for (std::uint64_t i = 0; i < rows.count(); ++i) append(i, rows, text);
    out.write({text.data(), text.size()});
    done += rows.count();
  }
  if (done == file.kind().sets().sets()) {
    file.kind().compare_attributes(file.root(), counter.digest());
  }
}

/// Writes the periods of all sets of a census.
void write_periods(OpenCensus& file, std::uint64_t count, std::int64_t offset, ByteOutput& out) {
  if (file.kind().file_kind() != FileKind::kCensus) {
    refuse_export("a b-file has one number for each index; use csv for a census of rules");
  }
  check_offset(offset, count);
  out.write(fmt::format(
      "# Table of n, a(n): a(n) is the period of set n{} of {}, in colexicographic order\n",
      offset == 0 ? "" : fmt::format(" - ({})", offset), file.kind().family_text()));
  write_rows(file, count, out, [&](std::uint64_t i, const CensusRows& rows, auto& text) {
    const std::uint32_t period = rows.facts(i)[1];
    if (period == 0) {
      refuse_export("a b-file has a number for each index, and some sets have no period; use csv");
    }
    fmt::format_to(std::back_inserter(text), FMT_STRING("{} {}\n"), offset++, period);
  });
}

Exported export_census(const fs::path& path, ExportFormat format, const ExportOptions& options,
                       ByteOutput& out) {
  OpenCensus file(path);
  const std::uint64_t rows = file.kind().sets().sets();
  const std::uint64_t count = std::min(options.terms.value_or(rows), rows);
  if (format == ExportFormat::kBFile) {
    write_periods(file, count, options.offset, out);
    return {count, "terms"};
  }
  out.write(census_head(file.kind()));
  write_rows(file, count, out, [&](std::uint64_t i, const CensusRows& piece, auto& text) {
    append_row(file.kind(), piece.game(i), piece.facts(i), text);
  });
  return {count, "rows"};
}

std::string game_line(const AtlasClass& c, const FamilyGame& game) {
  std::string period = ",,";
  if (game.period.status != PeriodStatus::kNone) {
    period = fmt::format("{},{},{}", game.period.preperiod, game.period.period, game.period.saltus);
  }
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_text(game.code),
                     csv_text(game.class_code), game.shift, to_string(game.evidence),
                     game.evidence == AtlasEvidence::kObserved ? std::to_string(game.compared) : "",
                     to_string(game.period.status), period, game.values.size(),
                     game.values.empty() ? 0 : std::ranges::max(game.values),
                     csv_text(game.period.theorem), to_string(c.literature), csv_text(c.reference));
}

Exported export_games(const fs::path& path, ExportFormat format, const ExportOptions& options,
                      ByteOutput& out) {
  if (format == ExportFormat::kBFile) {
    refuse_export(
        "a b-file has one number for each index, and a family has many games; compute the game");
  }
  AtlasReader reader(path);
  const std::uint64_t count = std::min(options.terms.value_or(reader.games()), reader.games());
  out.write(
      "game,class,shift,evidence,compared,status,preperiod,period,saltus,values,maximum,theorem,"
      "literature,reference\n");
  std::uint64_t written = 0;
  std::vector<Nimber> values;
  for (std::size_t i = 0; i < reader.classes() && written < count && !out.closed(); ++i) {
    const AtlasClass c = reader.read(i, values);
    for (const AtlasMember& member : c.members) {
      if (written++ == count) break;
      out.write(game_line(c, game_of_class(c, member, values)));
    }
  }
  return {count, "games"};
}

}  // namespace

Exported export_family(const fs::path& path, ExportFormat format, const ExportOptions& options,
                       ByteOutput& out) {
  const bool is_bfile = format == ExportFormat::kBFile;
  if ((!is_bfile && format != ExportFormat::kCsv) ||
      options != ExportOptions{.offset = is_bfile ? options.offset : 0, .terms = options.terms}) {
    refuse_export(
        "families and censuses are exported as csv, sets also as bfile, whole or their first "
        "terms, and a b-file with an offset of the index");
  }
  return kind_of(path) == FileKind::kAtlas ? export_games(path, format, options, out)
                                           : export_census(path, format, options, out);
}

}  // namespace grundy::atlas
