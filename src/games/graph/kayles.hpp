/// @file
/// Node Kayles and Arc Kayles on a graph of at most 128 vertices.
///
/// Node Kayles: take a vertex together with its neighbours (Schaefer 1978). Arc Kayles: take two
/// adjacent vertices; on a grid it is Cram (Gardner 1974). A position is the set of vertices that
/// are left. Connected components are independent. On boards, positions that are translated,
/// rotated or reflected play alike. Arc Kayles leaves out vertices without a neighbour, because no
/// move takes them.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <grundy/graph/graph_game.hpp>

#include "games/graph/bits.hpp"
#include "games/graph/isomorphism.hpp"
#include "games/graph/small_graph.hpp"

namespace grundy::graph {

enum class KaylesMove { kNode, kArc };

/// Whether positions of Cram are handled in vectors.
bool works_in_vectors(const Board& board, const KernelSet& kernels) noexcept;
/// Simplifies positions of Cram: see RunSimplifyingGame. @pre works_in_vectors()
void simplify_cram(const Board& board, const KernelSet& kernels,
                   std::span<const std::uint64_t> positions, std::vector<std::uint64_t>& keys,
                   std::vector<SimplifiedPosition>& run);

/// Bits: a word, one bit a vertex.
template <KaylesMove kMove, class Bits = std::uint64_t>
class Kayles {
 public:
  using Position = Bits;

  explicit Kayles(BasicGraph<Bits> graph) : graph_(std::move(graph)) {}

  [[nodiscard]] Position start() const noexcept { return graph_.all(); }
  [[nodiscard]] bool contains(Position p) const noexcept { return (p & ~graph_.all()) == 0; }
  /// The number of moves from p.
  [[nodiscard]] std::uint32_t potential(Position p) const noexcept {
    if constexpr (kMove == KaylesMove::kNode) return count_ones(p);
    if (graph_.grid) {
      return count_ones(graph_.board->with_right(p)) + count_ones(graph_.board->with_lower(p));
    }
    std::uint32_t ends = 0;
    for (Position rest = p; rest != 0; rest &= rest - 1) {
      const unsigned v = lowest_one(rest);
      ends += count_ones(graph_.neighbours[v] & p);
    }
    return ends / 2;
  }

  /// The number of vertices.
  [[nodiscard]] std::uint32_t weight(Position p) const noexcept { return count_ones(p); }

  template <class Visit>
  void options(Position p, const Visit& visit) const {
    if (kMove == KaylesMove::kArc && graph_.grid) {
      return graph_.board->for_each_domino(p, [&](Position domino) { visit(p ^ domino); });
    }
    for (Position rest = p; rest != 0; rest &= rest - 1) {
      const unsigned v = lowest_one(rest);
      const Position neighbours = graph_.neighbours[v];
      const Position without = p & ~(Position{1} << v);
      if constexpr (kMove == KaylesMove::kNode) {
        visit(without & ~neighbours);
      } else {
        for (Position others = neighbours & rest; others != 0; others &= others - 1) {
          visit(without & ~(others & (0 - others)));
        }
      }
    }
  }

  [[nodiscard]] Position canonical(Position p) const noexcept {
    if constexpr (kMove == KaylesMove::kArc) p = without_lonely(p);
    return graph_.board ? graph_.board->canonical(p) : p;
  }

  template <class Visit>
  void components(Position p, const Visit& visit) const {
    while (p != 0) {
      const Position part = connected(p & (0 - p), p);
      p &= ~part;
      if (kMove == KaylesMove::kArc && (part & (part - 1)) == 0) continue;  // one vertex
      visit(part);
    }
  }

  /// Cram: removes the cells that do not matter.
  [[nodiscard]] Position simplified(Position p) const noexcept {
    return kMove == KaylesMove::kArc && graph_.grid ? graph_.board->without_surplus(p) : p;
  }

  /// Cram: removes the cells that do not matter, and fills in the values of small positions.
  [[nodiscard]] bool simplify_run(const KernelSet& kernels,
                                  std::span<const std::uint64_t> positions,
                                  std::vector<std::uint64_t>& keys,
                                  std::vector<SimplifiedPosition>& run) const
      requires(kMove == KaylesMove::kArc && sizeof(Bits) == 8) {
    if (!in_vectors(kernels)) return false;
    simplify_cram(*graph_.board, kernels, positions, keys, run);
    return true;
  }

