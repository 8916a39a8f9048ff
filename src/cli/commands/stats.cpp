// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/file_kind.hpp>
#include <grundy/statistics.hpp>

#include "atlas/game_row.hpp"
#include "cli/commands.hpp"
#include "cli/table_report.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "run/run_directory.hpp"
#include "session/table_statistics.hpp"
#include "session/value_source.hpp"
#include "verify/heap/state_check.hpp"

namespace grundy::cli {
namespace {

constexpr std::size_t kShownZeros = 20;
constexpr std::size_t kShownValues = 16;
constexpr std::size_t kShownRecords = 12;

/// Statistics and their game.
struct StatsSubject {
  std::string title, canonical, description;
  PeriodReport period;
  TableStatistics statistics;
};

StatsSubject subject_of(const StatisticsFile& file) {
  return {file.info.title, file.info.canonical, file.info.description, file.info.period,
          table_statistics(file)};
}

/// What a run without a table has found so far.
StatsSubject read_run_subject(const std::string& path) {
  const RunContents run = read_run(path);
  if (run.record && run.record->lattice && run.record->stats_only) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is a run of several heaps, whose statistics are told when it ends "
                            "or is stopped",
                            in_quotes(path)));
  }
  if (!keeps_states(run)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is no run that keeps statistics without a table, or it has not let "
                            "values go yet; `grundy info` says what is sealed",
                            in_quotes(path)));
  }
  return subject_of(statistics_of_states(path, run));
}

StatsSubject read_subject(const std::string& path) {
  if (std::filesystem::is_directory(path)) return read_run_subject(path);
  if (kind_of(path) == FileKind::kStatistics) return subject_of(read_statistics(path));
  const auto table = open_heap_table(path);
  const TableInfo& info = table->info();
  return {info.title, info.canonical, info.description, info.period, table_statistics(*table)};
}

/// log2 of the growth of the maximum from one power of two to the next: the local exponent.
double growth(const TableStats& before, const TableStats& after) {
  if (before.max_value == 0) return 0;
  return std::log2(static_cast<double>(after.max_value) / before.max_value);
}

/// Every power of two, with the heaps between it and the one before.
Json octaves_json(const TableStatistics& statistics) {
  Json list = Json::array();
  const auto& milestones = statistics.milestones;
  for (std::size_t k = 1; k < milestones.size(); ++k) {
    const TableStats& now = milestones[k];
    const TableStats& before = milestones[k - 1];
    const std::uint64_t zeros = now.zeros() - before.zeros();
    Json row = {
        {"below", now.count},
        {"maximum", now.max_value},
        {"first_maximum", now.argmax},
        {"growth", growth(before, now)},
        {"zeros", now.zeros()},
        {"new_zeros", zeros},
        {"p_density", static_cast<double>(zeros) / static_cast<double>(now.count - before.count)},
        {"digest", to_hex(now.digest)}};
    if (statistics.rare) row["rare"] = statistics.rare->below[k];
    list.push_back(std::move(row));
  }
  return list;
}

Json rare_json(const RareHeaps& rare) {
  Json json = sparse_json(rare.facts);
  json.erase("depth_at_most");
  json["largest_gap"] = rare.largest_gap;
  json["gap_after"] = rare.gap_after;
  return json;
}

void print_json(Console& console, const std::string& file, const StatsSubject& subject) {
  const TableStatistics& statistics = subject.statistics;
  Json json = {{"file", file},
               {"title", subject.title},
               {"notation", subject.canonical},
               {"moves", subject.description},
               {"first_heap", 0}};
  json.update(stats_json(statistics.whole));
  json["zeros"] = statistics.zeros;
  json["zeros_complete"] = statistics.zeros.size() == statistics.whole.zeros();
  put_last_zero(json, subject.period, statistics.last_zero);
  json["sparse"] = statistics.rare ? rare_json(*statistics.rare) : Json();
  json["powers_of_two"] = octaves_json(statistics);
  console.print_json(json);
}

/// The first heaps of value 0, and the last if it is known.
std::string zeros_text(const TableStatistics& statistics) {
  const std::vector<HeapSize>& zeros = statistics.zeros;
  const auto shown = std::min(zeros.size(), kShownZeros);
  std::string text = fmt::format("{}", fmt::join(zeros.begin(), zeros.begin() + shown, " "));
  if (statistics.whole.zeros() <= shown) return text;
  text += " ..";
  if (statistics.last_zero) text += fmt::format(" {}", *statistics.last_zero);
  return text;
}

/// The most frequent values.
std::string histogram_text(const TableStats& stats) {
  std::vector<Nimber> values;
  for (Nimber v = 0; v < stats.histogram.size(); ++v) {
    if (stats.histogram[v] > 0) values.push_back(v);
  }
  const auto shown = std::min(values.size(), kShownValues);
  std::ranges::partial_sort(
      values, values.begin() + static_cast<std::ptrdiff_t>(shown), [&](Nimber a, Nimber b) {
        return std::pair(stats.histogram[b], a) < std::pair(stats.histogram[a], b);
      });
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}{}: {}", i == 0 ? "" : "  ", values[i],
                        format_count(stats.histogram[values[i]]));
  }
  return text + (values.size() > shown ? "  .." : "");
}

