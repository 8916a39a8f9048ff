// SPDX-License-Identifier: MIT
#include "cli/lattice_statistics_report.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/check_report.hpp"
#include "cli/table_report.hpp"
#include "core/digest.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace grundy::cli {

int info_lattice_statistics(Console& console, const std::string& file) {
  const LatticeStatistics found = read_lattice_statistics(file);
  const std::uint64_t bytes = std::filesystem::file_size(file);
  if (console.json) {
    Json json = table_json(found.info);
    json["zeros"] = positions_json(found.info.layout, found.zeros);
    json["file"] = file;
    json["file_bytes"] = bytes;
    json["provenance"] = json_or_text(found.info.provenance_json);
    console.print_json(json);
    return 0;
  }
  print_table(console, found.info);
  console.field("values", "are not kept; --json has how often each value occurs");
  console.field("file", fmt::format("{}, {}", file, format_bytes(bytes)));
  return 0;
}

int verify_lattice_statistics(Console& console, const ListCheckRequest& request,
                              CertificateOutput certificate) {
  const LatticeStatisticsCheck check =
      attended_check(console, "values", check_lattice_statistics, request, certificate);
  if (console.json) {
    Json json = table_json(check.file.info);
    json["file"] = request.file;
    put_check(json, check, certificate, {{"proved", check.proved}});
    console.print_json(json);
  }
  return conclude_check(
      console, request.file, check, certificate,
      "stopped; all values must be computed again before anything is proved", [&] {
        print_table(console, check.file.info);
        console.field("content", "what was counted is right: " + check.methods.front());
        console.field("digest",
                      fmt::format("XXH3-128 {} of what was counted", to_hex(check.digest)));
      });
}

}  // namespace grundy::cli
