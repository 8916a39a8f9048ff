// SPDX-License-Identifier: MIT
#include "games/graph/kayles.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/machine.hpp>

#include "core/text.hpp"
#include "kernels/board_kernels.hpp"
#include "kernels/kernels.hpp"

namespace grundy::graph {
namespace {

constexpr unsigned kSmallCells = kSmallSide * kSmallSide;
constexpr std::size_t kSmallPositions = std::size_t{1} << kSmallCells;
using SmallValues = std::array<std::uint8_t, kSmallPositions + 7>;  // with the padding that
                                                                    // BoardShape asks for

/// The values of all positions on the small square, by the definition.
const SmallValues& small_values() {
  static const SmallValues values = [] {
    SmallValues all{};
    const Board square(kSmallSide, kSmallSide);
    for (std::uint32_t cells = 0; cells < kSmallPositions; ++cells) {
      std::uint32_t reached = 0;
      for (std::uint64_t rest = square.with_right(cells); rest != 0; rest &= rest - 1) {
        const std::uint64_t left = rest & (0 - rest);
        reached |= 1u << all[cells & ~(left | left << 1)];
      }
      for (std::uint64_t rest = square.with_lower(cells); rest != 0; rest &= rest - 1) {
        const std::uint64_t upper = rest & (0 - rest);
        reached |= 1u << all[cells & ~(upper | upper << kSmallSide)];
      }
      all[cells] = static_cast<std::uint8_t>(std::countr_one(reached));
    }
    return all;
  }();
  return values;
}

}  // namespace

bool works_in_vectors(const Board& board, const KernelSet& kernels) noexcept {
  // The plain kernel is the reference implementation; the code of the board itself is faster.
  return &kernels != &available_kernels().front() && board.rows() > 1;
}

void simplify_cram(const Board& board, const KernelSet& kernels,
                   std::span<const std::uint64_t> positions, std::vector<std::uint64_t>& keys,
                   std::vector<SimplifiedPosition>& run) {
  const BoardShape shape = board.shape(small_values().data());
  const std::size_t before = keys.size();
  for (std::size_t i = 0; i < positions.size(); i += kMostSets) {
    const std::size_t count = std::min(kMostSets, positions.size() - i);
    BoardParts parts;
    kernels.boards.take_apart(shape, &positions[i], count, parts);
    const auto first = static_cast<std::uint32_t>(keys.size() - before);
    keys.insert(keys.end(), parts.parts.data(), parts.parts.data() + parts.ends[count - 1]);
    for (std::size_t k = 0; k < count; ++k) {
      run.push_back({.end = first + parts.ends[k], .value = parts.values[k]});
    }
  }
}

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
  for (const std::uint64_t label : parse_counts(text)) {
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
