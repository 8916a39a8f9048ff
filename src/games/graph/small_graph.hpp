/// @file
/// Graphs of at most 128 vertices, as one word of neighbours a vertex: families by name, and files.
///
/// A file holds an edge list (a line `u v` for an edge, a line `u` for a vertex, `#` starts a
/// comment; vertices are non-negative integers) or one graph in graph6 format (McKay's
/// formats.txt), with or without the header `>>graph6<<`. Digits do not occur in graph6, so the two
/// cannot be confused.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/graph/bits.hpp"
#include "games/graph/board.hpp"

namespace grundy::graph {

/// A simple undirected graph.
template <class Bits>
struct BasicGraph {
  static constexpr unsigned kMostVertices = kBits<Bits>;

  std::array<Bits, kMostVertices> neighbours{};
  std::vector<std::uint64_t> labels;  ///< one for each vertex
  /// The board whose cells the vertices are, if adjacency is the same everywhere on it and under
  /// its symmetries.
  std::optional<BasicBoard<Bits>> board{};
  bool grid = false;  ///< cells of the board are adjacent exactly if they share a side

  [[nodiscard]] unsigned vertices() const noexcept { return static_cast<unsigned>(labels.size()); }
  [[nodiscard]] Bits all() const noexcept {
    return vertices() == kMostVertices ? ~Bits{0} : (Bits{1} << vertices()) - 1;
  }
  void join(unsigned a, unsigned b) noexcept {
    neighbours[a] |= Bits{1} << b;
    neighbours[b] |= Bits{1} << a;
  }
};

using SmallGraph = BasicGraph<std::uint64_t>;
using WideGraph = BasicGraph<WideBits>;

/// The same graph in words of 64 bits. @pre it has at most 64 vertices
SmallGraph narrowed(const WideGraph& graph);

/// A family with its parameters, or else the path of a file.
/// @throws Error(kUsage) if it is neither or has more than 128 vertices, Error(kCorrupt) if the
/// file is malformed
WideGraph read_graph(const std::string& text);

/// The graph that a file holds. @throws Error(kCorrupt) with the line and what was expected
WideGraph parse_graph_file(std::string_view content);

/// `AxBx…`, also with the sign ×. @throws Error(kUsage)
std::vector<std::uint64_t> parse_sizes(std::string_view text);

/// `MxN`. @throws Error(kUsage) unless both are positive and the product is at most `most`
std::pair<unsigned, unsigned> parse_board_size(std::string_view text, std::uint64_t most);

/// The text of a file. @throws Error(kUsage) if it cannot be read or exceeds a megabyte
std::string read_small_file(const std::filesystem::path& path);

/// The lines of an edge list or a list of relations: the integers of each line that has any.
struct NumberLine {
  std::size_t line = 0;  ///< counted from 1
  std::vector<std::uint64_t> numbers{};
};
/// Splits at blanks and `separator` (if it is not a blank); `#` starts a comment.
/// @throws Error(kCorrupt) if anything else than non-negative integers below 2^63 occurs
std::vector<NumberLine> parse_number_lines(std::string_view content, char separator);

}  // namespace grundy::graph
