// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/graph/file.hpp>
#include <grundy/statistics.hpp>
#include <grundy/table.hpp>

#include "cli/answers.hpp"
#include "cli/commands.hpp"
#include "cli/family_query.hpp"
#include "cli/genera_report.hpp"
#include "cli/graph_commands.hpp"
#include "cli/lattice_query.hpp"
#include "cli/outcomes_report.hpp"
#include "cli/p_positions_report.hpp"
#include "cli/run_options.hpp"
#include "core/text.hpp"
#include "session/recomputed_values.hpp"
#include "table/file_kind.hpp"

namespace grundy::cli {
namespace {

struct QueryOptions {
  std::string file;
  std::vector<std::string> heaps;
};

void write_value(HeapSize heap, std::uint64_t value, Answers& out) {
  fmt::memory_buffer text;
  if (out.as_json()) {
    fmt::format_to(std::back_inserter(text), FMT_STRING("{{\"heap\": {}, \"value\": {}}}"), heap,
                   value);
  } else {
    fmt::format_to(std::back_inserter(text), FMT_STRING("{} {}\n"), heap, value);
  }
  out.write({text.data(), text.size()});
}

/// The stored values of [first, end), chunk by chunk.
void write_stored(const TableReader& table, HeapSize first, HeapSize end, Answers& out) {
  std::vector<Nimber> values(std::min(table.chunk_size(), end - first));
  for (; first < end && !out.closed(); first += values.size()) {
    values.resize(std::min<HeapSize>(values.size(), end - first));
    table.read(first, values);
    for (std::size_t i = 0; i < values.size(); ++i) write_value(first + i, values[i], out);
  }
}

/// The values of a range: first the stored values, then those that follow from the period.
/// @throws Error(kUsage) at the first heap whose value is not known
void write_range(const TableReader& table, CountRange range, Answers& out) {
  const auto [first, last] = range;
  const HeapSize count = table.info().stats.count;
  const HeapSize stored = std::clamp(count, first, last < count ? last + 1 : count);
  if (first < stored) write_stored(table, first, stored, out);
  for (HeapSize n = std::max(first, stored); n <= last && !out.closed(); ++n) {
    write_value(n, table.value(n), out);
    if (n == last) break;  // 2^64-1 has no successor
  }
}

int run_query(Console& console, const QueryOptions& options) {
  const FileKind kind = kind_of(options.file);
  switch (kind) {
    case FileKind::kPositions:
      return query_graph(console, options.file, options.heaps);
    case FileKind::kPPositions:
      return query_list(console, options.file, options.heaps);
    case FileKind::kGenera:
      return query_genera(console, options.file, options.heaps);
    case FileKind::kOutcomes:
      return query_outcomes(console, options.file, options.heaps);
    case FileKind::kAtlas:
    case FileKind::kCensus:
    case FileKind::kRuleCensus:
      return query_family(console, options.file, options.heaps);
    default:
      break;  // a table, or statistics
  }
  const auto narrate = [&](const std::string& sentence) { console.note(sentence); };
  const auto table = kind == FileKind::kStatistics ? open_with_run(options.file, narrate)
                                                   : TableReader::open(options.file);
  if (table->info().layout.is_lattice()) return query_lattice(console, *table, options.heaps);
  Answers out(console);
  for (const std::string& text : options.heaps) {
    out.attempt([&] { write_range(*table, parse_range(text), out); });
  }
  return out.end();
}

}  // namespace

Command query_command(Console& console) {
  auto options = std::make_shared<QueryOptions>();
  Command command{.name = "query", .help = "Print values of a table, or what a file says of games"};
  command.add({
      {.names = "FILE",
       .target = &options->file,
       .help = "A table or list written by `grundy compute`, statistics with FILE.run beside them, "
               "from which values are computed again, a census, or a family of games",
       .required = true},
      {.names = "N",
       .target = &options->heaps,
       .help =
           "Heaps, or ranges a..b; with a proved period any heap up to 2^64-1. In a table or a "
           "list of several heaps: one position, heap by heap, each a number or a range. In a "
           "table of positions: positions as their game writes them; of a game that is not in "
           "the catalogue their keys, as `export` writes them. In a "
           "census or a family: games; in a family also heaps behind a game. Where a game has a "
           "pass, a position has two values: no pass left, pass left",
       .required = true},
  });
  command.footer = R"(Examples:
  grundy query kayles.h5 0 1 2 10^18
  grundy query kayles.h5 70..82
  grundy query cram.h5 ooo/oo.
  grundy query own_game.h5 0x3e9             # of a game that a C++ program has
  grundy query wythoff.h5 3 5
  grundy query wythoff.h5 10 0..20
  grundy query sets3.h5 'S{2,5,7}'           # of a census of subtraction sets
  grundy query rules.h5 '(1,2) + (2,3)'      # of one of rules, by their vectors
  grundy query hard.h5 0.07 70..73 10^18     # of a family of games
  grundy query misere-kayles.h5 5..9         # genus, kind and outcome, of misère play
)";
  command.run = [&console, options](const Command&) { return run_query(console, *options); };
  return command;
}

}  // namespace grundy::cli