  /// Cram: positions play alike if they are isomorphic graphs. So few positions of Node Kayles are
  /// that a search does not ask.
  [[nodiscard]] bool tells_alike(const KernelSet& kernels) const noexcept
      requires(kMove == KaylesMove::kArc && sizeof(Bits) == 8) {
    return in_vectors(kernels);
  }
  void likeness(const KernelSet& kernels, std::span<const std::uint64_t> positions,
                std::span<std::uint64_t> out) const noexcept
      requires(kMove == KaylesMove::kArc && sizeof(Bits) == 8) {
    isomorphism_hashes(*graph_.board, kernels, positions, out);
  }
  [[nodiscard]] bool are_alike(const KernelSet& kernels, Position p, Position q) const noexcept
      requires(kMove == KaylesMove::kArc && sizeof(Bits) == 8) {
    return are_isomorphic(*graph_.board, kernels, p, q);
  }

  /// Cram on a set of cells that half a turn leaves as it is. A domino and its image share a cell
  /// only if they touch a centre of one or two cells. Without such a domino every move is answered
  /// by its image. If two cells touch the centre, the first player may take both and then answer
  /// moves by their images.
  [[nodiscard]] PositionTheorem theorem(Position p) const noexcept {
    if (kMove != KaylesMove::kArc || !graph_.grid) return {};
    if (!graph_.board->is_point_symmetric(p)) return {};
    const Position centre = graph_.board->centre(p);
    const std::uint32_t cells = count_ones(centre);
    if ((centre & p) == 0 || cells == 4) {
      return {PositionTheorem::Says::kZero,
              "by symmetry: every move is answered by its image under half a turn"};
    }
    if (cells == 2) {
      return {PositionTheorem::Says::kNotZero,
              "by symmetry: take the two central cells, then answer every move by its image under "
              "half a turn"};
    }
    return {};
  }

  [[nodiscard]] std::string text(Position p) const;
  [[nodiscard]] Position parse(std::string_view text) const;

 private:
  [[nodiscard]] bool in_vectors(const KernelSet& kernels) const noexcept
      requires(sizeof(Bits) == 8) {
    return graph_.grid && works_in_vectors(*graph_.board, kernels);
  }

  /// The vertices of `p` that are connected to `seed` within `p`.
  [[nodiscard]] Position connected(Position seed, Position p) const noexcept {
    if (graph_.grid) {
      for (Position before = 0; seed != before;) {
        before = seed;
        seed |= graph_.board->around(seed) & p;
        seed |= graph_.board->around(seed) & p;
      }
      return seed;
    }
    for (Position frontier = seed; frontier != 0;) {
      const unsigned v = lowest_one(frontier);
      const Position fresh = graph_.neighbours[v] & p & ~seed;
      seed |= fresh;
      frontier = (frontier & (frontier - 1)) | fresh;
    }
    return seed;
  }

  [[nodiscard]] Position without_lonely(Position p) const noexcept {
    if (graph_.grid) return p & graph_.board->around(p);
    Position kept = 0;
    for (Position rest = p; rest != 0; rest &= rest - 1) {
      if ((graph_.neighbours[lowest_one(rest)] & p) != 0) {
        kept |= rest & (0 - rest);
      }
    }
    return kept;
  }

  BasicGraph<Bits> graph_;
};

/// The labels of the vertices of a set, `0,3,7`; `-` if there are none.
template <class Bits>
std::string vertices_text(const BasicGraph<Bits>& graph, Bits vertices);
/// The inverse of vertices_text(). @throws Error(kUsage)
template <class Bits>
Bits parse_vertices(const BasicGraph<Bits>& graph, std::string_view text);

template <KaylesMove kMove, class Bits>
std::string Kayles<kMove, Bits>::text(Position p) const {
  return graph_.board ? graph_.board->text(p) : vertices_text(graph_, p);
}

template <KaylesMove kMove, class Bits>
typename Kayles<kMove, Bits>::Position Kayles<kMove, Bits>::parse(std::string_view text) const {
  return graph_.board ? graph_.board->parse(text) : parse_vertices(graph_, text);
}

}  // namespace grundy::graph
