/// @file
/// The named games on positions.
// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <grundy/error.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"
#include "games/catalogue/rows.hpp"
#include "games/graph/chomp.hpp"
#include "games/graph/coins.hpp"
#include "games/graph/heap_multisets.hpp"
#include "games/graph/heap_sum.hpp"
#include "games/graph/kayles.hpp"
#include "games/graph/poset.hpp"
#include "games/graph/small_graph.hpp"
#include "games/graph/turning.hpp"
#include "games/heap/notation.hpp"

namespace grundy {
namespace {

using namespace graph;
using Made = std::shared_ptr<const GraphGame>;

struct GraphEntry {
  std::string_view name;
  std::string_view parameters;  ///< form of the text after the colon; empty if there is no colon
  std::string_view title, rules, reference;
  std::string_view positions;
  Made (*make)(const std::string& parameters, Reduction reduction);
};

/// Reads `GAME:n,n,..`. Notations may hold colons and commas, so the heaps follow the last colon.
Made make_heaps(const std::string& text, Reduction reduction) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) {
    throw Error(
        ErrorCode::kUsage,
        fmt::format("{} is not a game and its heaps; write heaps:nim:4,3,2", in_quotes(text)));
  }
  const HeapRule rule = resolve_game(std::string_view(text).substr(0, colon)).heap();
  refuse_pass(rule, "a sum of heaps as one game");
  const auto heaps =
      parse_heaps(std::string_view(text).substr(colon + 1), kLargestSummand, kMostSummands);
  const std::uint8_t largest = heaps.empty() ? std::uint8_t{0} : std::ranges::max(heaps);
  HeapMoves moves = heap_moves(rule, largest);
  const bool all_equal = std::ranges::all_of(heaps, [&](auto heap) { return heap == largest; });
  if (all_equal && HeapMultisets::suits(moves, heaps.size())) {
    return make_graph_game(HeapMultisets(std::move(moves), heaps.size()), reduction);
  }
  const bool splits = rule.max_heaps().value_or(2) > 1;
  if (!splits && heaps.size() <= 8 && largest < 128) {
    return make_graph_game(HeapSum<8>(std::move(moves), heaps), reduction);
  }
  if (!splits && heaps.size() <= 16) {
    return make_graph_game(HeapSum<16>(std::move(moves), heaps), reduction);
  }
  if (const std::size_t most = most_in_play(moves, heaps); most > kMostSummands) {
    throw Error(ErrorCode::kUsage,
                fmt::format("play can split this sum into {} heaps, and a position has at most {}",
                            most, kMostSummands));
  }
  return make_graph_game(HeapSum<kMostSummands>(std::move(moves), heaps), reduction);
}

/// Uses words as wide as the graph needs.
template <KaylesMove kMove>
Made make_kayles(const std::string& text, Reduction reduction) {
  WideGraph graph = read_graph(text);
  if (graph.vertices() <= SmallGraph::kMostVertices) {
    return make_graph_game(Kayles<kMove>(narrowed(graph)), reduction);
  }
  return make_graph_game(Kayles<kMove, WideBits>(std::move(graph)), reduction);
}

Made make_cram(const std::string& text, Reduction reduction) {
  static_cast<void>(parse_board_size(text, WideBoard::kMostCells));
  return make_kayles<KaylesMove::kArc>(text, reduction);
}

/// Reads `AxB`, a shape `5,3,1`, or a box `AxBxC`.
Made make_chomp(const std::string& text, Reduction reduction) {
  if (text.find_first_of("xX×") == std::string::npos) {
    return make_graph_game(Chomp(parse_counts(text)), reduction);
  }
  const std::vector<std::uint64_t> sizes = parse_sizes(text);
  if (sizes.size() > 2) return make_graph_game(PosetGame(box_poset(sizes)), reduction);
  const auto [rows, columns] =
      parse_board_size(text, std::uint64_t{Chomp::kMostRows} * Chomp::kMostColumns);
  return make_graph_game(Chomp(std::vector<std::uint64_t>(rows, columns)), reduction);
}

Made make_poset(const std::string& path, Reduction reduction) {
  try {
    return make_graph_game(PosetGame(parse_poset_file(read_small_file(path))), reduction);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{}: {}", in_quotes(path), error.what()));
  }
}

Made make_subset_takeaway(const std::string& text, Reduction reduction) {
  return make_graph_game(PosetGame(subset_poset(parse_count(text))), reduction);
}

template <class G>
Made make_from_text(const std::string& text, Reduction reduction) {
  return make_graph_game(G(text), reduction);
}

Made make_hexad(const std::string& /*none*/, Reduction reduction) {
  return make_graph_game(Hexad(), reduction);
}

template <TurningCoins::Kind kKind>
Made make_turning(const std::string& text, Reduction reduction) {
  return make_graph_game(TurningCoins(kKind, text, reduction == Reduction::kComponents), reduction);
}