std::string records_text(const TableStats& stats) {
  const auto skipped =
      stats.records.size() > kShownRecords ? stats.records.size() - kShownRecords : 0;
  std::string text = skipped > 0 ? ".. " : "";
  for (std::size_t i = skipped; i < stats.records.size(); ++i) {
    text += fmt::format("{}{} at {}", i == skipped ? "" : "  ", stats.records[i].value,
                        format_count(stats.records[i].entry));
  }
  return text + (stats.records_complete ? "" : "  (more are not listed)");
}

void print_rare(Console& console, const RareHeaps& rare) {
  const SparseFacts& facts = rare.facts;
  console.field("sparse space",
                fmt::format("mask {:#x}{}: {} rare heaps ({} with heap 0), the last {}", facts.mask,
                            facts.parity ? " and the heap's parity" : "", format_count(facts.rare),
                            format_count(facts.rare + 1), format_count(facts.last_rare)));
  if (rare.largest_gap > 0) {
    console.field("largest gap",
                  fmt::format("{} heaps, after rare heap {}", format_count(rare.largest_gap),
                              format_count(rare.gap_after)));
  }
}

void print_text(Console& console, const StatsSubject& subject) {
  const TableStatistics& statistics = subject.statistics;
  const TableStats& whole = statistics.whole;
  print_game(console, subject.title, subject.canonical, subject.description);
  console.field("heaps",
                fmt::format("0 to {} ({})", format_count(whole.count - 1), kIndexConvention));
  console.field("values", histogram_text(whole));
  console.field("maximum",
                fmt::format("{}, first at heap {}", whole.max_value, format_count(whole.argmax)));
  console.field("records", records_text(whole));
  console.field("P-positions",
                fmt::format("{}: {}", format_count(whole.zeros()), zeros_text(statistics)));
  print_last_zero(console, subject.period, whole.count, statistics.last_zero);
  if (statistics.rare) print_rare(console, *statistics.rare);
  console.print("\n  {:>5} {:>10} {:>16} {:>7} {:>14} {:>10} {:>14}\n", "below", "maximum",
                "first at", "growth", "P-positions", "density", "rare");
  for (const Json& row : octaves_json(statistics)) {
    console.print("  {:>5} {:>10} {:>16} {:>7.3f} {:>14} {:>10.3g} {:>14}\n",
                  fmt::format("2^{}", std::bit_width(row["below"].get<HeapSize>()) - 1),
                  row["maximum"].get<Nimber>(), row["first_maximum"].get<HeapSize>(),
                  row["growth"].get<double>(), row["zeros"].get<std::uint64_t>(),
                  row["p_density"].get<double>(),
                  row.contains("rare") ? json_text(row["rare"]) : std::string("-"));
  }
}

/// A row of a table of games.
void print_row(Console& console, const StatsSubject& subject) {
  const TableStatistics& statistics = subject.statistics;
  console.print(
      "{}{}", game_row_heading(),
      to_text({.code = subject.canonical,
               .period = subject.period,
               .stats = statistics.whole,
               .sparse = statistics.rare ? std::optional(statistics.rare->facts) : std::nullopt,
               .last_zero = statistics.last_zero}));
}

}  // namespace

Command stats_command(Console& console) {
  auto file = std::make_shared<std::string>();
  auto tsv = std::make_shared<bool>(false);
  Command command{.name = "stats", .help = "Statistics of a table at every power of two"};
  command.add(
      {{.names = "FILE",
        .target = file.get(),
        .help =
            "A table of one heap, or what `compute --stats-only` wrote: a file, or the directory "
            "FILE.run of a run at work",
        .required = true},
       {.names = "--tsv",
        .target = tsv.get(),
        .help = "One row for a table of games, like those of A. Flammenkamp, with its heading",
        .excludes = {"--json"}}});
  command.footer =
      R"(Histogram, records of the maximum, P-positions, and the rare heaps of the sparse space. For each
power of two: the maximum below it and where it is first; growth, the log2 of what the maximum grew by
since the power before; P-positions below it; their density since the power before; rare heaps. The
last zero is the largest heap of value 0, unless zeros recur with a proved period. A dash in the row of
--tsv is as in `grundy period --help`.

Examples:
  grundy stats kayles.h5
  grundy stats officers.h5 --json | jq .powers_of_two
  grundy stats kayles.h5 --tsv
  grundy compute .6 --to 2^24 --stats-only -o officers24.h5; grundy stats officers24.h5
)";
  command.run = [&console, file, tsv](const Command&) {
    const StatsSubject subject = read_subject(*file);
    if (*tsv) {
      print_row(console, subject);
    } else if (console.json) {
      print_json(console, *file, subject);
    } else {
      print_text(console, subject);
    }
    return 0;
  };
  return command;
}

}  // namespace grundy::cli
