// SPDX-License-Identifier: MIT
#include "games/graph/small_graph.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/names.hpp"
#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "core/text_file.hpp"

namespace grundy::graph {
namespace {

[[noreturn]] void malformed(const std::string& what) {
  throw Error(ErrorCode::kCorrupt, what);
}

void check_vertices(std::uint64_t count, ErrorCode code) {
  if (count >= 1 && count <= WideGraph::kMostVertices) return;
  throw Error(code, fmt::format("the graph has {} vertices; between 1 and {} can be computed",
                                count, WideGraph::kMostVertices));
}

/// A graph of `count` vertices, labelled from 0, without edges.
WideGraph vertices(std::uint64_t count, ErrorCode code = ErrorCode::kUsage) {
  check_vertices(count, code);
  WideGraph graph;
  for (std::uint64_t v = 0; v < count; ++v) graph.labels.push_back(v);
  return graph;
}

/// The cells of a board. `adjacent` decides by the distances in rows and columns.
template <class Adjacent>
WideGraph board_graph(std::string_view size, Adjacent adjacent) {
  const auto [rows, columns] = parse_board_size(size, WideBoard::kMostCells);
  const WideBoard board(rows, columns);
  WideGraph graph = vertices(board.cells());
  const unsigned width = board.columns();
  for (unsigned a = 0; a < board.cells(); ++a) {
    for (unsigned b = 0; b < a; ++b) {
      const unsigned down = a / width - b / width;
      const unsigned across = std::max(a % width, b % width) - std::min(a % width, b % width);
      if (adjacent(down, across)) graph.join(a, b);
    }
  }
  graph.board = board;
  return graph;
}

std::uint64_t one_number(std::string_view text) {
  const auto numbers = parse_counts(text);
  if (numbers.size() != 1) {
    throw Error(ErrorCode::kUsage, fmt::format("{} is not one number", in_quotes(text)));
  }
  return numbers[0];
}

WideGraph path(std::string_view text) {
  WideGraph graph = vertices(one_number(text));
  for (unsigned v = 1; v < graph.vertices(); ++v) graph.join(v - 1, v);
  return graph;
}

WideGraph cycle(std::string_view text) {
  WideGraph graph = path(text);
  if (graph.vertices() < 3) throw Error(ErrorCode::kUsage, "a cycle has at least 3 vertices");
  graph.join(0, graph.vertices() - 1);
  return graph;
}

WideGraph complete(std::string_view text) {
  WideGraph graph = vertices(one_number(text));
  for (unsigned a = 0; a < graph.vertices(); ++a)
    graph.neighbours[a] = graph.all() & ~(WideBits{1} << a);
  return graph;
}

WideGraph hypercube(std::string_view text) {
  const std::uint64_t dimension = one_number(text);
  if (dimension > 7) {
    throw Error(ErrorCode::kUsage, "a hypercube of more than 7 dimensions has over 128 vertices");
  }
  WideGraph graph = vertices(std::uint64_t{1} << dimension);
  for (unsigned v = 0; v < graph.vertices(); ++v) {
    for (unsigned axis = 0; axis < dimension; ++axis) graph.join(v, v ^ (1u << axis));
  }
  return graph;
}

/// The generalised Petersen graph GP(n, k): a cycle, spokes, and an inner cycle of step k.
WideGraph petersen(std::string_view text) {
  const auto numbers = parse_counts(text);
  if (numbers.size() != 2 || numbers[0] < 3 || numbers[0] > 64 || numbers[1] < 1 ||
      2 * numbers[1] >= numbers[0]) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is not N,K with 3 <= N <= 64 and 1 <= K < N/2", in_quotes(text)));
  }
  const auto n = static_cast<unsigned>(numbers[0]);
  const auto k = static_cast<unsigned>(numbers[1]);
  WideGraph graph = vertices(2 * n);
  for (unsigned i = 0; i < n; ++i) {
    graph.join(i, (i + 1) % n);
    graph.join(i, n + i);
    graph.join(n + i, n + (i + k) % n);
  }
  return graph;
}

WideGraph grid(std::string_view text) {
  WideGraph graph = board_graph(text, [](unsigned a, unsigned b) { return a + b == 1; });
  graph.grid = true;
  return graph;
}
WideGraph kings(std::string_view text) {
  return board_graph(text, [](unsigned a, unsigned b) { return a <= 1 && b <= 1; });
}
WideGraph knights(std::string_view text) {
  return board_graph(text, [](unsigned a, unsigned b) { return a * b == 2; });
}
WideGraph queens(std::string_view text) {
  return board_graph(text, [](unsigned a, unsigned b) { return a == 0 || b == 0 || a == b; });
}

struct Family {
  std::string_view name;  ///< with its colon
  std::string_view form;  ///< how it is written
  WideGraph (*make)(std::string_view parameters);
};
constexpr std::array kFamilies{Family{"grid:", "MxN (a grid)", grid},
                               Family{"kings:", "kings:MxN", kings},
                               Family{"knights:", "knights:MxN", knights},
                               Family{"queens:", "queens:MxN", queens},
                               Family{"path:", "path:N", path},
                               Family{"cycle:", "cycle:N", cycle},
                               Family{"complete:", "complete:N", complete},
                               Family{"hypercube:", "hypercube:D", hypercube},
                               Family{"petersen:", "petersen:N,K", petersen}};

/// The family whose name begins the text; null if there is none.
const Family* find_family(std::string_view text) {
  const auto* const found = std::ranges::find_if(
      kFamilies, [&](const Family& family) { return TextCursor(text).eat(family.name); });
  return found == kFamilies.end() ? nullptr : found;
}

[[noreturn]] void no_such_graph(std::string_view text) {
  std::vector<std::string> names;
  for (const Family& family : kFamilies) {
    names.emplace_back(family.name.substr(0, family.name.size() - 1));
  }
  throw Error(ErrorCode::kUsage, no_such_name("graph", text.substr(0, text.find(':')), names,
                                              fmt::format("a graph is {}", graph_forms())));
}

constexpr std::string_view kGraph6Header = ">>graph6<<";

/// Says that a fault is in the content of a file.
TextOrigin in_the_file() {
  return {.name = "the file", .code = ErrorCode::kCorrupt};
}

std::string_view without_trailing_space(std::string_view text) {
  const auto last = text.find_last_not_of(" \t\r\n");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

bool looks_like_graph6(std::string_view text) {
  return text.starts_with(kGraph6Header) ||
         (!text.empty() && std::ranges::all_of(text, [](char c) { return c >= 63 && c <= 126; }));
}

WideGraph parse_graph6(std::string_view text) {
  TextCursor cursor(text, Blanks::kCount, in_the_file());
  cursor.eat(kGraph6Header);
  if (cursor.done()) cursor.fail("the graph6 text is empty");
  // Each byte holds six bits, plus 63 so that it can be printed.
  const auto next = [&cursor]() -> unsigned {
    if (cursor.done()) cursor.fail("the graph6 text ends too early");
    const auto byte = static_cast<unsigned char>(cursor.peek());
    if (byte < 63 || byte > 126) {
      cursor.fail(fmt::format("a byte of graph6 is 63 to 126, and this one is {}", byte));
    }
    cursor.step();
    return byte - 63u;
  };
  std::uint64_t count = next();
  if (count == 63) {  // 18 bits follow, or 63 again and 36 bits
    if (cursor.peek() == 126) cursor.fail("the graph has more than 128 vertices");
    count = 0;
    for (int i = 0; i < 3; ++i) count = count << 6 | next();
  }
  WideGraph graph = vertices(count, ErrorCode::kCorrupt);
  const std::uint64_t bytes = (count * (count - 1) / 2 + 5) / 6;
  if (cursor.rest().size() != bytes) {
    cursor.fail(fmt::format("a graph6 text of {} vertices has {} bytes of edges, not {}", count,
                            bytes, cursor.rest().size()));
  }
  unsigned six = 0;
  unsigned left = 0;                                     // bits of `six`
  for (unsigned column = 1; column < count; ++column) {  // the upper triangle, column by column
    for (unsigned row = 0; row < column; ++row) {
      if (left == 0) six = next(), left = 6;
      if ((six >> --left & 1) != 0) graph.join(row, column);
    }
  }
  return graph;
}

WideGraph parse_edge_list(std::string_view content) {
  const std::vector<NumberLine> lines = parse_number_lines(content, ' ');
  WideGraph graph;
  for (const auto& [line, numbers] : lines) {
    if (numbers.size() > 2 || (numbers.size() == 2 && numbers[0] == numbers[1])) {
      malformed(
          fmt::format("line {} is neither an edge (two different vertices) nor a vertex", line));
    }
    graph.labels.insert(graph.labels.end(), numbers.begin(), numbers.end());
  }
  std::ranges::sort(graph.labels);
  graph.labels.erase(std::unique(graph.labels.begin(), graph.labels.end()), graph.labels.end());
  check_vertices(graph.labels.size(), ErrorCode::kCorrupt);
  const auto index = [&](std::uint64_t label) {
    return static_cast<unsigned>(std::ranges::lower_bound(graph.labels, label) -
                                 graph.labels.begin());
  };
  for (const NumberLine& line : lines) {
    if (line.numbers.size() == 2) graph.join(index(line.numbers[0]), index(line.numbers[1]));
  }
  return graph;
}

}  // namespace

SmallGraph narrowed(const WideGraph& graph) {
  SmallGraph narrow{.labels = graph.labels, .grid = graph.grid};
  for (unsigned v = 0; v < graph.vertices(); ++v)
    narrow.neighbours[v] = low_half(graph.neighbours[v]);
  if (graph.board) narrow.board.emplace(graph.board->rows(), graph.board->columns());
  return narrow;
}

std::string graph_forms() {
  std::string forms;
  for (const Family& family : kFamilies) {
    forms += fmt::format("{}{}", forms.empty() ? "" : ", ", family.form);
  }
  return forms + " or a file with an edge list or graph6";
}

std::string_view family_of(std::string_view text) {
  const Family* const family = find_family(text);
  return family == nullptr ? std::string_view() : family->name;
}

WideGraph read_graph(const std::string& text) {
  // A family without its colon has no numbers either.
  if (const Family* const family = find_family(text.find(':') == text.npos ? text + ':' : text)) {
    const auto numbers = std::string_view(text).substr(std::min(family->name.size(), text.size()));
    if (trimmed(numbers).empty()) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("{} has no numbers; write {}", in_quotes(text), family->form));
    }
    return family->make(numbers);
  }
  if (!text.empty() && text.find_first_not_of("0123456789 xX×") == std::string::npos) {
    return grid(text);
  }
  std::error_code unknown;
  if (text.find_first_of("/.") == std::string::npos && !std::filesystem::exists(text, unknown)) {
    no_such_graph(text);
  }
  try {
    return parse_graph_file(read_small_file(text));
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", in_quotes(text), error.what()));
  }
}

