/// @file
/// Graphs of at most 64 vertices, as one word of neighbours a vertex: families by name, and files.
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

#include "games/graph/board.hpp"

namespace grundy::graph {

/// A simple undirected graph.
struct SmallGraph {
  static constexpr unsigned kMostVertices = 64;

  std::array<std::uint64_t, kMostVertices> neighbours{};
  std::vector<std::uint64_t> labels;  ///< one for each vertex
  /// The board whose cells the vertices are, if adjacency is the same everywhere on it and under
  /// its symmetries.
  std::optional<Board> board{};
  bool grid = false;  ///< cells of the board are adjacent exactly if they share a side

  [[nodiscard]] unsigned vertices() const noexcept { return static_cast<unsigned>(labels.size()); }
  [[nodiscard]] std::uint64_t all() const noexcept {
    return vertices() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << vertices()) - 1;
  }
  void join(unsigned a, unsigned b) noexcept {
    neighbours[a] |= std::uint64_t{1} << b;
    neighbours[b] |= std::uint64_t{1} << a;
  }
};

/// A family with its parameters, or else the path of a file.
/// @throws Error(kUsage) if it is neither or has more than 64 vertices, Error(kCorrupt) if the file
/// is malformed
SmallGraph read_graph(const std::string& text);

/// The graph that a file holds. @throws Error(kCorrupt) with the line and what was expected
SmallGraph parse_graph_file(std::string_view content);

/// `AxBx…`, also with the sign ×. @throws Error(kUsage)
std::vector<std::uint64_t> parse_sizes(std::string_view text);

/// `MxN`. @throws Error(kUsage) unless both are positive and the product is at most `most`
std::pair<unsigned, unsigned> parse_board_size(std::string_view text, std::uint64_t most);

/// `a,b,c`. @throws Error(kUsage)
std::vector<std::uint64_t> parse_numbers(std::string_view text);

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
