// SPDX-License-Identifier: MIT
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>

#include <grundy/graph/file.hpp>
#include <grundy/table.hpp>

#include "cli/commands.hpp"
#include "cli/graph_commands.hpp"
#include "cli/table_report.hpp"
#include "core/text.hpp"

namespace grundy::cli {
namespace {

int run_info(Console& console, const std::string& file) {
  if (is_graph_file(file)) return info_graph(console, file);
  const auto table = TableReader::open(file);
  const TableInfo& info = table->info();
  const std::uint64_t bytes = std::filesystem::file_size(file);
  const Json provenance = Json::parse(info.provenance_json, nullptr, false);
  if (console.json) {
    Json json = table_json(info);
    json["file"] = file;
    json["file_bytes"] = bytes;
    json["value_bytes"] = byte_count(table->width());
    json["chunk_values"] = table->chunk_size();
    json["provenance"] = provenance.is_discarded() ? Json(info.provenance_json) : provenance;
    console.print_json(json);
    return 0;
  }
  print_table(console, info);
  console.field("file", fmt::format("{}, {} ({} byte{} a value)", file, format_bytes(bytes),
                                    byte_count(table->width()),
                                    table->width() == ValueWidth::kU8 ? "" : "s"));
  if (provenance.is_object()) {
    for (const auto& [key, value] : provenance.items()) {
      if (value.is_string()) console.field(key, value.get<std::string>());
    }
  }
  return 0;
}

}  // namespace

Command add_info(CLI::App& app, Console& console) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("info", "Say what is in a table");
  command->add_option("FILE", *file, "A table written by `grundy compute`")
      ->type_name("")
      ->required();
  add_common_options(*command, console);
  command->footer(R"(Examples:
  grundy info kayles.h5
  grundy info kayles.h5 --json | jq .period
)");
  return {command, [&console, file] { return run_info(console, *file); }};
}

}  // namespace grundy::cli
