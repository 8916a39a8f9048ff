// SPDX-License-Identifier: MIT
#include "cli/genera_report.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <grundy/error.hpp>
#include <grundy/verify.hpp>

#include "cli/answers.hpp"
#include "cli/attended_run.hpp"
#include "cli/check_report.hpp"
#include "cli/run_options.hpp"
#include "cli/table_report.hpp"
#include "core/digest.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

/// Heaps that are read at once.
constexpr HeapSize kHeapsAtOnce = HeapSize{1} << 12;

Json genera_json(const GeneraInfo& info) {
  return {{"title", info.title},
          {"notation", info.canonical},
          {"misere", true},
          {"count", info.heaps},
          {"tame", info.tame},
          {"first_not_tame", or_null(info.first_not_tame)},
          {"misere_p_positions", info.p_positions},
          {"digest", to_hex(info.digest)}};
}

void print_genera(Console& console, const GeneraInfo& info) {
  print_game(console, info.title, info.canonical, info.description);
  console.field("heaps",
                fmt::format("0 to {} ({})", format_count(info.heaps - 1), kIndexConvention));
  print_counts(console, info);
  console.field("digest", fmt::format("XXH3-128 {}", to_hex(info.digest)));
}

void print_genera_file(Console& console, const std::filesystem::path& file) {
  console.field(
      "file", fmt::format("{}, {}", file.string(), format_bytes(std::filesystem::file_size(file))));
}

}  // namespace

const char* outcome_of(const MisereHeap& heap) {
  return heap.genus.misere[0] == 0 ? "P" : "N";
}

Json heap_json(HeapSize n, const MisereHeap& heap) {
  return {{"heap", n},
          {"genus", heap.genus.text()},
          {"value", heap.genus.value},
          {"misere", heap.genus.misere},
          {"kind", name_of(heap.kind)},
          {"misere_outcome", outcome_of(heap)}};
}

std::string end_sentence(MisereEnd end, HeapSize heaps) {
  if (end == MisereEnd::kStopped) return fmt::format("stopped after {} heaps", format_count(heaps));
  return fmt::format(
      "the positions below heap {} need more memory than there is (--memory); the heaps before it "
      "are done",
      format_count(heaps));
}

void print_counts(Console& console, const GeneraInfo& info) {
  console.field("tame",
                fmt::format("{} of {} heaps{}", format_count(info.tame), format_count(info.heaps),
                            info.first_not_tame ? fmt::format("; heap {} is the first that is not",
                                                              format_count(*info.first_not_tame))
                                                : ""));
  console.field("P-positions",
                fmt::format("{} of {} heaps, in misère play", format_count(info.p_positions),
                            format_count(info.heaps)));
}

int compute_misere_heaps(Console& console, const Request& request) {
  AttendedRun run(console, "heaps");
  const GeneraReport report = compute_genera(request, run.hooks());
  run.end();
  const auto& file = request.output.path;
  if (report.end != MisereEnd::kComplete) {
    return console.fail(
        report.end == MisereEnd::kStopped ? kExitStopped : exit_code(ErrorCode::kFailure),
        end_sentence(report.end, report.info.heaps) + (file.empty() ? "" : ", but not written"));
  }
  if (console.json) {
    Json json = genera_json(report.info);
    if (!file.empty()) json["file"] = file.string();
    json["seconds"] = report.seconds;
    console.print_json(json);
    return 0;
  }
  print_genera(console, report.info);
  console.field("time", format_duration(std::chrono::duration<double>(report.seconds)));
  if (!file.empty()) print_genera_file(console, file);
  return 0;
}

int info_genera(Console& console, const std::string& file) {
  const GeneraReader reader(file);
  reader.recount();
  const GeneraInfo& info = reader.info();
  if (console.json) {
    Json json = genera_json(info);
    json["genera"] = reader.genera().size();
    json["file"] = file;
    json["file_bytes"] = std::filesystem::file_size(file);
    json["provenance"] = json_or_text(info.provenance_json);
    console.print_json(json);
    return 0;
  }
  print_genera(console, info);
  console.field("values", fmt::format("in normal play, misère nim-values, and {} different genera",
                                      format_count(reader.genera().size())));
  print_genera_file(console, file);
  return 0;
}

int query_genera(Console& console, const std::string& file, const std::vector<std::string>& heaps) {
  const GeneraReader reader(file);
  const HeapSize count = reader.info().heaps;
  Answers out(console);
  const auto answer = [&](CountRange range) {
    const auto [first, last] = range;
    const HeapSize end = last < count ? last + 1 : count;
    for (HeapSize n = first; n < end && !out.closed();) {
      const HeapSize some = std::min(kHeapsAtOnce, end - n);
      for (const MisereHeap& heap : reader.heaps(n, some)) {
        if (out.as_json()) {
          out.write_json(heap_json(n, heap));
        } else {
          out.write(fmt::format("{} {} {} {}\n", n, heap.genus.text(), name_of(heap.kind),
                                outcome_of(heap)));
        }
        ++n;
      }
    }
    if (last >= count) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("heap {} is not in the file, which ends with heap {}",
                              std::max(first, count), count - 1));
    }
  };
  for (const std::string& text : heaps) out.attempt([&] { answer(parse_range(text)); });
  return out.end();
}

int verify_genera(Console& console, const ListCheckRequest& request,
                  CertificateOutput certificate) {
  const GeneraCheck check = attended_check(console, "heaps", check_genera, request, certificate);
  const auto of_all = [&](HeapSize part) {
    return fmt::format("{} of {}", format_count(part), format_count(check.info.heaps));
  };
  const std::string proved = fmt::format("{} are proved from the definition", proved_text(check));
  if (console.json) {
    Json json = genera_json(check.info);
    json["file"] = request.file;
    put_check(json, check, certificate, {{"proved", check.proved}, {"compared", check.compared}});
    console.print_json(json);
  }
  const auto print = [&] {
    print_genera(console, check.info);
    console.field("content",
                  "the seal, the values of all genera, the counts and the digest are right");
    console.field("genera", proved);
    if (request.full) {
      console.field("kinds", fmt::format("{} heaps, and their genera, were found a second time",
                                         of_all(check.compared)));
    }
  };
  return conclude_check(console, request.file, check, certificate, "stopped; " + proved, print,
                        "no heap was proved; --range 0: proves all, however long that takes");
}

}  // namespace grundy::cli
