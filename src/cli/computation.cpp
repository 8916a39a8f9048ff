// SPDX-License-Identifier: MIT
#include "cli/computation.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <stop_token>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/lattice/layout.hpp>

#include "cli/progress_bar.hpp"
#include "cli/stop_signals.hpp"
#include "cli/table_report.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

/// Prints values as they are found; with `json` it keeps them for the object at the end.
class PrintedValues final : public BlockSink {
 public:
  /// @param layout of a lattice table; null if the values are those of heaps
  PrintedValues(Console& console, bool only_purpose, const LatticeLayout* layout = nullptr)
      : console_(console), only_purpose_(only_purpose), layout_(layout) {}

  Flow put(const Block& block) override {
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
  const LatticeLayout* layout_;
  std::vector<Nimber> kept_;
};

/// @param values null if they are not to be printed
void print_report(Console& console, const std::string& output, const ComputeReport& report,
                  const std::vector<Nimber>* values) {
  const HeapSize count = report.info.stats.count;
  if (console.json) {
    Json json = table_json(report.info);
    json["threads"] = report.threads;
    json["seconds"] = report.seconds;
    json["engine_seconds"] = report.engine_seconds;
    if (!output.empty()) {
      json["file"] = output;
      json["file_bytes"] = report.file_bytes;
    }
    json["engines"] = Json::array();
    for (const EngineChoice& choice : report.engines) {
      json["engines"].push_back(
          {{"from", choice.from}, {"engine", choice.engine}, {"reason", choice.reason}});
    }
    if (report.sparse) json["sparse_space"] = sparse_json(*report.sparse);
    if (!report.milestones.empty()) {
      json["milestones"] = Json::array();
      for (const TableStats& stats : report.milestones) {
        json["milestones"].push_back(stats_json(stats));
      }
      json["zeros"] = report.zeros;
      if (report.sparse) json["rare_heaps"] = report.rare_heaps;
      json["tail"] = {{"first_heap", count - report.tail.size()}, {"values", report.tail}};
    }
    if (values != nullptr) json["values"] = *values;
    console.print_json(json);
    return;
  }
  print_table(console, report.info);
  if (report.sparse) print_sparse(console, *report.sparse);
  const auto rate = static_cast<std::uint64_t>(static_cast<double>(count) / report.seconds);
  console.field("time",
                fmt::format("{} on {} thread{}, {} values/s",
                            format_duration(std::chrono::duration<double>(report.seconds)),
                            report.threads, report.threads == 1 ? "" : "s", format_count(rate)));
  if (!output.empty()) {
    console.field("file", fmt::format("{}, {}", output, format_bytes(report.file_bytes)));
  }
}

std::string sealed_clause(std::uint64_t sealed, std::string_view unit) {
  return unit == "heaps" ? fmt::format("heaps below {} are sealed", format_count(sealed))
                         : fmt::format("{} {} are sealed", format_count(sealed), unit);
}

/// What there is to say of a run that was stopped.
std::string stop_sentence(const ComputeReport& report, std::uint64_t count, const char* unit) {
  const std::string done =
      fmt::format("stopped after {} of {} {}",
                  format_count(std::max<HeapSize>(report.info.stats.count, report.sealed)),
                  format_count(count), unit);
  if (report.sealed == 0) return done + "; no file was written";
  return fmt::format("{}; {}: `grundy resume {}` goes on", done, sealed_clause(report.sealed, unit),
                     report.run_directory.string());
}

ComputeReport start(const ComputeRequest& request, std::stop_token stop, ProgressSink* progress,
                    BlockSink* values, const std::function<void(const std::string&)>& narrate,
                    CheckpointControl& control) {
  return compute(request, std::move(stop), progress, values, narrate, &control);
}

ComputeReport start(const LatticeRequest& request, std::stop_token stop, ProgressSink* progress,
                    BlockSink* values, const std::function<void(const std::string&)>& narrate,
                    CheckpointControl& control) {
  return compute(request, std::move(stop), progress, values, narrate, &control);
}

/// @param count what would be complete, @param unit what is counted, @param layout if of a lattice
template <class Request>
int run_request(Console& console, Request request, bool print, std::uint64_t count,
                const char* unit, const LatticeLayout* layout) {
  request.command_line = console.command_line;
  CheckpointControl control;
  ProgressBar bar(console.quiet || print, unit, &control);
  const auto narrate = [&](const std::string& sentence) {
    bar.clear();
    console.note(sentence);
  };
  const auto seal_now = [&] {
    if (request.output.empty()) return;  // nothing is sealed
    control.request_seal();
    narrate("sealing what is finished at the end of this block");
  };
  const auto tell_status = [&] {
    bar.clear();
    const HeapSize sealed = control.sealed();
    write_error_line(sealed == 0
                         ? bar.status()
                         : fmt::format("{}; {}", bar.status(), sealed_clause(sealed, unit)));
  };
  const StopSignals signals([&] { narrate(kStopping); }, seal_now, tell_status);
  PrintedValues printed(console, request.output.empty(), layout);
  const ComputeReport report =
      start(request, signals.token(), &bar, print ? &printed : nullptr, narrate, control);
  bar.clear();
  if (!report.complete) {
    if (console.out().closed()) return 0;
    console.out().flush();
    write_error_line(stop_sentence(report, count, unit));
    return kExitStopped;
  }
  if (print && !console.json) return 0;
  print_report(console, request.output.string(), report, print ? &printed.kept() : nullptr);
  return 0;
}

}  // namespace

int run_computation(Console& console, const ComputeRequest& request, bool print) {
  return run_request(console, request, print, request.last + 1, "heaps", nullptr);
}

int run_computation(Console& console, const LatticeRequest& request, bool print) {
  const LatticeLayout layout{.shape = request.shape, .planes = request.rule.planes()};
  return run_request(console, request, print, layout.entries(), "values", &layout);
}

}  // namespace grundy::cli
