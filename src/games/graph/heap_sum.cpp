// SPDX-License-Identifier: MIT
#include "games/graph/heap_sum.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <grundy/error.hpp>
#include <grundy/heap/options.hpp>

#include "core/text.hpp"
#include "core/text_cursor.hpp"

namespace grundy::graph {

HeapMoves heap_moves(const HeapRule& rule, std::uint64_t largest) {
  constexpr std::size_t kMost = 10'000'000;
  HeapMoves moves(largest + 1);
  std::size_t count = 0;
  for (std::uint64_t n = 0; n <= largest; ++n) {
    std::set<std::vector<HeapSize>> lists;  // a code may allow one result in two ways
    for_each_option(rule, n, [&](const HeapMove& move) {
      lists.insert(move.left);
      return ++count <= kMost ? Flow::kContinue : Flow::kStop;
    });
    if (count > kMost) {
      throw Error(ErrorCode::kFailure,
                  fmt::format("a heap of {} tokens has too many moves for a position graph", n));
    }
    for (const std::vector<HeapSize>& list : lists) {
      for (const HeapSize heap : list) moves[n].heaps.push_back(static_cast<std::uint8_t>(heap));
      moves[n].end.push_back(static_cast<std::uint32_t>(moves[n].heaps.size()));
    }
  }
  return moves;
}

std::vector<std::size_t> most_left(const HeapMoves& moves) {
  std::vector<std::size_t> most;
  for (const MovesOfHeap& heap : moves) {
    std::uint32_t begin = 0;
    most.push_back(0);
    for (const std::uint32_t end : heap.end) {
      most.back() = std::max<std::size_t>(most.back(), end - std::exchange(begin, end));
    }
  }
  return most;
}

std::size_t most_in_play(const HeapMoves& moves, std::span<const std::uint8_t> heaps) {
  std::vector<std::size_t> most;  // by the size of one heap; a move leaves smaller heaps only
  for (const MovesOfHeap& heap : moves) {
    most.push_back(most.empty() ? 0 : 1);
    std::uint32_t begin = 0;
    for (const std::uint32_t end : heap.end) {
      std::size_t sum = 0;
      for (; begin < end; ++begin) sum += most[heap.heaps[begin]];
      most.back() = std::max(most.back(), sum);
    }
  }
  std::size_t sum = 0;
  for (const std::uint8_t heap : heaps) sum += most[heap];
  return sum;
}

std::vector<std::uint8_t> parse_heaps(std::string_view text, std::uint64_t largest,
                                      std::size_t most) {
  std::vector<std::uint8_t> heaps;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(",+", begin), text.size());
    const std::uint64_t heap = parse_count(trimmed(text.substr(begin, end - begin)));
    if (heap > largest) {
      throw Error(ErrorCode::kUsage,
                  fmt::format("a heap of {} tokens is too large here; at most {}", heap, largest));
    }
    if (heap > 0) heaps.push_back(static_cast<std::uint8_t>(heap));
    begin = end + 1;
  }
  if (heaps.size() > most) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} heaps are too many here; at most {}", heaps.size(), most));
  }
  return heaps;
}

std::string heaps_text(std::span<const std::uint8_t> heaps) {
  std::string text;
  for (const std::uint8_t heap : heaps) {
    if (heap == 0) break;
    text += (text.empty() ? "" : "+") + std::to_string(heap);
  }
  return text.empty() ? "0" : text;
}

void too_many_heaps(std::size_t most) {
  throw Error(ErrorCode::kFailure,
              fmt::format("a position of this sum has more than {} heaps", most));
}

}  // namespace grundy::graph