WideGraph parse_graph_file(std::string_view content) {
  const std::string_view trimmed = without_trailing_space(content);
  return looks_like_graph6(trimmed) ? parse_graph6(trimmed) : parse_edge_list(trimmed);
}

std::pair<unsigned, unsigned> parse_board_size(std::string_view text, std::uint64_t most) {
  const std::vector<std::uint64_t> sizes = parse_sizes(text);
  if (sizes.size() != 2 || sizes[0] == 0 || sizes[1] == 0) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is not the size of a board, such as 4x5", in_quotes(text)));
  }
  if (sizes[0] > most || sizes[1] > most / sizes[0]) {
    throw Error(ErrorCode::kUsage,
                fmt::format("a board of {} has more than {} cells", trimmed(text), most));
  }
  return {static_cast<unsigned>(sizes[0]), static_cast<unsigned>(sizes[1])};
}

std::string read_small_file(const std::filesystem::path& path) {
  constexpr std::uint64_t kMost = 1 << 20;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw Error(ErrorCode::kUsage, "there is no such file");
  }
  std::optional<std::string> content = read_text_file(path, kMost);
  if (!content) {
    throw Error(ErrorCode::kUsage, "the file cannot be read, or has more than a megabyte");
  }
  return std::move(*content);
}

std::vector<NumberLine> parse_number_lines(std::string_view content, char separator) {
  constexpr std::uint64_t kLargest = ~std::uint64_t{0} >> 1;
  TextCursor cursor(content, Blanks::kSkip, in_the_file());
  std::vector<NumberLine> lines;
  std::size_t line = 1;
  std::size_t counted = 0;  // bytes whose line ends are in `line`
  while (!cursor.done()) {
    const std::string_view passed = content.substr(counted, cursor.place() - counted);
    line += static_cast<std::size_t>(std::ranges::count(passed, '\n'));
    counted = cursor.place();
    const bool separated = separator != ' ' && cursor.eat(separator);
    if (separated) continue;
    if (lines.empty() || lines.back().line != line) lines.push_back({.line = line});
    lines.back().numbers.push_back(cursor.number("a non-negative integer", kLargest));
  }
  return lines;
}

}  // namespace grundy::graph
