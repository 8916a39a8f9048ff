// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "table/export.hpp"
#include "table/key_text.hpp"

namespace grundy {
namespace {

char outcome(Nimber value) noexcept {
  return value == 0 ? 'P' : 'N';
}

/// A text between double quotes. Positions hold neither quotes nor control characters; names of
/// elements from files may.
std::string in_double_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void write_csv(const GraphFile& file, const GraphGame* game, ByteOutput& out) {
  const GraphTable& table = file.table;
  out.write(fmt::format("key,{}grundy,outcome,options,layer{}\n",
                        game != nullptr ? "position," : "", table.misere.empty() ? "" : ",misere"));
  for (std::uint64_t row = 0; row < table.size() && !out.closed(); ++row) {
    const auto key = table.key(row);
    out.write(key_text(key) + ',');
    if (game != nullptr) out.write(csv_text(game->text(key)) + ',');
    out.write(fmt::format("{},{},{},{}", table.values[row], outcome(table.values[row]),
                          table.moves[row], table.potential(row)));
    out.write(table.misere.empty() ? "\n" : fmt::format(",{}\n", table.misere[row]));
  }
}

/// The targets of an option.
std::span<const std::uint64_t> targets_of(const GraphAdjacency& adjacency, std::uint64_t option) {
  const std::uint64_t begin = option == 0 ? 0 : adjacency.option_end[option - 1];
  return std::span(adjacency.targets).subspan(begin, adjacency.option_end[option] - begin);
}

void write_json(const GraphFile& file, const GraphGame* game, const GraphAdjacency& adjacency,
                ByteOutput& out) {
  const GraphTable& table = file.table;
  const GraphStats& stats = file.info.stats;
  out.write(
      fmt::format("{{\"game\": {}, \"title\": {}, \"reduction\": \"{}\", \"positions\": {}, "
                  "\"moves\": {}, \"p_positions\": {}, \"root_value\": {}, \"start\": [{}],\n"
                  " \"rows\": [",
                  in_double_quotes(file.info.game), in_double_quotes(file.info.title),
                  to_string(file.info.reduction), stats.positions, stats.moves, stats.p_positions,
                  file.info.root_value, fmt::join(table.start, ", ")));
  std::uint64_t option = 0;
  for (std::uint64_t row = 0; row < table.size() && !out.closed(); ++row) {
    const auto key = table.key(row);
    out.write(fmt::format("{}\n  {{\"key\": \"{}\", ", row == 0 ? "" : ",", key_text(key)));
    if (game != nullptr) {
      out.write(fmt::format("\"position\": {}, ", in_double_quotes(game->text(key))));
    }
    out.write(fmt::format("\"value\": {}, \"outcome\": \"{}\", \"layer\": {}, ", table.values[row],
                          outcome(table.values[row]), table.potential(row)));
    if (!table.misere.empty()) out.write(fmt::format("\"misere\": {}, ", table.misere[row]));
    std::string options;
    for (; option < adjacency.position_end[row]; ++option) {
      options += fmt::format("{}[{}]", options.empty() ? "" : ", ",
                             fmt::join(targets_of(adjacency, option), ", "));
    }
    out.write(fmt::format("\"options\": [{}]}}", options));
  }
  out.write("\n]}\n");
}

/// A label with one line for each row of a board.
std::string dot_label(const GraphGame* game, const GraphTable& table, std::uint64_t row) {
  std::string label;
  for (const char c : position_text(game, table.key(row))) {
    if (c == '/') {
      label += "\\n";
    } else {
      if (c == '"' || c == '\\') label += '\\';
      label += c;
    }
  }
  return fmt::format("{}\\n{}", label, table.values[row]);
}

void write_dot(const GraphFile& file, const GraphGame* game, const GraphAdjacency& adjacency,
               ByteOutput& out) {
  const GraphTable& table = file.table;
  if (table.size() > kMostDrawn) {
    throw Error(ErrorCode::kUsage,
                fmt::format("a picture of {} positions cannot be read; at most {} are drawn",
                            format_count(table.size()), format_count(kMostDrawn)));
  }
  out.write(fmt::format(
      "// {}: P-positions red, N-positions green; the last line of a label is the value.\n"
      "digraph positions {{\n  rankdir=TB;\n"
      "  node [shape=box, style=\"rounded,filled\", fontname=\"monospace\"];\n"
      "  edge [color=gray40, arrowsize=0.6];\n",
      file.info.game));
  const auto is_start = [&](std::uint64_t row) {
    return std::ranges::find(table.start, row) != table.start.end();
  };
  for (std::uint64_t row = table.size(); row-- > 0;) {
    out.write(fmt::format("  p{} [label=\"{}\", fillcolor={}{}];\n", row,
                          dot_label(game, table, row),
                          table.values[row] == 0 ? "\"#f4a6a0\"" : "\"#b8e0b0\"",
                          is_start(row) ? ", penwidth=3" : ""));
  }
  std::uint64_t begin = 0;
  for (const GraphLayer& layer : table.layers) {
    out.write("  { rank=same;");
    for (std::uint64_t row = begin; row < layer.end; ++row) out.write(fmt::format(" p{};", row));
    out.write(" }\n");
    begin = layer.end;
  }
  bool has_nothing = false;
  std::uint64_t option = 0;
  for (std::uint64_t row = 0; row < table.size(); ++row) {
    for (; option < adjacency.position_end[row]; ++option) {
      const auto targets = targets_of(adjacency, option);
      if (targets.size() == 1) {
        out.write(fmt::format("  p{} -> p{};\n", row, targets[0]));
      } else if (targets.empty()) {
        has_nothing = true;
        out.write(fmt::format("  p{} -> nothing;\n", row));
      } else {
        out.write(
            fmt::format("  s{} [label=\"+\", shape=circle, style=solid, width=0.2];\n"
                        "  p{} -> s{} [arrowhead=none];\n",
                        option, row, option));
        for (const std::uint64_t target : targets) {
          out.write(fmt::format("  s{} -> p{};\n", option, target));
        }
      }
    }
  }
  if (has_nothing) out.write("  nothing [label=\"0\", fillcolor=\"#f4a6a0\"];\n");
  out.write("}\n");
}

}  // namespace

void export_graph(const GraphFile& file, const GraphGame* game, const GraphAdjacency* adjacency,
                  ExportFormat format, ByteOutput& out) {
  switch (format) {
    case ExportFormat::kCsv:
      return write_csv(file, game, out);
    case ExportFormat::kJson:
      return write_json(file, game, *adjacency, out);
    case ExportFormat::kDot:
      return write_dot(file, game, *adjacency, out);
    default:
      throw Error(ErrorCode::kUsage,
                  "a table of positions can be exported as csv, json or dot, not otherwise");
  }
}

}  // namespace grundy
