// SPDX-License-Identifier: MIT
#include "games/graph/kayles.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy::graph {

std::string vertices_text(const SmallGraph& graph, std::uint64_t vertices) {
  std::string text;
  for (; vertices != 0; vertices &= vertices - 1) {
    if (!text.empty()) text += ',';
    text += std::to_string(graph.labels[static_cast<unsigned>(std::countr_zero(vertices))]);
  }
  return text.empty() ? "-" : text;
}

std::uint64_t parse_vertices(const SmallGraph& graph, std::string_view text) {
  std::uint64_t vertices = 0;
  if (text == "-") return vertices;
  for (const std::uint64_t label : parse_numbers(text)) {
    const auto at = std::ranges::find(graph.labels, label);
    if (at == graph.labels.end()) {
      throw Error(ErrorCode::kUsage, fmt::format("there is no vertex {}", label));
    }
    vertices |= std::uint64_t{1} << (at - graph.labels.begin());
  }
  return vertices;
}

}  // namespace grundy::graph
