// SPDX-License-Identifier: MIT
#include "games/graph/kayles.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <grundy/error.hpp>

namespace grundy::graph {

template <class Bits>
std::string vertices_text(const BasicGraph<Bits>& graph, Bits vertices) {
  std::string text;
  for (; vertices != 0; vertices &= vertices - 1) {
    if (!text.empty()) text += ',';
    text += std::to_string(graph.labels[lowest_one(vertices)]);
  }
  return text.empty() ? "-" : text;
}

template <class Bits>
Bits parse_vertices(const BasicGraph<Bits>& graph, std::string_view text) {
  Bits vertices = 0;
  if (text == "-") return vertices;
  for (const std::uint64_t label : parse_numbers(text)) {
    const auto at = std::ranges::find(graph.labels, label);
    if (at == graph.labels.end()) {
      throw Error(ErrorCode::kUsage, fmt::format("there is no vertex {}", label));
    }
    vertices |= Bits{1} << (at - graph.labels.begin());
  }
  return vertices;
}

template std::string vertices_text(const SmallGraph&, std::uint64_t);
template std::string vertices_text(const WideGraph&, WideBits);
template std::uint64_t parse_vertices(const SmallGraph&, std::string_view);
template WideBits parse_vertices(const WideGraph&, std::string_view);

}  // namespace grundy::graph
