// SPDX-License-Identifier: MIT
#include "cli/computation.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/layout.hpp>

#include "cli/attended_run.hpp"
#include "cli/table_report.hpp"
#include "core/text.hpp"
#include "table/layout_text.hpp"

namespace grundy::cli {
namespace {

/// Prints values as they are found; with `json` it keeps them for the object at the end.
class PrintedValues {
 public:
  /// @param layout of a lattice table; null if the values are those of heaps
  PrintedValues(Console& console, bool only_purpose, const Layout* layout = nullptr)
      : console_(console), only_purpose_(only_purpose), layout_(layout) {}

  Flow put(const Stretch& block) {
    block.values.visit([&](auto values) {
      if (console_.json) {
        kept_.insert(kept_.end(), values.begin(), values.end());
        return;
      }
      fmt::memory_buffer lines;
      HeapSize heap = block.begin;
      for (const Nimber value : values) {
        if (layout_ == nullptr) {
          fmt::format_to(std::back_inserter(lines), FMT_STRING("{} {}\n"), heap++, value);
          continue;
        }
        const bool ends = (heap + 1) % layout_->planes == 0;
        const std::string position =
            heap % layout_->planes == 0 ? position_text(*layout_, heap, " ") : std::string();
        fmt::format_to(std::back_inserter(lines), FMT_STRING("{} {}{}"), position, value,
                       ends ? "\n" : "");
        ++heap;
      }
      console_.out().write({lines.data(), lines.size()});
    });
    return only_purpose_ && console_.out().closed() ? Flow::kStop : Flow::kContinue;
  }

  [[nodiscard]] const std::vector<Nimber>& kept() const noexcept { return kept_; }

 private:
  Console& console_;
  bool only_purpose_;
  const Layout* layout_;
  std::vector<Nimber> kept_;
};

/// @param values null if they are not printed
void print_report(Console& console, const std::string& output, const Report& report,
                  const std::vector<Nimber>* values) {
  const HeapSize count = report.info.stats.count;
  if (console.json) {
    Json json = table_json(report.info);
    json["complete"] = report.complete;
    json["threads"] = report.threads;
    if (console.team != nullptr) json["ranks"] = console.team->size();
    json["resumed_at"] = report.resumed_at;
    json["seconds"] = report.seconds;
    json["engine_seconds"] = report.engine_seconds;
    if (report.complete && !output.empty()) {
      json["file"] = output;
      json["file_bytes"] = report.file_bytes;
    }
    json["engines"] = Json::array();
    for (const EngineChoice& choice : report.engines) {
      json["engines"].push_back(
          {{"from", choice.from}, {"engine", choice.engine}, {"reason", choice.reason}});
    }
    if (report.statistics.sparse) json["sparse_space"] = sparse_json(*report.statistics.sparse);
    put_exception(json["period"], report.statistics);
    if (!report.statistics.milestones.empty()) {
      json["milestones"] = Json::array();
      for (const TableStats& stats : report.statistics.milestones) {
        json["milestones"].push_back(stats_json(stats));
      }
      json["zeros"] = report.statistics.zeros;
      if (report.statistics.sparse) json["rare_heaps"] = report.statistics.rare_heaps;
      json["tail"] = {{"first_heap", count - report.statistics.tail.size()},
                      {"values", report.statistics.tail}};
    }
    if (!report.info.stats.in_order()) {
      json["zeros"] = positions_json(report.info.layout, report.statistics.zeros);
    }
    if (values != nullptr) json["values"] = *values;
    console.print_json(json);
    return;
  }
  print_table(console, report.info);
  if (report.statistics.sparse) print_sparse(console, *report.statistics.sparse);
  print_exception(console, report.statistics);
  std::string time = fmt::format("{} on {} thread{}",
                                 format_duration(std::chrono::duration<double>(report.seconds)),
                                 report.threads, report.threads == 1 ? "" : "s");
  if (console.team != nullptr) time += fmt::format(" of each of {} ranks", console.team->size());
  if (count > report.resumed_at) {
    const auto fresh = static_cast<double>(count - report.resumed_at);
    time += fmt::format(
        ", {} values/s",
        format_count(static_cast<std::uint64_t>(fresh / std::max(report.seconds, 1e-9))));
  }
  console.field("time", time);
  if (report.complete && !output.empty()) {
    console.field("file", fmt::format("{}, {}", output, format_bytes(report.file_bytes)));
  }
}

}  // namespace

std::string stop_sentence(const Report& report, const char* unit, bool is_shared) {
  // Tiles on the diagonal of a sorted table are sealed with both of their sides.
  const HeapSize sealed = std::min<HeapSize>(report.sealed, report.wanted);
  const std::string done =
      fmt::format("stopped after {} of {} {}",
                  format_count(std::max<HeapSize>(report.info.stats.count, sealed)),
                  format_count(report.wanted), unit);
  if (sealed == 0) return done + "; no file was written";
  const std::string how =
      is_shared ? "the same command"
                : fmt::format("`grundy resume {}`", shell_word(report.run_directory.string()));
  return fmt::format("{}; {}: {} goes on", done, sealed_clause(sealed, unit), how);
}

int run_computation(Console& console, Request request, bool print) {
  const auto* const lattice = std::get_if<LatticeGame>(&request.game);
  std::optional<Layout> layout;
  if (lattice != nullptr) {
    layout = Layout::of(lattice->shape, lattice->rule.planes());
  }
  const char* const unit = layout ? "values" : "heaps";
  const std::string file = request.output.path.string();
  request.output.command_line = console.command_line;
  CheckpointControl control;
  AttendedRun run(console, unit, file.empty() ? nullptr : &control, !print);
  PrintedValues printed(console, file.empty(), layout ? &*layout : nullptr);
  Hooks hooks = run.hooks();
  if (print) hooks.values = [&printed](const Stretch& block) { return printed.put(block); };
  const Report report = compute(request, hooks);
  run.end();
  if (!console.is_first()) return report.complete ? 0 : kExitStopped;
  if (!report.complete) {
    if (console.out().closed() && !hooks.stop.stop_requested()) return 0;
    console.out().flush();
    // Statistics so far are a result. A run without a file has no other.
    const auto* const heaps = std::get_if<HeapGame>(&request.game);
    const bool stats_only = heaps != nullptr ? heaps->stats_only : lattice->stats_only;
    if (stats_only && report.info.stats.count > 0) print_report(console, file, report, nullptr);
    return console.fail(kExitStopped, stop_sentence(report, unit, console.team != nullptr));
  }
  if (print && !console.json) return 0;
  print_report(console, file, report, print ? &printed.kept() : nullptr);
  return 0;
}

}  // namespace grundy::cli