constexpr std::string_view kCells =
    "rows of the board, `o` for a cell that is left and `.` for one that is gone: `oo./ooo`; on "
    "other graphs the vertices that are left: `0,3,4`";
constexpr std::string_view kElements = "the elements that are left: `1,5,12`";
constexpr std::string_view kSquares = "the places of the coins: `0,3,7`";

constexpr std::array kGraphGames{
    GraphEntry{"heaps", "GAME:N,N,..", "Sum of heaps",
               "A sum of heaps of one game as a single game: positions are multisets of heaps, "
               "and the theorem on sums is not used.",
               "R. P. Sprague 1935; P. M. Grundy 1939", "the heaps: `4+3+2`", make_heaps},
    GraphEntry{"cram", "MxN", "Cram", "Place a domino on two adjacent empty cells of the board.",
               "M. Gardner, Scientific American 230 (1974) 106-108", kCells, make_cram},
    GraphEntry{"node-kayles", "GRAPH", "Node Kayles", "Take a vertex together with its neighbours.",
               "T. J. Schaefer 1978", kCells, make_kayles<KaylesMove::kNode>},
    GraphEntry{"arc-kayles", "GRAPH", "Arc Kayles", "Take two adjacent vertices.",
               "T. J. Schaefer 1978", kCells, make_kayles<KaylesMove::kArc>},
    GraphEntry{"chomp", "MxN, MxNxK or the rows 5,3,1", "Chomp",
               "Take a square and all squares below and to the right of it; the first square "
               "may not be taken.",
               "F. Schuh 1952; D. Gale 1974",
               "lengths of the rows from the top: `5,3,1`; in more dimensions the cells that "
               "are left: `1.0.0,0.1.0`",
               make_chomp},
    GraphEntry{"poset", "FILE", "Poset game",
               "Take an element of an ordered set and everything above it.",
               "S. Byrnes 2003; D. Grier 2013", kElements, make_poset},
    GraphEntry{"subset-takeaway", "N", "Subset Takeaway",
               "Take a proper nonempty subset of a set of N elements and all that contain it.",
               "D. Gale and A. Neyman 1982; A. E. Brouwer and J. D. Christensen 2017",
               "the subsets that are left: `1,2,12`", make_subset_takeaway},
    GraphEntry{"welter", "N,N,..", "Welter's game",
               "Move a coin on a strip to an empty square of a smaller number.",
               "C. P. Welter 1954; J. H. Conway, On Numbers and Games, ch. 13", kSquares,
               make_from_text<Welter>},
    GraphEntry{"silver-dollar", "N,N,..", "Silver Dollar game, without a dollar",
               "Move a coin on a strip over empty squares to one of a smaller number.",
               "N. G. de Bruijn; On Numbers and Games, ch. 11", kSquares,
               make_from_text<SilverDollar>},
    GraphEntry{"hexad", "", "Hexad game, or mathematical blackjack",
               "Of 6 cards from 0 to 11 replace one by a lower one that is absent, so that "
               "the sum stays at least 21.",
               "J. Kahane and A. J. Ryba 2001", "the cards: `0,1,2,3,4,11`", make_hexad},
    GraphEntry{"mock-turtles", "N,N,..", "Mock Turtles",
               "Turn one, two or three coins, the one of the highest place from heads to "
               "tails.",
               "Winning Ways, ch. 14", "the places with heads: `3,7`",
               make_turning<TurningCoins::Kind::kMockTurtles>},
    GraphEntry{"ruler", "N,N,..", "Ruler",
               "Turn any number of consecutive coins, the one of the highest place from heads "
               "to tails.",
               "Winning Ways, ch. 14", "the places with heads: `3,7`",
               make_turning<TurningCoins::Kind::kRuler>},
    GraphEntry{"turning-corners", "X.Y,..", "Turning Corners",
               "Turn the four corners of a rectangle, the one farthest from the origin from "
               "heads to tails.",
               "Winning Ways, ch. 14", "the places with heads: `2.5,3.3`",
               make_turning<TurningCoins::Kind::kCorners>},
};

}  // namespace

std::vector<CatalogueRow> graph_rows() {
  std::vector<CatalogueRow> rows;
  for (const GraphEntry& game : kGraphGames) {
    const std::string_view colon = game.parameters.empty() ? "" : ":";
    rows.push_back({.game = {.kind = GameKind::kGraph,
                             .name = game.name,
                             .title = game.title,
                             .form = fmt::format("{}{}{}", game.name, colon, game.parameters),
                             .notation = {},
                             .rules = std::string(game.rules),
                             .reference = game.reference,
                             .note = {},
                             .parameters = {},
                             .positions = game.positions},
                    .make = game.make});
  }
  return rows;
}

}  // namespace grundy
