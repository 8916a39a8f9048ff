/// @file
/// Graphs of at most 128 vertices, one word of neighbours for each vertex: families by name, and
/// files.
///
/// A file holds an edge list or one graph in graph6 format (McKay's formats.txt). An edge list has
/// a line `u v` for each edge and a line `u` for each vertex; vertices are non-negative integers,
/// and `#` starts a comment. A graph6 text may have the header `>>graph6<<`. It has no digits, so
/// the two formats cannot be confused.
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
  /// The board whose cells are the vertices, if adjacency is the same everywhere on the board and
  /// under its symmetries.
  std::optional<BasicBoard<Bits>> board{};
  bool grid = false;  ///< two cells of the board are adjacent exactly if they share a side

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

/// The same graph with words of 64 bits. @pre it has at most 64 vertices
SmallGraph narrowed(const WideGraph& graph);

/// How graphs are written, in one clause: kGraphParameter of the catalogue.
std::string graph_forms();

/// The name of the family with which a text begins, as in `path:` of `Path:5`; empty if there is
/// none.
std::string_view family_of(std::string_view text);

/// Reads a family with its parameters, or else the path of a file.
/// @throws Error(kUsage) if the text is neither or the graph has more than 128 vertices,
/// Error(kCorrupt) if the file is malformed
WideGraph read_graph(const std::string& text);

/// The graph that a file holds. @throws Error(kCorrupt) with the line and what was expected there
WideGraph parse_graph_file(std::string_view content);

/// Reads `MxN`. @throws Error(kUsage) unless both are positive and the product is at most `most`
std::pair<unsigned, unsigned> parse_board_size(std::string_view text, std::uint64_t most);

/// The text of a file. @throws Error(kUsage) if it cannot be read or exceeds a megabyte
std::string read_small_file(const std::filesystem::path& path);

/// One line of an edge list or of a list of relations: its integers. Lines without integers are
/// left out.
struct NumberLine {
  std::size_t line = 0;  ///< counted from 1
  std::vector<std::uint64_t> numbers{};
};
/// Splits at blanks and `separator` (if it is not a blank); `#` starts a comment.
/// @throws Error(kCorrupt) if a word is not a non-negative integer below 2^63
std::vector<NumberLine> parse_number_lines(std::string_view content, char separator);

}  // namespace grundy::graph
