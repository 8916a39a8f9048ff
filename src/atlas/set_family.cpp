/// @file
/// Families of subtraction sets and their colexicographic order.
///
/// Row r is written in the combinatorial number system: r is the sum of C(m_i - 1, i) over the
/// moves m_1 < m_2 < .. of its set, because for each i, C(m_i - 1, i) sets agree with it in all
/// moves above m_i and have only moves below m_i besides.
// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <grundy/binomial.hpp>
#include <grundy/census.hpp>
#include <grundy/error.hpp>

#include "atlas/family_bounds.hpp"
#include "core/text.hpp"

namespace grundy {
namespace {

constexpr HeapSize kLargestMove = 65535, kMostMoves = 8;
constexpr std::uint64_t kMostSets = std::uint64_t{1} << 40;

}  // namespace

SetFamily SetFamily::parse(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} is no family of sets: {}", in_quotes(text), why));
  };
  TextCursor cursor(text, Blanks::kSkip);
  if (!cursor.eat_name("s") || !cursor.eat('{')) refuse("S{max<=512,size=3} is one");
  const FamilyBounds bounds = read_bounds(cursor, "=");
  cursor.expect_end("the end of the family");
  const SetFamily family{bounds.largest, bounds.size};
  (void)family.sets();
  return family;
}

std::string SetFamily::text() const {
  return fmt::format("S{{max<={},size={}}}", largest, size);
}

std::string SetFamily::refusal() const {
  if (size < 1 || size > kMostMoves) {
    return fmt::format("a set of a family has 1 to {} moves", kMostMoves);
  }
  if (largest > kLargestMove) return fmt::format("moves are at most {} here", kLargestMove);
  if (largest < size) return "there is no such set";
  return binomial(largest, size) > kMostSets ? "these are more than 2^40 sets" : "";
}

std::uint64_t SetFamily::sets() const {
  if (const std::string why = refusal(); !why.empty()) {
    throw Error(ErrorCode::kUsage, fmt::format("{}: {}", text(), why));
  }
  return binomial(largest, size);
}

MoveSet SetFamily::at(std::uint64_t row) const {
  MoveSet moves(size);
  HeapSize above = largest;  // the largest possible move
  for (HeapSize i = size; i > 0; --i) {
    HeapSize least = i, most = above;
    while (least < most) {  // the largest m with binomial(m - 1, i) <= row
      const HeapSize middle = least + (most - least + 1) / 2;
      if (binomial(middle - 1, i) <= row) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    moves[i - 1] = least;
    row -= binomial(least - 1, i);
    above = least - 1;
  }
  return moves;
}

std::uint64_t SetFamily::row_of(const MoveSet& set) const noexcept {
  std::uint64_t row = 0;
  for (HeapSize i = 0; i < size; ++i) row += binomial(set[i] - 1, i + 1);
  return row;
}

void SetFamily::advance(MoveSet& set) noexcept {
  std::size_t i = 0;
  for (; i + 1 < set.size() && set[i] + 1 == set[i + 1]; ++i) set[i] = i + 1;
  ++set[i];
}

}  // namespace grundy
