// SPDX-License-Identifier: MIT
#include "games/graph/heap_multisets.hpp"

#include <algorithm>

namespace grundy::graph {
namespace {

/// For each heap: the heaps that a move may leave, descending. A heap of 0 stands for nothing at
/// all.
std::vector<std::vector<std::uint8_t>> single_heaps(const HeapMoves& moves) {
  std::vector<std::vector<std::uint8_t>> left(moves.size());
  for (std::size_t n = 0; n < moves.size(); ++n) {
    std::uint32_t begin = 0;
    for (const std::uint32_t end : moves[n].end) {
      left[n].push_back(begin == end ? std::uint8_t{0} : moves[n].heaps[begin]);
      begin = end;
    }
    std::ranges::sort(left[n], std::ranges::greater());
  }
  return left;
}

}  // namespace

bool HeapMultisets::suits(const HeapMoves& moves, std::size_t heaps) {
  if (heaps == 0 || heaps > kMostSummands || moves.size() < 2 ||
      MultisetNumbers::count(heaps, moves.size() - 1) > kMostNumbered) {
    return false;
  }
  for (std::size_t n = 0; n < moves.size(); ++n) {
    std::uint32_t begin = 0;
    bool takes_one = n == 0;
    for (const std::uint32_t end : moves[n].end) {
      const std::size_t left = begin == end ? 0 : moves[n].heaps[begin];
      if (end - begin > 1) return false;
      takes_one = takes_one || left + 1 == n;
      begin = end;
    }
    if (!takes_one) return false;
  }
  return true;
}

HeapMultisets::HeapMultisets(HeapMoves moves, std::size_t heaps)
    : heaps_(heaps),
      size_(MultisetNumbers::count(heaps, moves.size() - 1)),
      left_(single_heaps(moves)),
      numbers_(heaps, static_cast<std::uint32_t>(moves.size() - 1)) {}

std::string HeapMultisets::text(Position p) const {
  Hint x{};
  numbers_.unpack(p, x);
  std::ranges::sort(x, std::ranges::greater());
  return heaps_text(x);
}

HeapMultisets::Position HeapMultisets::parse(std::string_view text) const {
  std::vector<std::uint8_t> x = parse_heaps(text, left_.size() - 1, heaps_);
  x.resize(heaps_);
  std::ranges::sort(x);
  return numbers_.number(x);
}

}  // namespace grundy::graph
